//===- RaiseMask.h - Masks from boolean expressions -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns a predicate over (batch, head, query, key), given as an expression,
/// into the mask ops that say it, and a score term into bias ops.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_RAISEMASK_H
#define ATTN_RAISE_RAISEMASK_H

#include "attn/Analysis/Expression.h"
#include "mlir/IR/Builders.h"

#include <array>
#include <functional>
#include <string>

namespace mlir::attn {

/// The variables of a pair; each is an Index, or the constant 0 if its extent
/// is one.
struct PairVariables {
  Expr batch = nullptr, head = nullptr, query = nullptr, key = nullptr;
  /// Number of queries and of keys.
  Expr queries = nullptr, keys = nullptr;
  /// If set, looks for a value whose element at the given variables is an
  /// expression, so that it need not be computed again; null if there is none.
  std::function<Value(Expr, ArrayRef<Expr>)> findTensor;
  /// If set, is told what was kept as a tensor, and why.
  std::function<void(const Twine &)> explain;

  std::array<Expr, 4> all() const { return {batch, head, query, key}; }
};

/// A `!attn.mask` that keeps the pairs where `keep` is true; a null value if it
/// keeps all of them. A part that is no known mask is computed into a tensor
/// that has only the dimensions on which that part depends. Fails where an
/// expression can not be emitted; `reason` says which, here and below.
FailureOr<Value> raiseMask(ExpressionContext &context, Expr keep,
                           const PairVariables &pair, OpBuilder &builder,
                           Location loc, std::string &reason);

/// Whether it is proved that every row keeps a key.
bool keepsKeyInEveryRow(ExpressionContext &context, Expr keep,
                        const PairVariables &pair);

/// A `!attn.bias` whose value is `bias`. With `upToRowConstant` it may differ
/// by a number that depends on everything but the key, which changes no
/// softmax, but its log-sum-exp and the weight of a sink.
FailureOr<Value> raiseBias(ExpressionContext &context, Expr bias,
                           const PairVariables &pair, bool upToRowConstant,
                           OpBuilder &builder, Location loc,
                           std::string &reason);

/// The offset of a mask or a bias: a null value for 0, an index, or one integer
/// per batch.
FailureOr<Value> emitOffset(ExpressionContext &context, Expr offset,
                            const PairVariables &pair, OpBuilder &builder,
                            Location loc, std::string &reason);

/// Whether `expr` is read from an argument, perhaps compared with zero or times
/// a constant.
bool isGiven(Expr expr);

/// The element as a tensor of rank 4 with size 1 in the dimensions on which it
/// does not depend.
FailureOr<Value> emitPairTensor(ExpressionContext &context, Expr element,
                                const PairVariables &pair, OpBuilder &builder,
                                Location loc, std::string &reason);

} // namespace mlir::attn

#endif // ATTN_RAISE_RAISEMASK_H
