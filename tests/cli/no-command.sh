# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# Without a command there is nothing to do: the short help goes to stderr.

"$BINDPOSE"
