# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# The optional components: libraries that decode compressed vertex data. Without them the runtime
# needs libc alone, no C++ compiler is looked for, and a file that needs one gets an error that
# names it. Each option is ON (fail when it is missing), OFF, or AUTO (use what is there).
#
# Sets bindpose_meshopt and bindpose_draco to ON or OFF; where Draco is on, enables C++ and sets
# bindpose_cxx_runtime to the libraries of its runtime.

foreach(component MESHOPT DRACO)
    set(BINDPOSE_${component} AUTO CACHE STRING "Decode with the optional component: AUTO, ON, OFF")
    set_property(CACHE BINDPOSE_${component} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# What find_package would find is the build machine's own: of no use to a cross build, nor to a
# 32-bit build on a 64-bit machine.
set(auto_components ON)
if(CMAKE_CROSSCOMPILING OR CMAKE_SIZEOF_VOID_P EQUAL 4)
    set(auto_components OFF)
endif()

set(bindpose_meshopt OFF)
if(BINDPOSE_MESHOPT STREQUAL "AUTO")
    if(auto_components)
        find_package(meshoptimizer CONFIG QUIET)
        if(meshoptimizer_FOUND)
            set(bindpose_meshopt ON)
        endif()
    endif()
elseif(BINDPOSE_MESHOPT)
    find_package(meshoptimizer CONFIG REQUIRED)
    set(bindpose_meshopt ON)
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

message(STATUS "bindpose ${PROJECT_VERSION}: meshopt ${bindpose_meshopt}, draco ${bindpose_draco}")
