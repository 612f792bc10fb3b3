# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The same bytes by any instruction set and any number of threads: a mesh of 40,000 vertices, enough
# for several threads, that three joints and a morph target move.

set -eu

perl -e '
    my ($count, @numbers) = (40000);
    push @numbers, map {; sin($_ * 0.37), $_ / 20000, cos($_ * 0.73) } 1 .. $count;  # positions
    push @numbers, map {; 0.6, 0, 0.8 } 1 .. $count;                                # normals
    push @numbers, map {; 0.8, 0, -0.6, 1 } 1 .. $count;                            # tangents
    push @numbers, map {; my $w = $_ % 7 / 7; $w, 1 - $w, 0, 0 } 1 .. $count;       # weights
    push @numbers, map {; 0, sin($_ * 0.11), 0 } 1 .. $count;                       # target
    push @numbers, 0, 1, 0, 0, 0, 1, 0.6, 0, 0, 0.8;                               # times, keys
    binmode STDOUT;
    print pack "(f<)*", @numbers;
    print pack "C*", map {; $_ % 3, ($_ + 1) % 3, 0, 0 } 1 .. $count;               # joints
' >strip.bin
accessor() {
    printf '{"bufferView":%d,"componentType":%d,"count":%d,"type":"%s"%s},' "$@"
}
{
    echo '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,3]}],"nodes":[{"children":[1]},
      {"children":[2],"translation":[0,1,0],"scale":[1,2,0.5]},{"translation":[0,1,0]},
      {"mesh":0,"skin":0}],"skins":[{"joints":[0,1,2]}],
     "meshes":[{"weights":[0.5],"primitives":[{"mode":0,"targets":[{"POSITION":4}],"attributes":
      {"POSITION":0,"NORMAL":1,"TANGENT":2,"WEIGHTS_0":3,"JOINTS_0":7}}]}],
     "animations":[{"samplers":[{"input":5,"output":6}],
      "channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}]}],"accessors":['
    bounds=',"min":[-1,0,-1],"max":[1,2,1]'
    accessor 0 5126 40000 VEC3 "$bounds"
    accessor 1 5126 40000 VEC3 ''
    accessor 2 5126 40000 VEC4 ''
    accessor 3 5126 40000 VEC4 ''
    accessor 4 5126 40000 VEC3 "$bounds"
    accessor 5 5126 2 SCALAR ',"min":[0],"max":[1]'
    accessor 6 5126 2 VEC4 ''
    accessor 7 5121 40000 VEC4 '' | sed 's/,$//'
    echo '],"buffers":[{"uri":"strip.bin","byteLength":2880040}],"bufferViews":['
    first=0
    for size in 480000 480000 640000 640000 480000 8 32; do
        echo "{\"buffer\":0,\"byteOffset\":$first,\"byteLength\":$size},"
        first=$((first + size))
    done
    echo "{\"buffer\":0,\"byteOffset\":$first,\"byteLength\":160000}]}"
} >strip.gltf

pose() {
    "$BINDPOSE" pose strip.gltf --clip 0 --time 0.3 "$@"
}

pose --cpu scalar --threads 1 -o one.json
tr ',' '\n' <one.json | wc -l
for cpu in scalar sse2 avx2 neon simd128; do
    # What this machine has not is refused.
    if "$BINDPOSE" info strip.gltf --cpu $cpu >info.txt 2>error.txt; then
        for threads in 1 2 3 7; do
            pose --cpu $cpu --threads $threads | cmp - one.json
        done
    else
        grep -q 'none of' error.txt
    fi
done
pose | cmp - one.json
