#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Holds tools/check_style to its rules: a small clean tree passes, and each violation planted in it
# is found, alone. Without this a broken checker would look like a clean tree.

set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
cases=0
failed=0

# put FILE: writes a file below the tree from stdin, with the banner of its kind.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    case $1 in
        include/*) open='/* ' close=' */' ;;
        *.c | *.h | *.mjs) open='// ' close='' ;;
        *) open='# ' close='' ;;
    esac
    {
        echo "${open}SPDX-License-Identifier: MIT$close"
        echo "${open}Copyright (c) 2026 the bindpose authors$close"
        cat
    } >"$tree/$1"
}

# A clean tree that has one of everything.
plant() {
    tree=$scratch/tree
    rm -rf "$tree"
    mkdir -p "$tree/docs"
    cp "$root/docs/architecture.md" "$tree/docs/"
    for module in base math clip skinning; do
        put "include/bindpose/$module.h" <<EOF
#ifndef BINDPOSE_X_H
#define BINDPOSE_X_H
#ifdef __cplusplus
extern "C" {
#endif
/** No typedef int wrong; in a comment. */
typedef struct bp_$module {
    int wrong_is_fine_here;
} bp_$module;
typedef enum bp_${module}_kind { BP_ONE } bp_${module}_kind;
int bp_${module}_verb(int (*callback)(void *user));
#ifdef __cplusplus
}
#endif
#endif
EOF
        put "src/$module/${module}_part.h" <<EOF
int bpi_${module}_part(void);
EOF
        put "src/$module/$module.c" <<EOF
#include <stdlib.h>

#include "bindpose/$module.h"
#include "$module/${module}_part.h"

static int local;

struct only_here {
    int a;
};

static int helper(void) {
    return local;
}

int bp_${module}_verb(int (*callback)(void *user)) {
    return callback(NULL) + helper();
}
EOF
        put "tests/unit/test_$module.c" <<EOF
#include <cmocka.h>

#include "$module/${module}_part.h"
EOF
    done
    put cli/cmd_info.c <<EOF
#include "bindpose/clip.h"
EOF
    put tests/conformance/test_models.c <<EOF
#include "bindpose/clip.h"
EOF
}

check() {
    perl "$root/tools/check_style" "$tree" >"$scratch/out" 2>&1
}

# expect PLACE MESSAGE: the tree has this violation and no other. Leaves a clean tree.
expect() {
    cases=$((cases + 1))
    if check; then
        echo "not found: $1: $2"
        failed=1
    elif ! grep -qF "$1: $2" "$scratch/out" || ! grep -q ', 1 violations$' "$scratch/out"; then
        echo "expected $1: $2, and nothing else; the checker said:"
        cat "$scratch/out"
        failed=1
    fi
    plant
}

# add FILE TEXT: appends to a file of the tree; $at is then FILE:LINE of the first line added.
add() {
    at=$1:$(($(wc -l <"$tree/$1") + 1))
    printf '%b\n' "$2" >>"$tree/$1"
}

plant
check || { echo "the clean tree is not clean:"; cat "$scratch/out"; exit 1; }

# Who includes whom.
add src/skinning/skinning.c '#include "bindpose/clip.h"'
expect "$at" 'src/skinning may not include bindpose/clip.h'
add src/math/math.c '#include "clip/clip_part.h"'
expect "$at" 'src/math may not include clip/clip_part.h'
add src/math/math.c '#include "../clip/clip_part.h"'
expect "$at" 'src/math may not include ../clip/clip_part.h'
add include/bindpose/math.h '#include <bindpose/skinning.h>'
expect "$at" 'src/math may not include bindpose/skinning.h'
add src/clip/clip.c '#include "bindpose/bindpose.h"'
expect "$at" 'src/clip may not include bindpose/bindpose.h'
add src/clip/clip.c '#include <meshoptimizer.h>'
expect "$at" 'src/clip may not include <meshoptimizer.h>'
add cli/cmd_info.c '#include "base/base_part.h"'
expect "$at" 'cli may not include base/base_part.h'
add tests/conformance/test_models.c '#include "base/base_part.h"'
expect "$at" 'tests may not include base/base_part.h'
add src/clip/clip.c '#include "clip/clip_gone.h"'
expect "$at" 'include of clip/clip_gone.h, which is nowhere'
put web/web_page.c <<EOF
#include "bindpose/clip.h"
EOF
expect web/web_page.c:3 'its folder is not in the table'
# Rows of the table that are gone.
sed -i '/^| .src.clip. |/d' "$tree/docs/architecture.md"
check || true
grep -qF 'src/clip/clip.c:5: its folder is not in the table' "$scratch/out" ||
    { echo "a missing row is not found"; failed=1; }
