//===- attn-opt.cpp - Optimizer driver --------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// mlir-opt with everything that upstream has and everything of this project.
///
//===----------------------------------------------------------------------===//

#include "attn/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::attn::registerAllAttnDialects(registry);
  mlir::attn::registerAllAttnPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "attn-mlir modular optimizer driver\n", registry));
}
