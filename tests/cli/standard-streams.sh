# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# - reads standard input, -o - writes standard output; both are the same as files.

arm=$SOURCE/assets/arm.glb
"$BINDPOSE" pose "$arm" --clip bend --time 1 -o out.obj
"$BINDPOSE" pose - --clip bend --time 1 --format obj -o - <"$arm" >piped.obj
sed 1d out.obj >out.txt
sed 1d piped.obj | cmp - out.txt
head -n 1 piped.obj
"$BINDPOSE" info - <"$arm" | head -n 1
"$BINDPOSE" info - --json <"$arm" | grep '"file"'
cat "$arm" | "$BINDPOSE" explain - --vertex 0 | head -n 1

# What lies beside a file belongs to it; beside standard input lies nothing.
cat >beside.gltf <<'EOF'
{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],
 "bufferViews":[{"buffer":0,"byteLength":12}],"buffers":[{"uri":"beside.bin","byteLength":12}]}
EOF
head -c 12 /dev/zero >beside.bin
"$BINDPOSE" pose beside.gltf | grep -c positions
"$BINDPOSE" pose - --allow-outside <beside.gltf | grep -c positions
"$BINDPOSE" pose - <beside.gltf
echo "exit $?"
