# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Standard streams by other names, and standard streams that are closed.

arm=$SOURCE/assets/arm.glb
[ -e /dev/fd/1 ] || { echo "skipped: no /dev/fd"; exit 77; }

echo "---- what the shell has opened stays that file, and is added to"
echo before >log.txt
"$BINDPOSE" pose "$arm" --format obj -o /dev/stdout >>log.txt
"$BINDPOSE" pose "$arm" --format obj -o /dev/fd/1 >>log.txt
grep -n -e before -e '^#' log.txt | sed 's/#.*/#/'
{
    echo before >&3
    "$BINDPOSE" pose "$arm" --format obj -o /dev/fd/3
    echo after >&3
} 3>log.txt
sed -n '1p;2s/#.*/#/p;$p' log.txt
ln -s /dev/stdout link.obj
"$BINDPOSE" pose "$arm" -o link.obj | head -n 1 | cut -c 1
[ -L link.obj ] && echo "still a link"
"$BINDPOSE" pose "$arm" --format obj -o /dev/fd/9
echo "exit $?"
rm link.obj log.txt

echo "---- closed"
"$BINDPOSE" pose "$arm" >&-
echo "exit $?"
"$BINDPOSE" pose "$arm" -o x.obj >&-
echo "exit $?"
"$BINDPOSE" pose "$arm" --clip none -o y.obj 2>&-
echo "exit $?"
"$BINDPOSE" pose "$arm" --time 1 -o y.obj 2>&- >&- <&-
echo "exit $?"
cmp x.obj y.obj
"$BINDPOSE" info - <&-
echo "exit $?"
ls -A
