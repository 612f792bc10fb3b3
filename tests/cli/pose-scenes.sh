# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Without --all-scenes only what the default scene shows is posed.

set -eu

cat >scenes.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":1,
 "scenes":[{"nodes":[0]},{"nodes":[1]},{"nodes":[2]}],
 "nodes":[{"mesh":0},{"mesh":0,"translation":[0,5,0]},{}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"componentType":5126,"count":1,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}]}
EOF

"$BINDPOSE" pose scenes.gltf | grep positions
"$BINDPOSE" pose scenes.gltf --all-scenes | grep positions
"$BINDPOSE" info scenes.gltf | sed -n '/^instances/,$p'
echo "---- a default scene without meshes"
sed 's/"scene":1/"scene":2/' scenes.gltf >empty.gltf
"$BINDPOSE" pose empty.gltf | grep meshes
