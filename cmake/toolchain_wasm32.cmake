# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# WebAssembly with SIMD over WASI, by clang and the libc that Debian packages; programs run in Node.

# CMake has no platform file for WASI.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr) # has include/wasm32-wasi and lib/wasm32-wasi
set(CMAKE_C_FLAGS_INIT -msimd128)
# The linker's default is 64 KiB. With the stack first, an overflow traps instead of overwriting.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=1048576,--stack-first")
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
set(CMAKE_CROSSCOMPILING_EMULATOR node "${CMAKE_CURRENT_LIST_DIR}/../tests/support/run_wasi.mjs")
