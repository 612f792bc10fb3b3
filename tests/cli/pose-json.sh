# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The numbers of pose, worked out by hand: a triangle slides from x = 10 to 14 in two seconds.

set -eu

cp "$SOURCE/tests/cli/slide.gltf" .

"$BINDPOSE" pose slide.gltf
"$BINDPOSE" pose slide.gltf --clip slide --time 1
"$BINDPOSE" pose --clip 0 slide.gltf --time 0.5 --joints

echo "---- clamped after the end, wrapped with --loop, moved along with its own node"
"$BINDPOSE" pose slide.gltf --clip 0 --time 5 | grep -E '"time"|positions'
"$BINDPOSE" pose slide.gltf --clip 0 --time 5 --loop | grep -E '"time"|positions'
"$BINDPOSE" pose slide.gltf --clip 0 --time 1 --relative-to plate | grep -E 'relative|positions'
