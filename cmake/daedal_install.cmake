# The installed package: headers, library, program, and a CMake package for find_package(daedal).
include(CMakePackageConfigHelpers)

# Sanitizer builds are for tests; installing one would burden every consumer with its runtime.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/daedal)
install(DIRECTORY include/daedal DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS daedal EXPORT daedal_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET daedal_llvm)
  install(TARGETS daedal_llvm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})  # where jit/compiler.cpp looks for it
endif()
install(TARGETS daedal_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT daedal_targets FILE daedal-targets.cmake NAMESPACE daedal:: DESTINATION ${package_dir})
file(WRITE ${PROJECT_BINARY_DIR}/daedal-config.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/daedal-targets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/daedal-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/daedal-config.cmake ${PROJECT_BINARY_DIR}/daedal-config-version.cmake
        DESTINATION ${package_dir})

# For those who build without CMake. Paths follow from where the file is, so that an installation can be moved.
file(RELATIVE_PATH daedal_up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" daedal_up ${daedal_up})
file(WRITE ${PROJECT_BINARY_DIR}/daedal.pc "prefix=\${pcfiledir}/${daedal_up}

Name: ${PROJECT_NAME}
Description: ${PROJECT_DESCRIPTION}
Version: ${PROJECT_VERSION}
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
Libs: -L\${prefix}/${CMAKE_INSTALL_LIBDIR} -ldaedal
")
install(FILES ${PROJECT_BINARY_DIR}/daedal.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
