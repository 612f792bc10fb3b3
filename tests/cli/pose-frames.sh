# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A sequence of frames: numbered from 0, each at its own time, the last one included.

set -eu

cp "$SOURCE/tests/cli/slide.gltf" .

"$BINDPOSE" pose slide.gltf --clip 0 --frames 0:2:1 -o 'a%d.json'
"$BINDPOSE" pose slide.gltf --clip 0 --frames 0.5:1:4 -o '100%%-%03d.obj'
ls -A
grep -h '"time"' a?.json
grep -h '^v ' 100%-00?.obj
