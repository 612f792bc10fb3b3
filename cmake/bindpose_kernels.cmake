# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The kernels that are compiled once for each instruction set, from the same files: sets of this
# build, and how to add them to a library. src/cpu/cpu_level.c chooses among them at run time.

include(CheckCSourceCompiles)

file(GLOB bindpose_wide_sources CONFIGURE_DEPENDS src/cpu/cpu_wide_*.c)

# What the compiler compiles for, by its own word: names of processors and toolchains mislead.
function(bindpose_compiles_for result macros)
    check_c_source_compiles(
        "#if !(${macros})\n#error\n#endif\nint main(void) { return 0; }" ${result})
endfunction()

# Where SIMDe is, alone: a folder with other headers in it could hide those of a cross compiler.
function(bindpose_find_simde)
    find_path(BINDPOSE_SIMDE_INCLUDE simde/x86/sse2.h
              DOC "Folder of SIMDe's headers, for SIMD kernels on machines other than x86")
    if(NOT BINDPOSE_SIMDE_INCLUDE)
        find_path(BINDPOSE_SIMDE_INCLUDE simde/x86/sse2.h NO_CMAKE_FIND_ROOT_PATH
                  PATHS /usr/include)
    endif()
    if(BINDPOSE_SIMDE_INCLUDE)
        set(alone "${PROJECT_BINARY_DIR}/simde_headers")
        file(MAKE_DIRECTORY "${alone}")
        file(CREATE_LINK "${BINDPOSE_SIMDE_INCLUDE}/simde" "${alone}/simde" COPY_ON_ERROR SYMBOLIC)
        set(bindpose_simde_alone "${alone}" PARENT_SCOPE)
    endif()
endfunction()

set(bindpose_sets)
list(LENGTH CMAKE_OSX_ARCHITECTURES bindpose_slices) # several: no flag fits all of them
if(BINDPOSE_SIMD AND NOT MSVC AND bindpose_slices LESS 2)
    bindpose_compiles_for(BINDPOSE_FOR_X86 "defined(__x86_64__) || defined(__i386__)")
    bindpose_compiles_for(BINDPOSE_FOR_AARCH64 "defined(__aarch64__)")
    bindpose_compiles_for(BINDPOSE_FOR_WASM "defined(__wasm__)")
    if(BINDPOSE_FOR_X86)
        set(bindpose_sets sse2 avx2)
        if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
            set(bindpose_sets sse2) # GCC does not align 32-byte variables on Windows' stack
        endif()
    elseif(BINDPOSE_FOR_AARCH64 OR BINDPOSE_FOR_WASM)
        bindpose_find_simde()
        if(NOT bindpose_simde_alone)
            message(WARNING "bindpose: no SIMDe (Debian: libsimde-dev), so no SIMD kernels: the "
                            "scalar ones are several times slower. BINDPOSE_SIMD=OFF is silent")
        elseif(BINDPOSE_FOR_AARCH64)
            set(bindpose_sets neon)
        else()
            set(bindpose_sets simd128)
        endif()
    endif()
endif()
list(JOIN bindpose_sets " " bindpose_set_names)
message(STATUS "bindpose: kernels: scalar ${bindpose_set_names}")

set(bindpose_flags_avx2 -mavx2)
set(bindpose_flags_simd128 -msimd128)
set(bindpose_width_avx2 8)

# Adds the kernels of every set to a library.
function(bindpose_add_kernels target)
    foreach(set IN LISTS bindpose_sets)
        set(kernels ${target}_${set})
        add_library(${kernels} OBJECT ${bindpose_wide_sources})
        bindpose_flags(${kernels})
        # -O3 unrolls what has a fixed small count, and that is how these are written.
        target_compile_options(
            ${kernels} PRIVATE ${bindpose_flags_${set}} $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
        set(width 4)
        if(bindpose_width_${set})
            set(width ${bindpose_width_${set}})
        endif()
        target_compile_definitions(${kernels} PRIVATE BPI_SET=${set} BPI_WIDE=${width})
        target_include_directories(${kernels} PRIVATE "${PROJECT_SOURCE_DIR}/include"
                                                      "${PROJECT_SOURCE_DIR}/src")
        if(bindpose_simde_alone)
            target_include_directories(${kernels} SYSTEM PRIVATE "${bindpose_simde_alone}")
        endif()
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "SHARED_LIBRARY")
            set_target_properties(${kernels} PROPERTIES POSITION_INDEPENDENT_CODE ON)
            target_compile_definitions(${kernels} PRIVATE BP_SHARED BP_BUILDING)
        else()
            set_target_properties(
                ${kernels} PROPERTIES POSITION_INDEPENDENT_CODE
                                      $<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>)
        endif()
        string(TOUPPER ${set} name)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${kernels}>)
        target_compile_definitions(${target} PRIVATE BPI_HAVE_${name})
    endforeach()
endfunction()
