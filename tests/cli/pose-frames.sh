# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A sequence of frames: numbered from 0, each at its own time, the last one included.

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

"$BINDPOSE" pose slide.gltf --clip 0 --frames 0:2:1 -o 'a%d.json'
"$BINDPOSE" pose slide.gltf --clip 0 --frames 0.5:1:4 -o '100%%-%03d.obj'
ls -A
grep -h '"time"' a?.json
grep -h '^v ' 100%-00?.obj
