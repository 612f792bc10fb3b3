# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# How each kind of target of this project is built. All of it is per target: see CMakeLists.txt.

# Flags of every C and C++ file that we own.
function(bindpose_flags target)
    set_target_properties(
        ${target}
        PROPERTIES C_STANDARD 11
                   C_STANDARD_REQUIRED ON
                   C_EXTENSIONS OFF
                   CXX_STANDARD 17
                   CXX_STANDARD_REQUIRED ON
                   CXX_EXTENSIONS OFF
                   C_VISIBILITY_PRESET hidden
                   CXX_VISIBILITY_PRESET hidden
                   VISIBILITY_INLINES_HIDDEN ON)
    if(MSVC)
        target_compile_options(${target} PRIVATE /W3 /fp:precise $<$<BOOL:${BINDPOSE_WERROR}>:/WX>)
        return()
    endif()
    target_compile_options(
        ${target}
        PRIVATE
            # The same bits everywhere: never fuse a multiply with an add (GCC does by default).
            # Nor any other liberty, which a project around this one may have taken for its own.
            -fno-fast-math
            -ffp-contract=off
            # sqrt is then one instruction instead of a call into libm for the sake of errno.
            -fno-math-errno
            -Wall
            -Wextra
            -Wshadow
            $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
            $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
            $<$<BOOL:${BINDPOSE_WERROR}>:-Werror>
            # Asserts stay on where there is debug information: CMake's default turns them off.
            $<$<CONFIG:RelWithDebInfo>:-UNDEBUG>)
    if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "86|AMD64")
        # The x87 unit rounds to 80 bits; SSE rounds every result to its type, as other machines do.
        target_compile_options(${target} PRIVATE -msse2 -mfpmath=sse)
    endif()
    if(BINDPOSE_BUILD_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        target_link_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# The library, from bindpose_sources; also used for the static twin that internal tests link.
function(bindpose_library target)
    bindpose_flags(${target})
    target_sources(${target} PRIVATE ${bindpose_sources} ${bindpose_headers})
    target_include_directories(
        ${target}
        PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
        PRIVATE "${PROJECT_SOURCE_DIR}/src")
    set_target_properties(
        ${target} PROPERTIES VERSION ${PROJECT_VERSION}
                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "SHARED_LIBRARY")
        target_compile_definitions(${target} PUBLIC BP_SHARED PRIVATE BP_BUILDING)
    endif()
    if(NOT BINDPOSE_SIMD)
        target_compile_definitions(${target} PRIVATE BP_NO_SIMD)
    endif()
    bindpose_add_kernels(${target})
    if(UNIX)
        # For unoptimised builds, in which the compiler calls sqrt; part of libc's package.
        target_link_libraries(${target} PRIVATE m)
    endif()
    if(bindpose_draco)
        target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src/gltf/gltf_draco.cpp")
        target_compile_definitions(${target} PRIVATE BP_HAVE_DRACO=1)
        target_link_libraries(${target} PRIVATE draco::draco ${bindpose_cxx_runtime})
    endif()
endfunction()

# bindpose_program(TARGET [GLOB] FILE...): a program over the public headers.
function(bindpose_program target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "GLOB" "" "")
    set(sources ${arg_UNPARSED_ARGUMENTS})
    if(arg_GLOB)
        file(GLOB sources CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
    endif()
    add_executable(${target} ${sources})
    bindpose_flags(${target})
    target_link_libraries(${target} PRIVATE bindpose::bindpose)
    if(UNIX)
        target_link_libraries(${target} PRIVATE m)
    endif()
endfunction()

# bindpose_programs(PREFIX FOLDER GLOB [FILE...]): one program for each file that GLOB finds, named
# after it, with PREFIX before the name where it does not start so, and linked with every FILE.
# bindpose_last_programs lists them afterwards.
function(bindpose_programs prefix folder glob)
    file(GLOB files CONFIGURE_DEPENDS ${glob})
    set(programs)
    foreach(file IN LISTS files)
        cmake_path(GET file STEM name)
        if(NOT name MATCHES "^${prefix}")
            string(PREPEND name "${prefix}")
        endif()
        bindpose_program(${name} ${file} ${ARGN})
        set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${folder}")
        list(APPEND programs ${name})
    endforeach()
    set(bindpose_last_programs ${programs} PARENT_SCOPE)
endfunction()
