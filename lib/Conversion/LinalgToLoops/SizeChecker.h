//===- SizeChecker.h - Checks of sizes at run time --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Emits the checks of attn-check-sizes, as few as are needed.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LINALGTOLOOPS_SIZECHECKER_H
#define ATTN_LIB_CONVERSION_LINALGTOLOOPS_SIZECHECKER_H

#include "SizeExpressions.h"
#include "attn/Analysis/ElementExpression.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::attn {

class CacheAppendOp;
class MergeOp;

/// A dimension of an operand, for messages.
struct OperandDim {
  /// `operand 1`, or `'key'`.
  std::string operand;
  Value tensor;
  int64_t dimension;
};

/// The dimension of an operand that has a name.
inline OperandDim getDim(const Twine &name, Value tensor, int64_t dimension) {
  return {("'" + name + "'").str(), tensor, dimension};
}

/// Emits checks of what the ops of a function expect of sizes, in the order of
/// the ops. What holds anyhow, or was checked before, is not checked.
class SizeChecker {
public:
  explicit SizeChecker(func::FuncOp function)
      : function(function), sizes(function.getContext()),
        context(function.getContext()), elements(context) {}

  SizeExpressions &getSizes() { return sizes; }
  ElementExpression &getElements() { return elements; }

  /// Checks before `op` that two of its dimensions are equal.
  void requireEqual(Operation *op, const OperandDim &actual,
                    const OperandDim &expected);
  /// Checks before `op` that an expression is zero, or at least zero.
  void requireZero(Operation *op, AffineExpr expression, const Twine &message);
  void requireNonNegative(Operation *op, AffineExpr expression,
                          const Twine &message);
  /// The same, unless one of `extents` is zero, so that `op` does nothing.
  void requireNonNegativeUnlessEmpty(Operation *op, AffineExpr expression,
                                     ArrayRef<AffineExpr> extents,
                                     const Twine &message);
  /// Checks before `op` that one expression is a multiple of another one.
  void requireMultiple(Operation *op, AffineExpr expression, AffineExpr factor,
                       const Twine &message);

  /// Checks before `access` that an index is in [0, size).
  void requireIndex(Operation *access, Value index, AffineExpr size,
                    const Twine &message);

  /// Learns from a check that the function has already; drops it if it cannot
  /// fail.
  void learn(cf::AssertOp assertion);
  /// Replaces a number by the size or constant that it equals.
  void simplify(Operation *op);

private:
  /// True if `op` is executed whenever the function is, so that what holds for
  /// it holds for every later op.
  bool isAlwaysExecuted(Operation *op);
  void emit(OpBuilder &builder, Location loc, Value condition,
            const Twine &message);
  std::string describe(AffineExpr expression);
  std::string describeDifference(AffineExpr expression);

  func::FuncOp function;
  SizeExpressions sizes;
  ExpressionContext context;
  ElementExpression elements;
  /// Pairs that were checked: the first is a multiple of the second.
  DenseSet<std::pair<AffineExpr, AffineExpr>> multiples;
};

/// A loop, by the values that are its index and the variable that stands for
/// them in expressions of elements; null if the extent is not known.
struct LoopIndex {
  SmallVector<Value, 2> indices;
  Expr variable;
};

/// Checks that a read or write of one element is within its tensor. What
/// depends on sizes only is checked before `op`, which contains `access` or is
/// it; what depends on data before `access`, unless it is checked there
/// already. The loops of a linalg op are given in their order. `op` does
/// nothing if one of `extents` is zero.
void checkAccess(SizeChecker &checker, Operation *op, Operation *access,
                 Value tensor, ValueRange indices, ArrayRef<LoopIndex> loops,
                 ArrayRef<AffineExpr> extents);

/// The same for the index of one dimension. What depends on sizes only is
/// checked before `place`, which executes the region of `op`.
void checkIndex(SizeChecker &checker, Operation *op, Operation *access,
                Value tensor, int64_t dimension, Value index,
                ArrayRef<LoopIndex> loops, ArrayRef<AffineExpr> extents,
                Operation *place);

/// Checks what attn ops on tensors expect of sizes.
void checkAttnOp(SizeChecker &checker, Operation *op);

/// The same of the ops of decoding. Starts are data: the lowering checks them.
void checkCacheAppend(SizeChecker &checker, CacheAppendOp op);
void checkMerge(SizeChecker &checker, MergeOp op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LINALGTOLOOPS_SIZECHECKER_H
