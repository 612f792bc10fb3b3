# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The examples of every --help work as typed, where the assets are.

set -eu

ln -s "$SOURCE/assets" assets
"$BINDPOSE" --help | sed '1,/^example$/d' >examples.txt
for command in info pose explain bench; do
    "$BINDPOSE" $command --help | sed '1,/^example$/d' >>examples.txt
done
sh -eu examples.txt >out.txt
sed "s|^  .*/bindpose |bindpose |" examples.txt
ls
