# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A file with nothing in it is a file.

set -eu

echo '{"asset":{"version":"2.0"}}' >empty.gltf
"$BINDPOSE" info empty.gltf
"$BINDPOSE" info empty.gltf --tree
"$BINDPOSE" info empty.gltf --json
"$BINDPOSE" pose empty.gltf
"$BINDPOSE" pose empty.gltf --quiet -o empty.glb
"$BINDPOSE" info empty.glb | head -n 2
