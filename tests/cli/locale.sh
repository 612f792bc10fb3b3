# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Numbers are the same everywhere.

set -eu

arm=$SOURCE/assets/arm.glb
for command in 'pose --clip bend --time 0.7' 'pose --format obj' 'explain --vertex 3' info; do
    # shellcheck disable=SC2086 # words
    LC_ALL=C "$BINDPOSE" $command "$arm" >plain.txt
    for locale in de_DE.UTF-8 fr_FR.utf8 tr_TR.UTF-8; do
        # shellcheck disable=SC2086 # words
        LC_ALL=$locale LANG=$locale "$BINDPOSE" $command "$arm" | cmp - plain.txt
    done
done
