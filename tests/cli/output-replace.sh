# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# An existing output is replaced as a whole: its mode stays, and a link still leads to it.

set -eu

arm=$SOURCE/assets/arm.glb
umask 027
echo before >target.obj
chmod 604 target.obj
ln -s target.obj link.obj
"$BINDPOSE" pose "$arm" -o link.obj
"$BINDPOSE" pose "$arm" -o new.obj
[ -L link.obj ] && echo "still a link"
cmp target.obj new.obj
cp "$arm" itself.glb
"$BINDPOSE" pose itself.glb -o itself.glb
"$BINDPOSE" info itself.glb | head -n 2
ls -lA | awk 'NR > 1 {print substr($1, 1, 10), $9}'
