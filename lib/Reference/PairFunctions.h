//===- PairFunctions.h - Parts of masks and biases --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What masks and biases share: offsets and lengths that depend on the batch,
/// broadcast tensors, regions over a pair, and the ops that differ in their
/// name only. Each keeps the values that it needs, because the slots that they
/// came from may be written again.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_REFERENCE_PAIRFUNCTIONS_H
#define ATTN_LIB_REFERENCE_PAIRFUNCTIONS_H

#include "Evaluation.h"

namespace mlir::attn::reference {

/// A tensor that is read at any indices. Dimensions whose static size is 1 are
/// broadcast.
class BroadcastTensor {
public:
  /// `name` is that of the operand, for diagnostics.
  BroadcastTensor(Evaluation &eval, Value operand, StringRef name);

  FailureOr<Scalar> get(ArrayRef<int64_t> indices) const;

private:
  Operation *op;
  StringRef name;
  SmallVector<bool, 4> broadcast;
  Tensor values;
};

/// An integer that is the same for all batches, or given for each; 0 if absent.
class BatchInteger {
public:
  /// `operand` may be null. `name` is for diagnostics.
  BatchInteger(Evaluation &eval, Value operand, StringRef name);

  FailureOr<int64_t> get(int64_t batch) const;

private:
  int64_t scalar = 0;
  std::optional<BroadcastTensor> tensor;
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

/// `value`, or the nearest number of `type` unless that is null.
double roundTo(double value, Type type);

/// Sets the only result to a mask or bias that is made of others of `size`
/// together, or fails where that is too large. Each value of a bias is rounded
/// to the accumulator type of the op that asks for it.
LogicalResult setPairResult(Evaluation &eval, PairFunction function,
                            unsigned size = 0);

/// A mask or bias that `fn` makes of two others. Both are always asked, so that
/// an error in one is never hidden.
template <auto fn> LogicalResult evaluateBinary(Evaluation &eval) {
  RuntimeValue lhs = eval.getOperand(0);
  RuntimeValue rhs = eval.getOperand(1);
  auto combine = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<Scalar> left = lhs.getPairFunction()(pair);
    FailureOr<Scalar> right = rhs.getPairFunction()(pair);
    if (failed(left) || failed(right))
      return failure();
    return fn(*left, *right);
  };
  return setPairResult(eval, combine, lhs.getSize() + rhs.getSize());
}

/// A mask or bias that the region of the op computes.
LogicalResult evaluateGenerated(Evaluation &eval);

/// A tile of the mask or bias that is the first operand, where the others say
/// where it starts.
LogicalResult evaluateSliced(Evaluation &eval);

} // namespace mlir::attn::reference

#endif // ATTN_LIB_REFERENCE_PAIRFUNCTIONS_H
