# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# What is in the arm, in all three ways.

set -eu

cd "$SOURCE"
"$BINDPOSE" info assets/arm.glb
"$BINDPOSE" info assets/arm.glb --tree
"$BINDPOSE" info assets/arm.glb --json
