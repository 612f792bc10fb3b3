#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The library as its users take it in: package_main.c is built against an installed copy, by CMake
# and by pkg-config, and with the source tree as a subdirectory; each result runs.
#
#   package.sh CMAKE BUILD
#
# BUILD is a finished build, from which generator, compiler and flags are taken too. The installed
# tree is moved once before use: it must not remember where it was put.

set -eu

cmake=$1 build=$2
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cc=$(cached CMAKE_C_COMPILER)
cflags=$(cached CMAKE_C_FLAGS)
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

step() { echo "-- $*"; }

# configure_and_run FOLDER OPTION...
configure_and_run() {
    folder=$scratch/$1
    shift
    "$cmake" -S "$here" -B "$folder" -G "$(cached CMAKE_GENERATOR)" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_C_FLAGS="$cflags" -DCMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)" "$@"
    "$cmake" --build "$folder"
    "$folder/package_main"
}

step "install"
"$cmake" --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix"
libdir=$(dirname "$(find "$scratch/prefix" -name 'libbindpose.*' | head -n 1)")
export LD_LIBRARY_PATH="$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

step "the installed program"
"$scratch/prefix/bin/bindpose" --help >/dev/null

step "find_package"
configure_and_run find -DCMAKE_PREFIX_PATH="$scratch/prefix"

step "pkg-config"
export PKG_CONFIG_PATH="$libdir/pkgconfig"
static=--static
[ -e "$libdir/libbindpose.a" ] || static=
# The flags are lists of words.
# shellcheck disable=SC2046,SC2086
"$cc" $cflags $(pkg-config --cflags bindpose) "$here/package_main.c" -o "$scratch/package_main" \
    $(pkg-config $static --libs bindpose)
"$scratch/package_main"

step "add_subdirectory"
# In the kind of build that turns asserts off: what only they use must not be left over.
configure_and_run subdirectory -DBINDPOSE_SOURCE="$source" -DCMAKE_BUILD_TYPE=Release \
    -DBINDPOSE_WERROR="$(cached BINDPOSE_WERROR)"

# A shared library without the optional component keeps the promise: libc alone.
if [ "$static$(cached BINDPOSE_DRACO)" = OFF ]; then
    step "libc alone"
    needed=$(readelf -d "$libdir/libbindpose.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
    case $needed in
        libc.so.*) ;;
        *) echo "libbindpose.so needs: $needed"; exit 1 ;;
    esac
fi
