//===- MaskBand.cpp - Masks that are a band of diagonals --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A band is read off the coefficients of a comparison, or off the elements of
/// a table of constants.
///
//===----------------------------------------------------------------------===//

#include "MaskBand.h"
#include "ExpressionQueries.h"
#include "attn/Analysis/ExpressionEvaluator.h"

using namespace mlir;
using namespace mlir::attn;

/// A comparison `i - j + c >= 0` or `j - i + c >= 0`.
static std::optional<MaskBand> getComparedBand(ExpressionContext &context,
                                               Expr keep,
                                               const PairVariables &pair) {
  auto [query, key, rest] = splitByPair(context, keep->getOperand(0), pair);
  auto constant = rest->getConstantInt();
  if (!constant)
    return std::nullopt;
  MaskBand band;
  if (query == 1 && key == -1)
    band.right = *constant;
  else if (query == -1 && key == 1)
    band.left = *constant;
  else
    return std::nullopt;
  // Query i has key i + right if that is no key beyond the last, and key 0
  // else; it has the last key if i - left does not lie beyond it.
  if (band.right)
    band.everyRow = *band.right >= 0;
  else
    band.everyRow = context.proveNonNegative(
        context.getAdd(context.getSub(pair.keys, pair.queries), *band.left));
  return band;
}

/// Whether nothing but constants, the query and the key occur.
static bool isTable(Expr keep, const PairVariables &pair) {
  bool others = anyNode(keep, [&](Expr node) {
    if (node->is(ExprKind::Index))
      return node != pair.query && node != pair.key;
    if (!node->is(ExprKind::Load))
      return false;
    Operation *op = node->getValue().getDefiningOp();
    return !op || !op->hasTrait<OpTrait::ConstantLike>();
  });
  return !others && hasLoads(keep);
}

static std::optional<MaskBand> getTableBand(Expr keep,
                                            const PairVariables &pair) {
  constexpr int64_t limit = int64_t(1) << 22;
  auto queries = pair.queries->getConstantInt();
  auto keys = pair.keys->getConstantInt();
  if (!queries || !keys || *queries <= 0 || *keys <= 0 ||
      *queries > limit / *keys || !isTable(keep, pair))
    return std::nullopt;
  SmallVector<bool> kept;
  kept.reserve(*queries * *keys);
  ExpressionEvaluator evaluator;
  for (int64_t i = 0; i < *queries; ++i) {
    evaluator.set(pair.query, i);
    for (int64_t j = 0; j < *keys; ++j) {
      evaluator.set(pair.key, j);
      auto value = evaluator.evaluateInt(keep);
      if (!value)
        return std::nullopt;
      kept.push_back(*value != 0);
    }
  }

  int64_t low = *keys, high = -*queries;
  for (int64_t i = 0; i < *queries; ++i)
    for (int64_t j = 0; j < *keys; ++j)
      if (kept[i * *keys + j]) {
        low = std::min(low, j - i);
        high = std::max(high, j - i);
      }
  MaskBand band;
  band.everyRow = true;
  for (int64_t i = 0; i < *queries; ++i) {
    bool any = false;
    for (int64_t j = 0; j < *keys; ++j) {
      bool inside = low <= j - i && j - i <= high;
      if (kept[i * *keys + j] != inside)
        return std::nullopt;
      any |= inside;
    }
    band.everyRow &= any;
  }
  // A side that reaches the corner is no bound.
  if (high < *keys - 1)
    band.right = high;
  if (low > 1 - *queries)
    band.left = -low;
  return band;
}

std::optional<MaskBand> attn::getBand(ExpressionContext &context, Expr keep,
                                      const PairVariables &pair) {
  if (keep->is(ExprKind::Ge0) && pair.query->isVariable())
    if (auto band = getComparedBand(context, keep, pair))
      return band;
  return getTableBand(keep, pair);
}
