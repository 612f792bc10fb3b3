# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Names from files cannot reach the terminal as they are, nor break a line.

cat >names.gltf <<'EOF'
{"asset":{"version":"2.0","generator":"\u001b]0;owned\u0007"},"scene":0,
 "scenes":[{"name":"\u009b31m","nodes":[0]}],
 "nodes":[{"name":"a\u001b[2Jb\nc\u202ed\"e","mesh":0},
  {"name":"a name that is longer than forty characters is cut"}],
 "meshes":[{"name":"x\u0000y","primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}]}
EOF

"$BINDPOSE" info names.gltf
"$BINDPOSE" info names.gltf --tree
"$BINDPOSE" info names.gltf --json | grep -E 'generator|name'
"$BINDPOSE" pose names.gltf --format obj | head -n 2
"$BINDPOSE" pose names.gltf --clip "$(printf '\033[2J')"
"$BINDPOSE" pose "$(printf 'no\033file\n\377')"
"$BINDPOSE" "$(printf '\033c')"

echo '{"asset":{"version":"2.0"},"extensionsRequired":["KHR_materials_\u202etxt.exe"]}' >warned.gltf
"$BINDPOSE" info warned.gltf | tail -n 1
echo '{"asset":{"version":"2.0"},"extensionsRequired":["EXT_\u2066\ufeffexe"]}' >refused.gltf
"$BINDPOSE" info refused.gltf

echo "---- lines with control characters"
for command in info 'info --tree' 'info --json' pose 'pose --format obj' 'explain --vertex 0'; do
    # shellcheck disable=SC2086 # words
    "$BINDPOSE" $command names.gltf 2>&1 |
        LC_ALL=C grep -c "$(printf '[\001-\010\016-\037\177]')"
done
