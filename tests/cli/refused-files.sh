# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A file that cannot be read is refused with its place: exit 2, one line, nothing on stdout and no
# output file.

refused() {
    status=0
    "$BINDPOSE" pose "$1" -o out.json || status=$?
    [ $status = 2 ] || echo "exit $status: $1"
    [ ! -e out.json ] || echo "$1 left an output"
}

refused nowhere.glb
mkdir folder
refused folder
: >empty.gltf
refused empty.gltf
echo '{"asset":{"version":"2.0"},' >cut.gltf
refused cut.gltf
head -c 1000 "$SOURCE/assets/arm.glb" >cut.glb
refused cut.glb
echo '{"asset":{"version":"2.0"},"nodes":[{"mesh":3}]}' >index.gltf
refused index.gltf
echo '{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"children":[0]}]}' >loop.gltf
refused loop.gltf
echo '{"asset":{"version":"2.0"},"extensionsRequired":["EXT_unheard_of"],
  "extensionsUsed":["EXT_unheard_of"]}' >extension.gltf
refused extension.gltf

"$BINDPOSE" info "$SOURCE/assets/arm.glb" --max-memory 1K
echo "exit $?"
"$BINDPOSE" info ''
mkfifo pipe
"$BINDPOSE" info pipe
"$BINDPOSE" info "$(printf '%03000d' 0)"
"$BINDPOSE" info "$(printf '%0500d\001' 0)"

echo "---- more than 4 GiB only where that much memory is allowed" >&2
truncate -s 5G big.bin
echo '{"asset":{"version":"2.0"},"buffers":[{"uri":"big.bin","byteLength":12}]}' >big.gltf
"$BINDPOSE" info big.gltf
"$BINDPOSE" info big.gltf --max-memory 6G | head -n 1
rm big.bin
ls -A
