# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# What `cmake --install` puts down: headers, library, program, and the two descriptions that other
# builds read: a CMake package and a pkg-config file. Both are relocatable.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/bindpose")

install(
    TARGETS bindpose
    EXPORT bindpose-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES ${bindpose_headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bindpose")
if(BINDPOSE_BUILD_CLI)
    # A shared library is found beside the program, wherever both were installed.
    file(RELATIVE_PATH libdir_from_bindir "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(bindpose_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${libdir_from_bindir}")
    install(TARGETS bindpose_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(
    EXPORT bindpose-targets
    NAMESPACE bindpose::
    DESTINATION "${package_dir}")
configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/bindpose-config.cmake.in"
    "${PROJECT_BINARY_DIR}/bindpose-config.cmake"
    INSTALL_DESTINATION "${package_dir}"
    NO_SET_AND_CHECK_MACRO)
# Before 1.0 every minor version may break the API.
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/bindpose-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/bindpose-config.cmake"
              "${PROJECT_BINARY_DIR}/bindpose-config-version.cmake" DESTINATION "${package_dir}")

# pkg-config: the private lines are what a static link needs, and stay empty for a shared library.
set(pc_defines)
set(pc_requires_private)
set(pc_libs_private)
if(BUILD_SHARED_LIBS)
    set(pc_defines " -DBP_SHARED")
else()
    if(bindpose_draco)
        set(pc_requires_private "draco")
    endif()
    foreach(name IN LISTS bindpose_cxx_runtime)
        string(APPEND pc_libs_private " -l${name}")
    endforeach()
    if(UNIX AND NOT "m" IN_LIST bindpose_cxx_runtime)
        string(APPEND pc_libs_private " -lm")
    endif()
endif()
cmake_path(SET pc_dir NORMALIZE "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${pc_dir}" OUTPUT_VARIABLE pc_up)
set(pc_prefix "\${pcfiledir}/${pc_up}")
foreach(dir LIBDIR INCLUDEDIR)
    cmake_path(IS_ABSOLUTE CMAKE_INSTALL_${dir} absolute)
    set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    if(absolute)
        set(pc_${dir} "${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()
configure_file("${CMAKE_CURRENT_LIST_DIR}/bindpose.pc.in" "${PROJECT_BINARY_DIR}/bindpose.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/bindpose.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
