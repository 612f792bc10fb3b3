# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The optional component: Draco, a C++ library that decodes compressed meshes. Without it the
# runtime needs libc alone, no C++ compiler is looked for, and a file that needs it gets an error
# that says so. The option is ON (fail when it is missing), OFF, or AUTO (use what is there).
#
# Sets bindpose_draco to ON or OFF; where it is on, enables C++ and sets bindpose_cxx_runtime to the
# libraries of its runtime.

set(BINDPOSE_DRACO AUTO CACHE STRING "Decode KHR_draco_mesh_compression: AUTO, ON, OFF")
set_property(CACHE BINDPOSE_DRACO PROPERTY STRINGS AUTO ON OFF)

# What find_package would find is the build machine's own: of no use to a cross build, nor to a
# 32-bit build on a 64-bit machine.
set(auto_components ON)
if(CMAKE_CROSSCOMPILING OR CMAKE_SIZEOF_VOID_P EQUAL 4)
    set(auto_components OFF)
endif()

# Draco's interface is C++. AUTO leaves it out where bindpose is part of a project that has not
# enabled C++ itself.
set(bindpose_draco OFF)
if(BINDPOSE_DRACO STREQUAL "AUTO")
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(auto_components AND PROJECT_IS_TOP_LEVEL)
        include(CheckLanguage)
        check_language(CXX)
    endif()
    if(auto_components AND (CMAKE_CXX_COMPILER OR CXX IN_LIST languages))
        find_package(draco CONFIG QUIET)
        if(draco_FOUND)
            set(bindpose_draco ON)
        endif()
    endif()
elseif(BINDPOSE_DRACO)
    find_package(draco CONFIG REQUIRED)
    set(bindpose_draco ON)
endif()

# The users of a static libbindpose write C and link with a C compiler, which does not know that
# there is C++ inside: so the C++ runtime is named among the libraries to link.
set(bindpose_cxx_runtime)
if(bindpose_draco)
    enable_language(CXX)
    set(bindpose_cxx_runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
    list(REMOVE_ITEM bindpose_cxx_runtime ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
    list(REMOVE_DUPLICATES bindpose_cxx_runtime)
endif()

message(STATUS "bindpose ${PROJECT_VERSION}: draco ${bindpose_draco}")
