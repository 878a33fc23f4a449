//===- SizeExpressions.h - Sizes of tensors as expressions ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sizes of tensors as affine expressions of the sizes that a function is
/// given, so that equal sizes can be told equal without a check at run time.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LINALGTOLOOPS_SIZEEXPRESSIONS_H
#define ATTN_LIB_CONVERSION_LINALGTOLOOPS_SIZEEXPRESSIONS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::attn {

/// Expresses sizes and indices by symbols. A symbol is a dimension of a tensor
/// that no op seen here computes (in the main, of an argument), or a number
/// that no affine expression describes. What `assumeEqual` was told is applied
/// to every later answer.
class SizeExpressions {
public:
  explicit SizeExpressions(MLIRContext *context) : context(context) {}

  /// The size of a dimension of a ranked tensor.
  AffineExpr getSize(Value tensor, int64_t dimension);
  /// The value of an index, or of an integer that is computed like one.
  AffineExpr getIndex(OpFoldResult index);

  /// Whether a condition on such numbers holds, if that is known.
  std::optional<bool> getCondition(Value condition);

  AffineExpr simplify(AffineExpr expression) const;
  AffineExpr multiply(AffineExpr lhs, AffineExpr rhs) const;
  AffineExpr getConstant(int64_t value) const;

  /// True if the expression is at least zero whatever the sizes are.
  bool isNonNegative(AffineExpr expression) const;

  /// The argument of the block `entry` and the dimension of it that an
  /// expression is; std::nullopt if it is something else.
  std::optional<std::pair<unsigned, int64_t>>
  getArgumentDim(AffineExpr expression, Block &entry) const;

  /// True if no part of the expression is computed inside `op`.
  bool isAvailableAt(AffineExpr expression, Operation *op) const;

  /// Takes two expressions for equal from now on.
  void assumeEqual(AffineExpr lhs, AffineExpr rhs);
  /// Takes an expression for at least zero from now on.
  void assumeNonNegative(AffineExpr expression);

  /// Computes an expression at the insertion point of `builder`. Dimensions are
  /// asked for where their tensor is defined, once.
  Value materialize(OpBuilder &builder, Location loc, AffineExpr expression);

private:
  struct Symbol {
    Value value;
    /// The dimension of `value`; -1 if the symbol is `value` itself.
    int64_t dimension;
    /// The number in the code, once it was asked for.
    Value number;
  };

  AffineExpr getSymbol(Value value, int64_t dimension);
  AffineExpr computeSize(Value tensor, int64_t dimension);
  AffineExpr computeLoopSize(Value carried, int64_t dimension);
  AffineExpr computeIndex(Value index);
  AffineExpr divide(AffineExpr dividend, AffineExpr divisor) const;
  AffineExpr getGreater(AffineExpr lhs, AffineExpr rhs) const;
  /// Replaces symbols by what they were assumed to equal.
  AffineExpr resolve(AffineExpr expression) const;
  Value getNumber(OpBuilder &builder, unsigned position);

  MLIRContext *context;
  SmallVector<Symbol> symbols;
  DenseMap<std::pair<Value, int64_t>, unsigned> positions;
  DenseMap<std::pair<Value, int64_t>, AffineExpr> known;
  DenseMap<AffineExpr, AffineExpr> assumed;
  DenseSet<AffineExpr> assumedNonNegative;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LINALGTOLOOPS_SIZEEXPRESSIONS_H
