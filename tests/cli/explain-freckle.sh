# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The worked example of docs/skinning.md: the freckle at (5, 0, 0), the elbow at (2, 0, 0), a
# quarter turn. In the elbow's space the freckle is at (3, 0, 0), and it ends at (2, 3, 0).

set -eu

cd "$SOURCE"
"$BINDPOSE" explain assets/arm.glb --vertex 0 --clip bend --time 1
