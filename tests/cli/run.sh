#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Runs test cases of the program.
#
#   run.sh [--update] [--program PATH] [NAME...]
#
# A case is a shell script NAME.sh in this folder. It runs in an empty scratch folder with
#   BINDPOSE  the program's path (default: build/release/bindpose)
#   SOURCE    the root of the repository
# and is held to the files beside it, where there are such:
#   NAME.stdout, NAME.stderr   the exact output; a * in a line stands for any text within that line
#   NAME.exit                  the exit status of the script; 0 where the file is absent
#
# --update rewrites those that no longer match (and makes them for a case that has none): read the
# diff before committing it. Without NAME, all cases run.

set -eu

cases=$(cd "$(dirname "$0")" && pwd)
SOURCE=$(cd "$cases/../.." && pwd)
BINDPOSE=${BINDPOSE:-$SOURCE/build/release/bindpose}
update=false
while [ $# -gt 0 ]; do
    case $1 in
        --update) update=true ;;
        --program) BINDPOSE=$2; shift ;;
        -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
        *) break ;;
    esac
    shift
done
case $BINDPOSE in
    /*) ;;
    *) BINDPOSE=$(pwd)/$BINDPOSE ;;
esac
export BINDPOSE SOURCE

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

# matches EXPECTED ACTUAL: line by line, with * in EXPECTED as a wildcard.
matches() {
    cmp -s "$1" "$2" || perl -e '
        my ($expected, $actual) = map { local $/; open my $f, "<", $_ or die; <$f> // "" } @ARGV;
        my $pattern = join "[^\n]*", map { quotemeta } split /\*/, $expected, -1;
        exit($actual !~ /\A$pattern\z/);' "$1" "$2"
}

# check NAME.WHAT ACTUAL: compares, shows the difference, or updates.
check() {
    if [ -e "$cases/$1" ] && matches "$cases/$1" "$2"; then
        return 0
    elif $update; then
        echo "updated $1"
        cp "$2" "$cases/$1"
    else
        diff -u --label "$1 (expected)" --label "$1 (actual)" "$cases/$1" "$2" && return 0
        return 1
    fi
}

# run NAME: one case.
run() {
    mkdir -p "$scratch/$1/cwd"
    status=0
    (cd "$scratch/$1/cwd" && exec sh "$cases/$1.sh") \
        >"$scratch/$1/stdout" 2>"$scratch/$1/stderr" </dev/null || status=$?
    echo "$status" >"$scratch/$1/exit"
    [ "$status" != 77 ] || { cat "$scratch/$1/stdout"; return 77; }

    new=$update
    for what in stdout stderr exit; do
        [ ! -e "$cases/$1.$what" ] || new=false
    done
    failed=0
    for what in exit stderr stdout; do
        if [ -e "$cases/$1.$what" ]; then
            check "$1.$what" "$scratch/$1/$what" || failed=1
        elif [ "$what" = exit ]; then
            if $update && [ "$status" != 0 ]; then
                check "$1.exit" "$scratch/$1/exit"
            elif [ "$status" != 0 ]; then
                echo "$1: exit status $status, expected 0"
                failed=1
            fi
        elif $new && [ -s "$scratch/$1/$what" ]; then
            check "$1.$what" "$scratch/$1/$what"
        fi
    done
    if [ $failed != 0 ]; then
        echo "--- stderr of $1:"
        cat "$scratch/$1/stderr"
    fi
    return $failed
}

if [ $# = 0 ]; then
    for file in "$cases"/*.sh; do
        name=$(basename "$file" .sh)
        [ "$name" = run ] || set -- "$@" "$name"
    done
fi
result=0
for name; do
    outcome=0
    run "$name" || outcome=$?
    case $outcome in
        0) echo "passed $name" ;;
        77) echo "skipped $name"; [ $# != 1 ] || exit 77 ;;
        *) echo "FAILED $name"; result=1 ;;
    esac
done
exit $result
