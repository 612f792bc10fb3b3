# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The kernels that are compiled once for each instruction set, from the same files: sets of this
# build, and how to add them to a library. src/cpu/cpu_level.c chooses among them at run time.

file(GLOB bindpose_wide_sources CONFIGURE_DEPENDS src/cpu/cpu_wide_*.c)

set(bindpose_sets)
if(BINDPOSE_SIMD AND NOT MSVC)
    string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
    if(processor MATCHES "^(x86_64|amd64|x86|i[3-6]86)$")
        set(bindpose_sets sse2 avx2)
    elseif(processor MATCHES "^(aarch64|arm64)$")
        set(bindpose_sets neon)
    elseif(processor MATCHES "^wasm")
        set(bindpose_sets simd128)
    endif()
    if(bindpose_sets AND NOT "sse2" IN_LIST bindpose_sets)
        find_path(BINDPOSE_SIMDE_INCLUDE simde/x86/sse2.h
                  DOC "Folder of SIMDe's headers, for SIMD kernels on machines other than x86"
                  NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
        if(NOT BINDPOSE_SIMDE_INCLUDE)
            message(FATAL_ERROR "SIMD kernels for ${processor} need SIMDe's headers (Debian: "
                                "libsimde-dev); BINDPOSE_SIMD=OFF builds without such kernels")
        endif()
    endif()
endif()

set(bindpose_flags_avx2 -mavx2)
set(bindpose_flags_simd128 -msimd128)

# Adds the kernels of every set to a library.
function(bindpose_add_kernels target)
    foreach(set IN LISTS bindpose_sets)
        set(kernels ${target}_${set})
        add_library(${kernels} OBJECT ${bindpose_wide_sources})
        bindpose_flags(${kernels})
        # -O3 unrolls what has a fixed small count, and that is how these are written.
        target_compile_options(
            ${kernels} PRIVATE ${bindpose_flags_${set}} $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
        target_compile_definitions(${kernels} PRIVATE BPI_SET=${set})
        target_include_directories(${kernels} PRIVATE "${PROJECT_SOURCE_DIR}/include"
                                                      "${PROJECT_SOURCE_DIR}/src")
        if(BINDPOSE_SIMDE_INCLUDE)
            target_include_directories(${kernels} SYSTEM PRIVATE "${BINDPOSE_SIMDE_INCLUDE}")
        endif()
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "SHARED_LIBRARY")
            set_target_properties(${kernels} PROPERTIES POSITION_INDEPENDENT_CODE ON)
            target_compile_definitions(${kernels} PRIVATE BP_SHARED BP_BUILDING)
        endif()
        string(TOUPPER ${set} name)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${kernels}>)
        target_compile_definitions(${target} PRIVATE BPI_HAVE_${name})
    endforeach()
endfunction()