plant

# Names of files and folders.
mkdir "$tree/src/clip/deep"
expect src/clip/deep/:1 'folders of src do not nest'
mkdir "$tree/tools" "$tree/tools/utils"
expect tools/utils/:1 'utils says nothing'
put src/clip/sample.c </dev/null
expect src/clip/sample.c:1 'the name of a file in this folder starts with clip(_|\.)'
put cli/info.c </dev/null
expect cli/info.c:1 'the name of a file in this folder starts with (cli|cmd)(_|\.)'
put tests/robust/files.c </dev/null
expect tests/robust/files.c:1 'the name of a file in this folder starts with test_'
put tests/kernels/test_clip.c </dev/null
expect tests/unit/test_clip.c:1 'there is also tests/kernels/test_clip.c'
rm "$tree/tests/unit/test_clip.c"
expect src/clip/:1 'the module has no tests/unit/test_clip.c'

# Prefixes.
add src/clip/clip.c 'int sample(void);'
expect "$at" 'sample does not start with bp_ or bpi_'
add src/clip/clip.c 'const float *table[4] = {0};'
expect "$at" 'table does not start with bp_ or bpi_'
add src/clip/clip_part.h 'struct key { int a; };'
expect "$at" 'key does not start with bp_ or bpi_'
add src/clip/clip_part.h 'typedef int (*visitor)(void *user);'
expect "$at" 'visitor does not start with bp_ or bpi_'
add include/bindpose/clip.h 'int bpi_clip(void);'
expect "$at" 'bpi_clip does not start with bp_'
add include/bindpose/clip.h '#define LENGTH 3'
expect "$at" 'macro LENGTH does not start with BP_'
add include/bindpose/clip.h 'typedef enum bp_e {\n    WRONG,\n} bp_e;'
expect include/bindpose/clip.h:19 'enumerator WRONG does not start with BP_'

# Text.
add src/clip/clip.c '\tint a;'
expect "$at" tab
add src/clip/clip.c '// trailing '
expect "$at" 'trailing blank'
add src/clip/clip.c '// a\0342\0200\0213b'
expect "$at" 'invisible character'
add src/clip/clip.c '// end\c'
expect "$at" 'no newline at the end of the file'
add src/clip/clip.c "// $(printf '%098d' 0)"
expect "$at" 'longer than 100 columns'
add docs/architecture.md "TO""DO"
expect "$at" 'unfinished: TO''DO'
add src/clip/clip.c '// see /''home/someone'
expect "$at" 'path of one machine: /''home/'
sed -i 1d "$tree/cli/cmd_info.c"
expect cli/cmd_info.c:1 'no banner'
put tests/support/run.mjs </dev/null
sed -i 2d "$tree/tests/support/run.mjs"
expect tests/support/run.mjs:1 'no banner'
sed -i 's/2026 the/2026 a/' "$tree/include/bindpose/clip.h"
expect include/bindpose/clip.h:1 'no banner'
sed -i '1,2s,^/\* \(.*\) \*/$,// \1,' "$tree/include/bindpose/clip.h"
expect include/bindpose/clip.h:1 'a public header starts with /* */ comments'

# Sizes.
yes '// more' | head -n 800 >>"$tree/src/clip/clip.c"
expect src/clip/clip.c:1 'more than 800 lines'
add src/clip/clip.c "int bp_clip_long(void) {$(yes '\n    ;' | head -n 61 | tr -d '\n')\n}"
check || { echo "a warning counts as a violation"; failed=1; }
grep -qF "$at: warning: bp_clip_long has 61 lines" "$scratch/out" ||
    { echo "a function that is too long is not found"; failed=1; }

echo "$((cases + 2)) planted violations tried"
exit $failed
