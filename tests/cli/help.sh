# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Every --help goes to stdout and is a success.

set -eu

"$BINDPOSE" --help
for command in info pose explain bench; do
    echo "---- $command"
    "$BINDPOSE" $command --help
done

"$BINDPOSE" --help >program.txt
"$BINDPOSE" help | cmp - program.txt
"$BINDPOSE" help help | cmp - program.txt
for command in info pose explain bench; do
    "$BINDPOSE" $command --help >$command.txt
    "$BINDPOSE" help $command | cmp - $command.txt
done
