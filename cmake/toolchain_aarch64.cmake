# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# AArch64 Linux, by the cross compiler and the emulator that Debian packages.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
