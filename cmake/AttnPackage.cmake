# The CMake package AttnMLIR, for the install tree and for the build tree:
#   find_package(AttnMLIR REQUIRED CONFIG)
include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/AttnMLIR)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/attn DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/attn DESTINATION include
  FILES_MATCHING PATTERN "*.inc" PATTERN CMakeFiles EXCLUDE)
install(EXPORT AttnMLIRTargets DESTINATION ${package_dir})
export(EXPORT AttnMLIRTargets
  FILE ${PROJECT_BINARY_DIR}/${package_dir}/AttnMLIRTargets.cmake)

# attn_configure_package(OUTPUT [option...]): writes an AttnMLIRConfig.cmake that
# finds headers and .td files in `include_dirs`.
function(attn_configure_package output)
  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/AttnMLIRConfig.cmake.in ${output}
    INSTALL_DESTINATION ${package_dir}
    NO_CHECK_REQUIRED_COMPONENTS_MACRO
    ${ARGN})
endfunction()

set(include_dirs "\${PACKAGE_PREFIX_DIR}/include")
attn_configure_package(${PROJECT_BINARY_DIR}/cmake/AttnMLIRConfig.cmake)
list(APPEND include_dirs "${PROJECT_SOURCE_DIR}/include")
attn_configure_package(
  ${PROJECT_BINARY_DIR}/${package_dir}/AttnMLIRConfig.cmake
  INSTALL_PREFIX ${PROJECT_BINARY_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/${package_dir}/AttnMLIRConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/cmake/AttnMLIRConfig.cmake
        ${PROJECT_BINARY_DIR}/${package_dir}/AttnMLIRConfigVersion.cmake
  DESTINATION ${package_dir})
