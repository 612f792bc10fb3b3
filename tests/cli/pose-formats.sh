# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The same triangle as OBJ, PLY and GLB, the last read back. The format is told by the name of the
# output or by --format.

set -eu

cp "$SOURCE/tests/cli/slide.gltf" .

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
