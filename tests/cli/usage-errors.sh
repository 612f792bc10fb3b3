# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# What cannot be meant: one line on stderr, exit 2, and no file is read.

try() {
    status=0
    "$BINDPOSE" "$@" || status=$?
    [ $status = 2 ] || echo "exit $status: $*"
}

try inof x.glb
try paint x.glb
try --verison
try pose
try pose a.glb b.glb
try pose x.glb --tme 3
try pose x.glb -Z
try pose x.glb --clip
try pose x.glb --loop=yes
for time in -1 nan inf 1e39 0x1 1s ' 1' ''; do
    try pose x.glb --clip 0 --time "$time"
done
try pose x.glb --format stl
try pose x.glb -o picture
try pose x.glb -o ''
try pose x.glb -o x.obj --joints
try pose x.glb --bind --clip 0
try pose x.glb --bind --time 1
try pose x.glb --bind --relative-to 0
try pose x.glb --loop
try pose x.glb --frames 0:1:30 -o 'x%d.obj'
try pose x.glb --clip 0 --frames 0:1 -o 'x%d.obj'
try pose x.glb --clip 0 --frames 0:1:0 -o 'x%d.obj'
try pose x.glb --clip 0 --frames 2:1:30 -o 'x%d.obj'
try pose x.glb --clip 0 --frames 0:100000:100 -o 'x%d.obj'
try pose x.glb --clip 0 --frames 0:1:30 --time 1 -o 'x%d.obj'
for pattern in x.obj - 'x%s.obj' 'x%n.obj' 'x%d-%d.obj' 'x%*d.obj' 'x%10d.obj' 'x%'; do
    try pose x.glb --clip 0 --frames 0:1:30 -o "$pattern"
done
try pose x.glb --max-memory lots
try pose x.glb --cpu mmx
try info x.glb --cpu ''
for threads in 0 -1 two 257; do
    try pose x.glb --threads $threads
done
try info x.glb --tree --json
try help paint
try explain x.glb
try explain x.glb --vertex -1
try explain x.glb --vertex 1 --mesh 0 --node 0
for seconds in 0 -1 nan 3601 soon; do
    try bench x.glb --seconds $seconds
done
try bench
try bench x.glb --time 1
