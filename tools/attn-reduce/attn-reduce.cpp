//===- attn-reduce.cpp - Reduce programs with attn ops ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MLIR's reducer with the dialects of attn-opt and with reductions of attn
/// ops: finds a small program that still shows what a script looks for.
///
//===----------------------------------------------------------------------===//

#include "ReductionPatterns.h"
#include "attn/InitAll.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // For opt-reduction-pass, which runs passes by name.
  registerAllPasses();
  attn::registerAllAttnDialects(registry);
  attn::registerAllAttnPasses();
  attn::registerReductionPatterns(registry);
  MLIRContext context(registry);
  // Upstream says nothing about a test that does not want the program.
  bool sawError = false;
  ScopedDiagnosticHandler watch(&context, [&](Diagnostic &diagnostic) {
    sawError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // for the next handler
  });
  if (succeeded(mlirReduceMain(argc, argv, context)))
    return 0;
  if (!sawError)
    llvm::errs() << "attn-reduce: error: nothing was reduced; expects a "
                    "program for which the test exits with 1\n";
  return 1;
}
