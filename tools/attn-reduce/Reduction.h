//===- Reduction.h - Reduction of programs ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs MLIR's reduction passes on programs that they can take, and what they
/// leave undone.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_REDUCE_REDUCTION_H
#define ATTN_TOOLS_ATTN_REDUCE_REDUCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::attn {

/// The script that a reduction pass runs.
struct ReductionTest {
  std::string script;
  std::vector<std::string> arguments;
};

/// The test of a pipeline; fails if it has none, or one that cannot be run.
llvm::Expected<ReductionTest> getReductionTest(PassManager &passes);

/// Makes `module` smaller. Fails if the test does not want it.
llvm::Error reduce(OwningOpRef<ModuleOp> &module, PassManager &passes,
                   const ReductionTest &test);

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_REDUCE_REDUCTION_H
