//===- ExpressionQueries.h - Questions to expressions -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What several matchers ask of the expression that an element equals.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_EXPRESSIONQUERIES_H
#define ATTN_LIB_RAISE_EXPRESSIONQUERIES_H

#include "attn/Raise/RaiseMask.h"

namespace mlir::attn {

/// `expr` without conversions between float types around it.
Expr stripFloatCasts(Expr expr);

/// Whether a node for which `predicate` holds occurs in `expr`.
bool anyNode(Expr expr, function_ref<bool(Expr)> predicate);

/// Whether data is read in `expr`.
bool hasLoads(Expr expr);

/// `query * i + key * j + rest`, where `rest` is no multiple of either.
struct PairPolynomial {
  int64_t query = 0, key = 0;
  Expr rest = nullptr;
};
PairPolynomial splitByPair(ExpressionContext &context, Expr expr,
                           const PairVariables &pair);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_EXPRESSIONQUERIES_H
