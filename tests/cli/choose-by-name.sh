# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Clips, nodes and meshes by index and by name. An index goes before a name that is a number.

cat >slide.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"name":"plate","mesh":0,"translation":[10,0,0]}],
 "meshes":[{"name":"triangle","primitives":[{"attributes":{"POSITION":0,"NORMAL":1}}]}],
 "animations":[{"name":"slide","samplers":[{"input":2,"output":3}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},
  {"name":"slide","samplers":[{"input":2,"output":3}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]},
  {"name":"0","samplers":[{"input":2,"output":3}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]},
  {"name":"77","samplers":[{"input":2,"output":3}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}],
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

chosen() {
    "$BINDPOSE" pose slide.gltf --clip "$1" | grep '"clip"'
}

chosen 0
chosen 2
chosen 77 # no such index: the name
chosen slide
chosen slid
chosen 78
chosen ''
"$BINDPOSE" pose slide.gltf --relative-to elbow
"$BINDPOSE" explain slide.gltf --vertex 0 --mesh leg
"$BINDPOSE" explain slide.gltf --vertex 3
"$BINDPOSE" explain slide.gltf --vertex 0 --primitive 1
"$BINDPOSE" pose "$SOURCE/assets/walker.glb" --relative-to elbow
echo '{"asset":{"version":"2.0"}}' >empty.gltf
"$BINDPOSE" pose empty.gltf --clip 0
