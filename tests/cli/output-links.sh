# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A link as output: what it leads to is written, be it there already or not. And names that are too
# long for a file.

arm=$SOURCE/assets/arm.glb
mkdir folder
ln -s folder/new.obj dangling.obj
ln -s ../dangling.obj folder/second.obj
"$BINDPOSE" pose "$arm" -o folder/second.obj
echo "exit $?"
ls -l folder/new.obj dangling.obj folder/second.obj | cut -c 1

ln -s round.obj loop.obj
ln -s loop.obj round.obj
"$BINDPOSE" pose "$arm" -o loop.obj
echo "exit $?"
ln -s nowhere/x.obj lost.obj
"$BINDPOSE" pose "$arm" -o lost.obj
echo "exit $?"
ls -A . folder

long=$(printf '%05000d' 0)
"$BINDPOSE" pose "$arm" -o "$long.obj"
echo "exit $?"
"$BINDPOSE" pose "$arm" --clip bend --frames 0:1:30 -o "$long%d.obj"
echo "exit $?"
