# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Nodes nested 5,000 deep: the tree is drawn without recursion, and its lines stop moving right.

set -eu

awk 'BEGIN {
    printf "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
    for (i = 1; i < 5000; i++) printf "{\"children\":[%d]},", i
    print "{}]}"
}' >deep.gltf
"$BINDPOSE" info deep.gltf --tree >tree.txt
awk 'END {print NR, "lines"}' tree.txt
head -n 4 tree.txt
tail -n 2 tree.txt
