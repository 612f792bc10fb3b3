# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The models in assets/ are what their generators make, byte for byte. TOOLS is where those are.

set -eu

tools=${TOOLS:-$(dirname "$BINDPOSE")/tools}
[ -d "$tools" ] || { echo "skipped: no generators in $tools"; exit 77; }

for asset in "$SOURCE"/assets/*.glb; do
    name=$(basename "$asset" .glb)
    "$tools/make_$name" "$name.glb"
    cmp "$name.glb" "$asset"
done
