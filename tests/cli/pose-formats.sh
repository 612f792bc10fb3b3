# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The same triangle as OBJ, PLY and GLB, the last read back. The format is told by the name of the
# output or by --format.

set -eu

cat >slide.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"name":"plate","mesh":0,"translation":[10,0,0]}],
 "meshes":[{"name":"triangle","primitives":[{"attributes":{"POSITION":0,"NORMAL":1}}]}],
 "animations":[{"name":"slide","samplers":[{"input":2,"output":3}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"},
  {"bufferView":2,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[2]},
  {"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}],
 "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":36},
  {"buffer":0,"byteOffset":72,"byteLength":8},{"buffer":0,"byteOffset":80,"byteLength":24}],
 "buffers":[{"byteLength":104,
  "uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAEAAACBBAAAAAAAAAAAAAGBBAAAAAAAAAAA="}]}
EOF

for name in x.obj x.ply x.glb x.JSON; do
    "$BINDPOSE" pose slide.gltf --clip slide --time 1 -o $name
done
"$BINDPOSE" pose slide.gltf --clip slide --time 1 --format obj -o x.txt
cat x.obj
cmp x.obj x.txt

echo "---- ply: 12 0 0 with normal 0 0 1, 13 0 0, 12 1 0, then the triangle 0 1 2"
sed '/end_header/q' x.ply
tail -c 85 x.ply | od -An -v -tx1 -w12 | sed 's/^ //'

echo "---- glb"
"$BINDPOSE" pose x.glb

echo "---- json"
cat x.JSON
