# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Transforms that leave the range of floats: no NaN and no half a file, but a message and exit 2.

cat >large.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"children":[1],"scale":[1e30,1e30,1e30]},{"mesh":0,"scale":[1e30,1e30,1e30]}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
 "bufferViews":[{"buffer":0,"byteLength":36}],
 "buffers":[{"byteLength":36,"uri":"large.bin"}]}
EOF
perl -e 'print pack "f<*", 0, 0, 0, 1, 0, 0, 0, 1, 0' >large.bin

for name in x.json x.obj x.ply x.glb; do
    "$BINDPOSE" pose large.gltf -o $name
    echo "exit $?"
done
"$BINDPOSE" explain large.gltf --vertex 1
echo "exit $?"
ls -A
