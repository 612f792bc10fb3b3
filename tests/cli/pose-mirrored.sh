# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# A mirrored rigid mesh shows the other side of its triangles, so they are written the other way
# round (glTF 2.0, 3.7.4).

set -eu

sed 's/"translation":.10,0,0./&,"scale":[-1,1,1]/' "$SOURCE/tests/cli/slide.gltf" >mirrored.gltf
"$BINDPOSE" pose mirrored.gltf --format obj
"$BINDPOSE" pose mirrored.gltf --format ply | tail -c 13 | od -An -v -tx1 | sed 's/^ //'
"$BINDPOSE" pose mirrored.gltf -o mirrored.glb
"$BINDPOSE" pose mirrored.glb --format obj | grep '^f'
