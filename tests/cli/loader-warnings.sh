# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Warnings of the loader: a line each on stderr, none with --quiet; info has them in its report.

set -eu

cat >warned.gltf <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"mesh":0,"rotation":[0,0,0,2]}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}},{"attributes":{"TEXCOORD_0":1}}]}],
 "accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]},
  {"componentType":5126,"count":3,"type":"VEC2"}]}
EOF

"$BINDPOSE" pose warned.gltf >out.json
echo "---- quiet" >&2
"$BINDPOSE" pose warned.gltf --quiet >out.json
"$BINDPOSE" info warned.gltf | sed -n '/^warnings/,$p'

echo "---- many" >&2
awk 'BEGIN {
    printf "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
    for (i = 0; i < 13; i++) printf "%s{\"rotation\":[0,0,0,2]}", i ? "," : ""
    print "]}"
}' >many.gltf
"$BINDPOSE" pose many.gltf >out.json
"$BINDPOSE" info many.gltf | grep -c ROTATION_NON_UNIT
