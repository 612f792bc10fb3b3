# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The same as numbers, rounded to five digits after the point, as a quarter turn is not exact in
# floats.

set -eu

cd "$SOURCE"
"$BINDPOSE" explain assets/arm.glb --vertex 0 --clip bend --time 1 --json | perl -pe '
    sub rounded { my $n = sprintf "%.5f", shift; $n =~ s/\.?0+$//; $n eq "-0" ? 0 : $n }
    s/-?\d+(\.\d+)?(e-?\d+)?/rounded($&)/ge'
