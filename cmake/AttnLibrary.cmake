# Headers of MLIR that most files include, parsed once: a build takes a third of
# the time.
option(ATTN_PRECOMPILED_HEADERS "precompile the most used headers of MLIR" ON)
if(ATTN_PRECOMPILED_HEADERS)
  file(WRITE ${CMAKE_BINARY_DIR}/AttnPrecompiled.cpp "")
  add_library(AttnPrecompiled STATIC ${CMAKE_BINARY_DIR}/AttnPrecompiled.cpp)
  target_include_directories(AttnPrecompiled SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_precompile_headers(AttnPrecompiled PRIVATE
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>)
endif()

# What is installed finds the shared libMLIR where it was linked from.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# attn_install_library(NAME): installs a library as a part of the CMake package,
# with the headers of the project as its interface.
function(attn_install_library name)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  install(TARGETS ${name} EXPORT AttnMLIRTargets
    ARCHIVE DESTINATION lib
    LIBRARY DESTINATION lib)
endfunction()

# attn_add_library(NAME source... [DEPENDS target...] [LINK_LIBS library...])
#
# One static library for one folder of lib/. It links the shared libMLIR once,
# whatever else it links.
function(attn_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ATTN_PRECOMPILED_HEADERS)
    target_precompile_headers(${name} REUSE_FROM AttnPrecompiled)
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  attn_install_library(${name})
endfunction()

# attn_add_tool(NAME source... [INSTALL] [LINK_LIBS library...])
#
# With INSTALL it is a part of the CMake package.
function(attn_add_tool name)
  cmake_parse_arguments(ARG "INSTALL" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  if(ARG_INSTALL)
    install(TARGETS ${name} EXPORT AttnMLIRTargets RUNTIME DESTINATION bin)
  endif()
endfunction()
