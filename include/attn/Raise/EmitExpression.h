//===- EmitExpression.h - Element expressions back to IR --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The way back from what an element equals to IR that computes it: for the
/// operands of raised ops that no value of the graph holds in the right shape.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_EMITEXPRESSION_H
#define ATTN_RAISE_EMITEXPRESSION_H

#include "attn/Analysis/ElementExpression.h"
#include "mlir/IR/Builders.h"

#include <string>

namespace mlir::attn {

/// Emits scalar IR for expressions at the insertion point of a builder. Every
/// node is emitted once.
class ExpressionEmitter {
public:
  /// `reason` is set by what fails.
  ExpressionEmitter(OpBuilder &builder, Location loc,
                    std::string *reason = nullptr)
      : builder(builder), loc(loc), reason(reason) {}

  /// Says what an expression (usually a variable) is.
  void define(Expr expr, Value value) { values[expr] = value; }

  /// The value of `expr`: `index` for integers, `i1` for booleans, its own type
  /// for floats. Fails on variables that were not defined, on reductions, on
  /// complex numbers and on opaque operations.
  FailureOr<Value> emit(Expr expr);

private:
  FailureOr<Value> emitNode(Expr expr);
  FailureOr<Value> emitPolynomial(Expr expr);
  FailureOr<Value> emitLoad(Expr expr);
  FailureOr<Value> emitFloat(Expr expr, ArrayRef<Value> operands);
  Value toIndex(Value integer);
  Value constantIndex(int64_t value);
  LogicalResult fail(Expr expr);

  OpBuilder &builder;
  Location loc;
  std::string *reason;
  llvm::DenseMap<Expr, Value> values;
};

/// A tensor whose element at `variables` is `element`. Each variable is an
/// Index expression, whose extent is the size of its dimension, or the constant
/// 0 for a dimension of size one. Integers are stored as `i64`.
///
/// A value that already is that tensor is returned as it is, and one that is it
/// but for the order of dimensions is transposed; otherwise a `linalg.generic`
/// computes it. Tensors whose indices are variables, or dimensions that are
/// several variables at once (`4 * h + d`), are operands of it, expanded; only
/// others are gathered from. `elements` tells sizes of dynamic tensors apart.
/// Fails where ExpressionEmitter does, with its reason.
FailureOr<Value> emitTensor(OpBuilder &builder, Location loc, Expr element,
                            ArrayRef<Expr> variables,
                            ElementExpression *elements = nullptr,
                            std::string *reason = nullptr);

/// The sizes of a tensor over `variables`, as those of emitTensor are.
FailureOr<SmallVector<OpFoldResult>> emitSizes(OpBuilder &builder, Location loc,
                                               ArrayRef<Expr> variables,
                                               std::string *reason = nullptr);

/// Whether emitTensor computes `element` without gathering, by at most
/// `maxOperations` operations on floats.
bool isElementwise(Expr element, ArrayRef<Expr> variables,
                   unsigned maxOperations,
                   ElementExpression *elements = nullptr);

} // namespace mlir::attn

#endif // ATTN_RAISE_EMITEXPRESSION_H
