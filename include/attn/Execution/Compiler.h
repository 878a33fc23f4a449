//===- Compiler.h - A graph through the stages of the compiler --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What attn-compile and attn-run share: read a graph, find its entry, and take
/// it to the LLVM dialect stage by stage.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_COMPILER_H
#define ATTN_EXECUTION_COMPILER_H

#include "attn/Execution/Signature.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/CPU/CPUTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

struct CompilerOptions {
  CPUTarget target;
  /// Recover the meaning of the graph first; without it the graph is lowered as
  /// it is.
  bool raise = true;
  /// Finite numbers stand for masks only where no logit tells the difference.
  bool exactMasks = false;
  /// Without it, loops are as plain as they come: the yardstick of the tests.
  bool vectorize = true;
  /// Number of threads of parallel code; 0 leaves it to the OpenMP runtime.
  unsigned threads = 0;
};

/// Registers all that a graph and its lowering need.
void registerCompilerDialects(DialectRegistry &registry);

/// Called after each stage with its time in seconds.
using StageObserver =
    llvm::function_ref<llvm::Error(const CPUStage &stage, double seconds)>;

/// Reads a graph, as text or bytecode, from a file or from `-`. The diagnostics
/// of the parser go to the context; the error only says that there were some.
llvm::Expected<OwningOpRef<ModuleOp>> parseGraph(StringRef path,
                                                 MLIRContext *context);

/// Finds the function `entry`, drops what it does not call, and returns its
/// signature.
llvm::Expected<Signature> prepareEntry(ModuleOp module, StringRef entry);

/// Runs the stages up to `lastStage`, or all of them if it is empty. One that
/// the options leave out counts as run.
llvm::Error runStages(ModuleOp module, const CompilerOptions &options,
                      StageObserver observer, StringRef lastStage = "");

} // namespace mlir::attn

#endif // ATTN_EXECUTION_COMPILER_H
