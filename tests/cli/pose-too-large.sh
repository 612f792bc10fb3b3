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

echo "---- a joint that moves nothing, a copy, what a copy is made of" >&2
perl -e 'print pack "f<9 C12 f<*", 0, 0, 0, 2, 0, 0, 0, 1, 0, (0) x 12, (1, 0, 0, 0) x 3,
    1, 1, 1, 3e38, 1, 1' >all.bin
data='"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},
  {"buffer":0,"byteOffset":48,"byteLength":48},{"buffer":0,"byteOffset":96,"byteLength":24}],
 "buffers":[{"byteLength":120,"uri":"all.bin"}],
 "accessors":[
  {"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
  {"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},
  {"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}]'
copies='"extensionsUsed":["EXT_mesh_gpu_instancing"]'
cat >joint.gltf <<EOF
{"asset":{"version":"2.0"},"nodes":[{"mesh":0,"skin":0},{},{"scale":[1e30,1,1],"children":[3]},
  {"scale":[1e30,1,1]}],"skins":[{"joints":[1,3]}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],$data}
EOF
cat >copy.gltf <<EOF
{"asset":{"version":"2.0"},$copies,"nodes":[{"mesh":0,"scale":[2,2,2],
  "extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":3}}}}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],$data}
EOF
cat >bounds.gltf <<EOF
{"asset":{"version":"2.0"},$copies,"nodes":[{"mesh":0,
  "extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"SCALE":3}}}}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],$data}
EOF
"$BINDPOSE" pose joint.gltf | grep -c positions
for file in joint copy bounds; do
    "$BINDPOSE" pose $file.gltf --joints -o x.json
    echo "exit $?"
done
ls -A
