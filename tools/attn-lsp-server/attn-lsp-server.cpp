//===- attn-lsp-server.cpp - Language server for attn files -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MLIR's language server with the dialects of attn-opt: what an editor needs
/// to show errors, types and definitions of a .mlir file.
///
//===----------------------------------------------------------------------===//

#include "attn/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  attn::registerAllAttnDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
