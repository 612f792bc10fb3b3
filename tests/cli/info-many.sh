# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# One mesh of many primitives, drawn often, by two skins of many joints: each is looked at once. The
# time would be minutes if every instance looked at all of them.

set -eu

awk 'BEGIN {
    printf "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
    for (i = 0; i < 4000; i++) printf "{\"mesh\":0,\"skin\":%d},", i % 2
    printf "{}],\"skins\":[{\"joints\":[0"
    for (i = 1; i < 4000; i++) printf ",%d", i
    printf "]},{\"joints\":[0"
    for (i = 1; i < 3000; i++) printf ",%d", i
    printf "]}],\"meshes\":[{\"primitives\":["
    for (i = 0; i < 1000; i++)
        printf "%s{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}", i ? "," : ""
    print "]}],\"accessors\":["
    print "{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
    print "{\"bufferView\":0,\"componentType\":5123,\"count\":1,\"type\":\"VEC4\"},"
    print "{\"bufferView\":1,\"componentType\":5126,\"count\":1,\"type\":\"VEC4\"}],"
    print "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},"
    print "{\"buffer\":0,\"byteOffset\":8,\"byteLength\":16}],"
    print "\"buffers\":[{\"byteLength\":24,\"uri\":\"many.bin\"}]}"
}' >many.gltf
perl -e 'print pack "v4 f<4", 2999, 7, 0, 0, 0.5, 0.5, 0, 0' >many.bin
ulimit -t 20
"$BINDPOSE" info many.gltf | sed -n '/^skins/,/^$/p'
"$BINDPOSE" info many.gltf --json | grep -o '"instances":[0-9]*,"unused_joints":[0-9]*'
