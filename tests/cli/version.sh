# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

set -eu

"$BINDPOSE" --version
"$BINDPOSE" pose --version
