//===- AttnPlugin.cpp - Plugin for stock mlir-opt ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The entry points of the dialect and pass plugin. The dialect entry registers
/// the passes too, so that one --load-dialect-plugin is enough; the parser
/// needs the dialect before any pass plugin is asked for one.
///
//===----------------------------------------------------------------------===//

#include "attn/InitAll.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "attn", ATTN_VERSION,
          [](DialectRegistry *registry) {
            attn::registerAllAttnDialects(*registry);
            attn::registerAllAttnPasses();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "attn", ATTN_VERSION,
          []() { attn::registerAllAttnPasses(); }};
}
