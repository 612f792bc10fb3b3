# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A mesh that was bound at twice its size, one metre up: the joints agree on that, and info says so.

set -eu

cat >shape.gltf <<'EOF'
{"asset":{"version":"2.0"},"nodes":[{"mesh":0,"skin":0},{"translation":[0,3,0]}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
 "skins":[{"joints":[1],"inverseBindMatrices":3}],
 "accessors":[{"componentType":5126,"count":1,"type":"VEC3"},
  {"componentType":5121,"count":1,"type":"VEC4"},
  {"bufferView":0,"componentType":5126,"count":1,"type":"VEC4"},
  {"bufferView":1,"componentType":5126,"count":1,"type":"MAT4"}],
 "bufferViews":[{"buffer":0,"byteLength":16},{"buffer":0,"byteOffset":16,"byteLength":64}],
 "buffers":[{"byteLength":80,"uri":"shape.bin"}]}
EOF
perl -e 'print pack "f<*", 1, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, -2, 0, 1' >shape.bin
"$BINDPOSE" info shape.gltf | sed -n '/^skins/,/^$/p'
