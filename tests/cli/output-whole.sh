# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# An output is there whole or not at all.

arm=$SOURCE/assets/arm.glb
[ -c /dev/full ] || { echo "skipped: no /dev/full"; exit 77; }

echo "---- no space"
for command in "info $arm" "info $arm --json" "pose $arm" "explain $arm --vertex 0" 'pose --help' \
    --help --version; do
    # shellcheck disable=SC2086 # words
    "$BINDPOSE" $command >/dev/full
    echo "exit $?"
done
"$BINDPOSE" pose "$arm" --format glb -o /dev/full
echo "exit $?"
[ -c /dev/full ] && echo "/dev/full is still a device"
"$BINDPOSE" pose "$arm" --format glb -o /dev/null
echo "exit $?"

echo "---- an output that cannot be made, and what was there before"
echo before >kept.obj
"$BINDPOSE" pose "$arm" --clip none -o kept.obj
echo "exit $?"
"$BINDPOSE" pose "$arm" -o nowhere/x.obj
echo "exit $?"
mkdir folder.obj
"$BINDPOSE" pose "$arm" -o folder.obj
echo "exit $?"
(
    ulimit -f 8 # blocks of 512 bytes, fewer than it takes
    "$BINDPOSE" pose "$arm" -o kept.obj
)
echo "exit $?"
cat kept.obj
ls -A
