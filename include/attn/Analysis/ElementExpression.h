//===- ElementExpression.h - Elements of values as expressions --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The analysis on which the raisers stand: for a tensor value, what its
/// element at symbolic indices equals.
///
/// ```
/// ElementExpression elements(context);
/// const ElementMap &map = elements.getMap(scores);
/// Expr e = elements.getElement(mask, {b, zero, i, j});
/// ```
///
/// Looked through: every linalg operation on tensors with a body (generic, map,
/// fill, broadcast, transpose, named elementwise ones; reductions become
/// `Reduce`), tensor.extract, extract_slice, insert_slice, concat, pad,
/// expand_shape, collapse_shape, reshape, cast, splat, from_elements, generate,
/// insert, dim, elementwise arith/math/complex operations, constants.
///
/// Leaves (`Load` of the value): function arguments, contractions and
/// convolutions of floats, constants that are not splats, results of any other
/// operation, values on which `stopAt` is true, and values whose map would have
/// more than `maxPieces` pieces or an expression deeper than `maxDepth`.
///
/// What an operation asserts or assumes (sizes that agree, indices in range,
/// divisors that are not zero) is assumed. Elements of values without pieces in
/// common are computed once and memoised: the cost is that of one visit per
/// operation. The IR must not change while an analysis is in use, apart from
/// operations added after the query.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_ELEMENTEXPRESSION_H
#define ATTN_ANALYSIS_ELEMENTEXPRESSION_H

#include "attn/Analysis/ElementMap.h"

#include "mlir/IR/Operation.h"

#include <functional>
#include <memory>

namespace mlir::attn {

struct ElementExpressionOptions {
  /// Values to treat as leaves, besides the built-in ones.
  std::function<bool(Value)> stopAt;
  unsigned maxPieces = 16;
  /// The limit for values of floats, if it is lower.
  unsigned maxFloatPieces = 16;
  unsigned maxDepth = 64;
};

/// A contraction: `result[indices] = init + sum over variables lhs * rhs`.
struct ContractionElement {
  Value lhs, rhs;
  SmallVector<Expr> lhsIndices, rhsIndices;
  /// Variables that are summed over (Index nodes numbered from the rank of the
  /// result); a dimension of size 1 has none.
  SmallVector<Expr> variables;
  /// What the sum starts from.
  Expr init = nullptr;
};

class ElementExpression {
public:
  /// Expressions live in `context`; several analyses (with different `stopAt`)
  /// may share one.
  explicit ElementExpression(ExpressionContext &context,
                             ElementExpressionOptions options = {});
  ~ElementExpression();

  ExpressionContext &getContext() { return context; }

  /// The map of a tensor or a scalar (which has rank 0). The reference stays
  /// valid while the analysis lives.
  const ElementMap &getMap(Value value);

  /// Sizes of a tensor's dimensions.
  ArrayRef<Expr> getExtents(Value value) { return getMap(value).extents; }

  /// The variables of a tensor's index space, `Index(d, extent d)`.
  SmallVector<Expr> getVariables(Value value);

  /// The element at the given indices. If they fall in more than one piece, the
  /// answer is a Load of the value itself, which is always true.
  Expr getElement(Value value, ArrayRef<Expr> indices);

  /// The expression of a scalar value.
  Expr getScalar(Value value) { return getElement(value, {}); }

  /// The operation that defines `value` as a contraction of two tensors, at the
  /// given result indices; for matmul, batch_matmul, contract and generics.
  std::optional<ContractionElement> getContraction(Value value,
                                                   ArrayRef<Expr> indices);

  /// Prints `[0:2, 0:4, 0:12, 0:8] -> expression` lines.
  void print(raw_ostream &os, Value value, AsmState *state = nullptr);

  class Impl;

private:
  ExpressionContext &context;
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_ELEMENTEXPRESSION_H
