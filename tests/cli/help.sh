# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Every --help goes to stdout and is a success.

set -eu

"$BINDPOSE" --help
for command in info pose explain; do
    echo "---- $command"
    "$BINDPOSE" $command --help
done
