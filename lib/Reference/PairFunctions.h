//===- PairFunctions.h - Parts of masks and biases --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What masks and biases share: offsets and lengths that depend on the batch,
/// broadcast tensors, and regions over a pair. Each keeps the values that it
/// needs, because the slots that they came from may be written again.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_REFERENCE_PAIRFUNCTIONS_H
#define ATTN_LIB_REFERENCE_PAIRFUNCTIONS_H

#include "Evaluation.h"

namespace mlir::attn::reference {

/// An integer that is the same for all batches, or given for each; 0 if absent.
/// One whose static size is 1 is the same for all too.
class BatchInteger {
public:
  /// `operand` may be null. `name` is for diagnostics.
  BatchInteger(Evaluation &eval, Value operand, StringRef name);

  FailureOr<int64_t> get(int64_t batch) const;

private:
  Operation *op;
  StringRef name;
  RuntimeValue value;
  bool isBroadcast = false;
};

/// The element of a tensor `[B|1, H|1, Sq|1, Sk|1]` that belongs to a pair.
/// Dimensions whose static size is 1 are broadcast.
class PairTensor {
public:
  PairTensor(Evaluation &eval, Value operand);

  FailureOr<Scalar> get(const PairIndex &pair) const;

private:
  Operation *op;
  SmallVector<bool, 4> broadcast;
  Tensor values;
};

/// A region that yields a value for a pair.
class PairRegion {
public:
  /// Copies the values that the region reads from outside.
  PairRegion(Evaluation &eval, Region &region);

  PairRegion(const PairRegion &) = delete;
  PairRegion &operator=(const PairRegion &) = delete;

  /// Runs the region on `leading` arguments, if any, then the pair.
  FailureOr<Scalar> evaluate(const PairIndex &pair,
                             ArrayRef<Scalar> leading = {});
  /// The size of all masks and biases that the region reads.
  unsigned getSize() const { return size; }

private:
  Interpreter &interpreter;
  Frame frame;
  BlockRun body;
  unsigned size = 0;
};

/// The pair that `pair` of a tile is in the whole, where the tile starts at
/// `origin`.
PairIndex shiftPair(const PairIndex &pair, ArrayRef<int64_t> origin);

/// Sets the only result to a mask (or bias) that is made of others of `size`
/// together, or fails where that is too large.
template <typename FunctionT>
LogicalResult setSymbolicResult(Evaluation &eval, FunctionT function,
                                unsigned size = 0) {
  unsigned limit = eval.getOptions().maxSymbolicSize;
  if (size >= limit)
    return eval.emitError()
           << "a mask or bias is made of more than " << limit << " others";
  eval.setResult(0, RuntimeValue(std::move(function), size + 1));
  return success();
}

} // namespace mlir::attn::reference

#endif // ATTN_LIB_REFERENCE_PAIRFUNCTIONS_H
