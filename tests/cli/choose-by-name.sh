# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Clips, nodes and meshes by index and by name. An index goes before a name that is a number.

cat >clips.gltf <<'EOF'
{"asset":{"version":"2.0"},"nodes":[{"name":"plate","mesh":0}],
 "meshes":[{"name":"triangle","primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"componentType":5126,"count":1,"type":"VEC3","min":[0,0,0],"max":[0,0,0]},
  {"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]}],
 "animations":[
  {"name":"run","samplers":[{"input":1,"output":0}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},
  {"name":"run","samplers":[{"input":1,"output":0}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},
  {"name":"0","samplers":[{"input":1,"output":0}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},
  {"name":"77","samplers":[{"input":1,"output":0}],
   "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]}
EOF

chosen() {
    "$BINDPOSE" pose clips.gltf --clip "$1" | grep '"clip"'
}

chosen 0
chosen 2
chosen 77 # no such index: the name
chosen run
chosen ru
chosen 78
chosen ''
"$BINDPOSE" pose clips.gltf --relative-to elbow
"$BINDPOSE" explain clips.gltf --vertex 0 --mesh leg
"$BINDPOSE" explain clips.gltf --vertex 1
"$BINDPOSE" explain clips.gltf --vertex 0 --primitive 1
"$BINDPOSE" pose "$SOURCE/assets/walker.glb" --relative-to elbow
echo '{"asset":{"version":"2.0"}}' >empty.gltf
"$BINDPOSE" pose empty.gltf --clip 0
