# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# An interrupted sequence leaves whole frames and no temporary file.

"$BINDPOSE" pose "$SOURCE/assets/walker.glb" --clip walk --loop --frames 0:9999:100 -o 'f%d.obj' &
program=$!
while [ ! -e f3.obj ]; do
    kill -0 $program || exit 1
    sleep 0.05
done
kill -TERM $program
wait $program 2>/dev/null # the shell says so too
echo "exit $?"
ls -A | grep -v '^f[0-9]*\.obj$'
for frame in f*.obj; do
    tail -n 1 "$frame" | grep -q '^f [0-9/]* [0-9/]* [0-9/]*$' || echo "$frame is cut"
done
