# The CMake package: find_package(gpuad) in an installed tree.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gpuad")
configure_package_config_file("${PROJECT_SOURCE_DIR}/tool/cmake/GpuadConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpuadConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuadConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

install(EXPORT gpuadTargets NAMESPACE gpuad:: DESTINATION "${package_folder}")
install(FILES "${PROJECT_BINARY_DIR}/gpuadConfig.cmake" "${PROJECT_BINARY_DIR}/gpuadConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/tool/cmake/GpuadTranslate.cmake"
        DESTINATION "${package_folder}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
