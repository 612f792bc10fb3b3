# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# EXT_mesh_gpu_instancing: JSON has the vertices at the node itself, and the matrices that take them
# to each copy; the other formats have every copy.

set -eu

cat >copies.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "extensionsUsed":["EXT_mesh_gpu_instancing"],
 "nodes":[{"mesh":0,"translation":[10,0,0],"scale":[2,2,2],
  "extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":1}}}}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
 "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
 "buffers":[{"byteLength":60,"uri":"copies.bin"}]}
EOF
perl -e 'print pack "f<*",
    0, 0, 0, 1, 0, 0, 0, 1, 0,   # positions
    0, 0, 0, 5, 0, 0' >copies.bin # of the copies

"$BINDPOSE" pose copies.gltf
"$BINDPOSE" pose copies.gltf --format obj
"$BINDPOSE" pose copies.gltf -o copies.glb
"$BINDPOSE" pose copies.glb | grep positions

echo "---- a flat node: no matrix leads from there to a copy that is turned, so each is written"
cat >flat.gltf <<'EOF'
{"asset":{"version":"2.0"},"extensionsUsed":["EXT_mesh_gpu_instancing"],
 "nodes":[{"mesh":0,"scale":[1,1,0],
  "extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":1,"ROTATION":2}}}}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,0,1]},
  {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"},
  {"bufferView":2,"componentType":5126,"count":2,"type":"VEC4"}],
 "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24},
  {"buffer":0,"byteOffset":60,"byteLength":32}],
 "buffers":[{"byteLength":92,"uri":"flat.bin"}]}
EOF
perl -e 'print pack "f<*",
    0, 0, 0, 1, 0, 0, 0, 0, 1, # positions
    0, 0, 0, 5, 0, 0,          # of the copies
    0, 0, 0, 1, (0.5) x 4' >flat.bin # the second turned: x becomes y, y becomes z, z becomes x

"$BINDPOSE" pose flat.gltf --quiet
"$BINDPOSE" pose flat.gltf --quiet --format obj | grep ^v
