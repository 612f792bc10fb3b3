# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# An interrupted sequence leaves whole frames and no temporary file, whichever signal it is, and be
# it for a message that nobody reads.

interrupt() {
    "$BINDPOSE" pose "$SOURCE/assets/walker.glb" --clip walk --loop --frames 0:9999:100 \
        -o 'f%d.obj' &
    program=$!
    while [ ! -e f3.obj ]; do
        kill -0 $program || exit 1
        sleep 0.05
    done
    kill -"$1" $program
    wait $program 2>/dev/null # the shell says so too
    echo "$1: exit $?"
    ls -A | grep -v '^f[0-9]*\.obj$'
    for frame in f*.obj; do
        tail -n 1 "$frame" | grep -q '^f [0-9/]* [0-9/]* [0-9/]*$' || echo "$frame is cut"
    done
    rm f*.obj
}

for signal in TERM HUP ALRM USR1 USR2 XCPU; do
    interrupt $signal
done

echo '{"asset":{"version":"2.0"},"nodes":[{"mesh":0,"scale":[3e38,1,1]}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],
 "bufferViews":[{"buffer":0,"byteLength":12}],"buffers":[{"uri":"two.bin","byteLength":12}]}' \
    >large.gltf
perl -e 'print pack "f<*", 2, 0, 0' >two.bin
perl -e 'pipe my $read, my $write; close $read; open STDERR, ">&", $write; exec @ARGV' \
    "$BINDPOSE" pose large.gltf -o x.obj
echo "PIPE: exit $?"
ls -A
