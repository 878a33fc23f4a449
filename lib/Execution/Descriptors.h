//===- Descriptors.h - Memref descriptors in memory -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How MLIR's C interface lays out tensors and results.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EXECUTION_DESCRIPTORS_H
#define ATTN_LIB_EXECUTION_DESCRIPTORS_H

#include "attn/Execution/Signature.h"

namespace mlir::attn {

/// The memory of a call: argument slots and the storage behind them.
class CallFrame {
public:
  CallFrame(const Signature &signature, MutableArrayRef<NdArray> inputs);

  /// The argument of the packed function.
  void **getSlots() { return slots.data(); }

  /// Copies the results out and frees their memory, each allocation once.
  llvm::Expected<SmallVector<NdArray, 0>> takeResults(ArrayRef<NdArray> inputs);

private:
  char *getResult(size_t index);

  const Signature &signature;
  /// Descriptors are made of 8-byte words.
  SmallVector<SmallVector<int64_t, 8>> descriptors;
  SmallVector<size_t> resultOffsets;
  /// Words, so that every result is aligned.
  SmallVector<int64_t> results;
  SmallVector<void *> slots;
};

} // namespace mlir::attn

#endif // ATTN_LIB_EXECUTION_DESCRIPTORS_H
