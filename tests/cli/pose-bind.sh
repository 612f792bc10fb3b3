# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Rest pose and bind pose of a rig whose joint rests 5 m above where it was bound, in pose, info and
# explain. The other joint moves nothing.

set -eu

cat >rig.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2]}],
 "nodes":[{"name":"body","mesh":0,"skin":0},{"name":"lifted","translation":[0,5,0]},
  {"name":"idle"}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
 "skins":[{"name":"rig","joints":[1,2],"inverseBindMatrices":3}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
  {"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},
  {"bufferView":3,"componentType":5126,"count":2,"type":"MAT4"}],
 "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},
  {"buffer":0,"byteOffset":48,"byteLength":48},{"buffer":0,"byteOffset":96,"byteLength":128}],
 "buffers":[{"byteLength":224,"uri":"rig.bin"}]}
EOF
perl -e 'print pack "f<9 C12 f<*",
    0, 0, 0, 1, 0, 0, 0, 1, 0,          # positions
    (0) x 12,                           # joints
    (1, 0, 0, 0) x 3,                   # weights
    ((1, 0, 0, 0, 0) x 3, 1) x 2' >rig.bin # inverse bind matrices

"$BINDPOSE" pose rig.gltf --joints
"$BINDPOSE" pose rig.gltf --bind --joints
"$BINDPOSE" info rig.gltf | sed -n '/^skins/,/^$/p'
"$BINDPOSE" explain rig.gltf --vertex 1
