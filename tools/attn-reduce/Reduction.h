//===- Reduction.h - Reduction of programs ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a program smaller while a test wants it.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_REDUCE_REDUCTION_H
#define ATTN_TOOLS_ATTN_REDUCE_REDUCTION_H

#include "ReductionTest.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/ToolOutputFile.h"
#include <memory>
#include <unordered_set>

namespace mlir::attn {

/// The passes that run between other changes.
inline constexpr StringLiteral cleanUpPasses[] = {
    "canonicalize", "cse", "remove-dead-values", "symbol-dce"};

class Reduction {
public:
  /// `module` always is the smallest program found so far.
  Reduction(ModuleOp module, const ReductionTest &test)
      : module(module), test(test) {}

  /// Comes first. Fails if the test does not want the program as it is.
  llvm::Error start();

  /// Each returns whether the program got smaller.
  bool eraseResults();
  bool eraseOps();
  bool simplifyOps();
  bool cleanUp();
  /// Fails if the passes do.
  llvm::Expected<bool> runPasses(StringRef pipeline);

  /// Why the test could not be run on a program after the first, if so.
  StringRef getTestFailure() const { return testFailure; }

private:
  /// Changes `module`; fails if there is nothing to change.
  using Change = llvm::function_ref<LogicalResult()>;

  /// The text of the program after a change. The program itself stays.
  llvm::Expected<std::string> make(Change change);
  /// Keeps what a change makes, if it is smaller and the test wants it.
  llvm::Expected<bool> tryToShrink(Change change);
  bool shrink(Change change);
  bool eraseRange(ArrayRef<Operation *> ops);

  ModuleOp module;
  const ReductionTest &test;
  /// Holds the program that the test gets; removed at the end.
  std::unique_ptr<llvm::ToolOutputFile> file;
  uint64_t size = 0;
  /// Hashes of the programs that the test has seen.
  std::unordered_set<uint64_t> seen;
  std::string testFailure;
};

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_REDUCE_REDUCTION_H
