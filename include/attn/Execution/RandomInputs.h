//===- RandomInputs.h - Seeded inputs for a signature -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Inputs for programs that come without data. The same seed gives the same
/// arrays on every machine.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_RANDOMINPUTS_H
#define ATTN_EXECUTION_RANDOMINPUTS_H

#include "attn/Execution/Signature.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::attn {

/// Values from `low` up to, but without, `high`.
struct ValueRange64 {
  double low;
  double high;
};

struct RandomInputOptions {
  uint64_t seed = 0;
  /// Shapes of inputs with dynamic sizes, by name.
  llvm::StringMap<SmallVector<int64_t>> shapes;
  /// Ranges by input name. Without one, floats are N(0, 1), integers lie in
  /// [0, 8) and bools are 0 or 1.
  llvm::StringMap<ValueRange64> ranges;
  /// Range of the integer inputs that `ranges` does not name.
  std::optional<ValueRange64> integerRange;
};

llvm::Expected<SmallVector<NamedArray, 0>>
makeRandomInputs(const Signature &signature, const RandomInputOptions &options);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_RANDOMINPUTS_H
