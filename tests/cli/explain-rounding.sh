# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Rounding is no fault of the file nor of the program: where the scale of a joint is 10,000 in one
# direction, and where huge weights nearly cancel each other.

set -eu

cat >rig.gltf <<'EOF'
{"asset":{"version":"2.0"},"nodes":[{"scale":[10000,1,1],"children":[1]},
  {"rotation":[0,0,0.14943813,0.98877108]},{"mesh":0,"skin":0},
  {"translation":[1.1,2.3,0]},{"translation":[0.7,0.3,0],"rotation":[0,0,0.6,0.8]},
  {"mesh":1,"skin":1}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]},
  {"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":5,"WEIGHTS_0":3}}]}],
 "skins":[{"joints":[1],"inverseBindMatrices":4},{"joints":[3,4]}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":2,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"componentType":5121,"count":2,"type":"VEC4"},
  {"bufferView":2,"componentType":5126,"count":2,"type":"VEC4"},
  {"bufferView":3,"componentType":5126,"count":2,"type":"VEC4"},
  {"bufferView":4,"componentType":5126,"count":1,"type":"MAT4"},
  {"bufferView":1,"componentType":5121,"count":2,"type":"VEC4"}],
 "bufferViews":[{"buffer":0,"byteLength":24},{"buffer":0,"byteOffset":24,"byteLength":8},
  {"buffer":0,"byteOffset":32,"byteLength":32},{"buffer":0,"byteOffset":64,"byteLength":32},
  {"buffer":0,"byteOffset":96,"byteLength":64}],
 "buffers":[{"byteLength":160,"uri":"rig.bin"}]}
EOF
perl -e 'my ($c, $s) = (cos 0.3, sin 0.3); print pack "f<6 C8 f<*",
    1, 0, 0, 0, 1, 0,                                    # positions
    (0, 1, 0, 0) x 2,                                    # joints of the second mesh
    (1, 0, 0, 0) x 2, (1e6, -999999, 0, 0) x 2,          # weights
    $c / 1e4, -$s / 1e4, 0, 0, $s, $c, 0, 0, 0, 0, 1, 0, # inverse bind matrix
    0, 0, 0, 1' >rig.bin

"$BINDPOSE" explain rig.gltf --vertex 1 | grep -A 1 '^in the bind pose'
"$BINDPOSE" explain rig.gltf --vertex 0 --mesh 1 --raw-weights --quiet | tail -n 2
perl -e 'open my $file, "+<", "rig.bin"; seek $file, 32, 0; print $file pack "f<4", 0.5, 0, 0, 0'
"$BINDPOSE" explain rig.gltf --vertex 0 --raw-weights --quiet | grep 'do not sum'
