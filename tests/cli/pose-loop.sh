# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A clip of two seconds in a loop: times before it count from its end.

set -eu

cp "$SOURCE/tests/cli/slide.gltf" .
for time in 0.5 2.5 -1.5 -2; do
    "$BINDPOSE" pose slide.gltf --clip slide --loop --time $time | grep '"time"'
done
