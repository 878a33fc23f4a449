//===- ReductionTest.h - The test of a reduction ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The script that says which programs are worth keeping.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_REDUCE_REDUCTIONTEST_H
#define ATTN_TOOLS_ATTN_REDUCE_REDUCTIONTEST_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::attn {

struct ReductionTest {
  std::string script;
  std::vector<std::string> arguments;

  /// Fails if there is no script, or it cannot be run.
  llvm::Error check() const;
  /// Whether the script wants the program in `file`: it exits with another
  /// number than 0. Fails if it does not exit by itself.
  llvm::Expected<bool> wants(StringRef file) const;
};

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_REDUCE_REDUCTIONTEST_H
