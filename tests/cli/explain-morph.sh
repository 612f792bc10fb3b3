# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Morph targets come before the node's transform: vertex 1 is at (1, 0, 0), the target adds
# (0, 2, 0) at weight 0.5, and the node turns by a quarter about z: (1, 1, 0) goes to (-1, 1, 0).

set -eu

cat >morph.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"name":"plate","mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,0,0,0,1]}],
 "meshes":[{"weights":[0.5],"extras":{"targetNames":["rise"]},
  "primitives":[{"attributes":{"POSITION":0},"targets":[{"POSITION":1}]}]}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,2,4]}],
 "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":36}],
 "buffers":[{"byteLength":72,"uri":"morph.bin"}]}
EOF
perl -e 'print pack "f<*",
    0, 0, 0, 1, 0, 0, 0, 1, 0,           # positions
    0, 0, 0, 0, 2, 0, 0, 0, 4' >morph.bin # what the target adds

"$BINDPOSE" explain morph.gltf --vertex 1
"$BINDPOSE" explain morph.gltf --vertex 0
"$BINDPOSE" info morph.gltf
"$BINDPOSE" pose morph.gltf
