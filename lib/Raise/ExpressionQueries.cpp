//===- ExpressionQueries.cpp - Questions to expressions ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nodes are visited once: an expression that shares its parts has many more
/// paths than nodes.
///
//===----------------------------------------------------------------------===//

#include "ExpressionQueries.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::attn;

Expr attn::stripFloatCasts(Expr expr) {
  while (expr->is(ExprKind::ExtF) || expr->is(ExprKind::TruncF))
    expr = expr->getOperand(0);
  return expr;
}

bool attn::anyNode(Expr expr, function_ref<bool(Expr)> predicate) {
  SmallVector<Expr> worklist = {expr};
  llvm::SmallPtrSet<Expr, 32> seen;
  while (!worklist.empty()) {
    Expr next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (predicate(next))
      return true;
    llvm::append_range(worklist, next->getOperands());
  }
  return false;
}

bool attn::hasLoads(Expr expr) {
  return anyNode(expr, [](Expr node) { return node->is(ExprKind::Load); });
}

PairPolynomial attn::splitByPair(ExpressionContext &context, Expr expr,
                                 const PairVariables &pair) {
  Polynomial polynomial = context.getPolynomial(expr);
  PairPolynomial split;
  Polynomial rest;
  rest.constant = polynomial.constant;
  for (auto [monomial, coefficient] : polynomial.terms) {
    if (monomial == pair.query)
      split.query = coefficient;
    else if (monomial == pair.key)
      split.key = coefficient;
    else
      rest.terms.push_back({monomial, coefficient});
  }
  split.rest = context.getPolynomial(std::move(rest));
  return split;
}
