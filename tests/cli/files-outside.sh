# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Buffers outside the folder of the file are read only when that is asked for.

mkdir model
cat >model/x.gltf <<'EOF'
{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],
 "bufferViews":[{"buffer":0,"byteLength":12}],"buffers":[{"uri":"../x.bin","byteLength":12}]}
EOF
perl -e 'print pack "f<*", 1, 2, 3' >x.bin
"$BINDPOSE" pose model/x.gltf
echo "exit $?"
"$BINDPOSE" pose model/x.gltf --allow-outside | grep positions
