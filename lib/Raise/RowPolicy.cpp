//===- RowPolicy.cpp - What rows without keys give --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides what the removed pairs of scores amount to: a mask, biases that are
/// added, and the policy of the op for rows that keep no key.
///
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "attn/Analysis/ConstantElements.h"
#include "attn/Analysis/ExpressionEvaluator.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

/// Whether `expr` reads constants only, and `holds` for all its values.
static bool holdsForTable(Expr expr, const PairVariables &pair,
                          llvm::function_ref<bool(double)> holds) {
  constexpr int64_t limit = int64_t(1) << 16;
  SmallVector<Expr> variables;
  int64_t count = 1;
  for (Expr variable : pair.all()) {
    if (!variable->isVariable() ||
        !anyNode(expr, [&](Expr node) { return node == variable; }))
      continue;
    auto extent = variable->getExtent()->getConstantInt();
    if (!extent || *extent <= 0 || *extent > limit / count)
      return false;
    variables.push_back(variable);
    count *= *extent;
  }
  for (int64_t position = 0; position < count; ++position) {
    ExpressionEvaluator evaluator;
    int64_t rest = position;
    for (Expr variable : variables) {
      int64_t extent = *variable->getExtent()->getConstantInt();
      evaluator.set(variable, rest % extent);
      rest /= extent;
    }
    auto value = evaluator.evaluateFloat(expr);
    if (!value || !holds(*value))
      return false;
  }
  return true;
}

static bool isFiniteTable(Expr expr, const PairVariables &pair) {
  return holdsForTable(expr, pair,
                       [](double value) { return std::isfinite(value); });
}

/// Whether `expr` is put together by sums and products of finite numbers, which
/// are finite as long as they are of a sane size.
static bool isFinite(Expr expr, const PairVariables &pair) {
  // Integers and conditions are of no interest.
  SmallVector<Expr> worklist = {expr};
  llvm::SmallPtrSet<Expr, 16> seen;
  while (!worklist.empty()) {
    Expr next = worklist.pop_back_val();
    if (!next->isFloat() || !seen.insert(next).second)
      continue;
    switch (next->getKind()) {
    case ExprKind::Constant:
      if (!std::isfinite(*next->getConstantFloat()))
        return false;
      break;
    case ExprKind::Load: {
      auto elements = ConstantElements::get(next->getValue());
      if (!elements || elements->getNumElements() > (1 << 20))
        return false;
      for (double number : elements->getFloats())
        if (!std::isfinite(number))
          return false;
      break;
    }
    case ExprKind::Select:
      // The arm that is not finite may never be chosen.
      if (!isFiniteTable(next, pair))
        llvm::append_range(worklist, next->getOperands());
      break;
    case ExprKind::AddF:
    case ExprKind::SubF:
    case ExprKind::MulF:
    case ExprKind::TruncF:
      // Fills overflow in 16 bits.
      if (next->getType().getIntOrFloatBitWidth() == 16 &&
          !isFiniteTable(next, pair))
        return false;
      llvm::append_range(worklist, next->getOperands());
      break;
    case ExprKind::NegF:
    case ExprKind::AbsF:
    case ExprKind::ExtF:
    case ExprKind::SIToFP:
    case ExprKind::Tanh:
      llvm::append_range(worklist, next->getOperands());
      break;
    default:
      if (!isFiniteTable(next, pair))
        return false;
      break;
    }
  }
  return true;
}

/// The bias that a removing term is.
static Expr getRemovingBias(ExpressionContext &context,
                            const RemovedPairs &removed) {
  MLIRContext *mlirContext = context.getMLIRContext();
  Type type = removed.type.isF64() ? Type(Float64Type::get(mlirContext))
                                   : Type(Float32Type::get(mlirContext));
  return context.getSelect(removed.keep, context.getFloat(0.0, type),
                           context.getFloat(removed.fill, type));
}

namespace {
/// The removed pairs by what their scores become.
struct Fills {
  SmallVector<Expr> keeps, infinite;
  SmallVector<RemovedPairs> added, replaced;
};

/// Which rows a guard of the softmax makes zero: none, those that mask and
/// biases leave empty, or those whose scores are all -inf.
enum class Guard { none, empty, infinite };
} // namespace

static Fills sortFills(ArrayRef<RemovedPairs> pairs) {
  Fills fills;
  for (const RemovedPairs &removed : pairs) {
    fills.keeps.push_back(removed.keep);
    if (std::isinf(removed.fill))
      fills.infinite.push_back(removed.keep);
    else
      (removed.added ? fills.added : fills.replaced).push_back(removed);
  }
  return fills;
}

/// A guard either looks at the mask or at the scores.
static FailureOr<Guard> readGuard(ExpressionContext &context,
                                  const SoftmaxMatch &softmax,
                                  const RowPolicy &policy,
                                  const PairVariables &pair, Reason &reason) {
  Expr guard = softmax.zeroIfAll;
  if (!guard || guard->isFalse())
    return softmax.emptyIsZero ? Guard::infinite : Guard::none;
  SmallVector<Expr> gone = {context.getNot(policy.keep)};
  for (Expr bias : policy.biases)
    if (!isFinite(bias, pair))
      gone.push_back(isMinusInfinity(context, bias));
  if (guard == context.getOr(gone))
    return Guard::empty;
  auto value = guard->is(ExprKind::CmpF)
                   ? guard->getOperand(1)->getConstantFloat()
                   : std::nullopt;
  if (value && std::isinf(*value) && *value < 0 &&
      guard->getPredicate() == arith::CmpFPredicate::OEQ &&
      stripFloatCasts(guard->getOperand(0)) == stripFloatCasts(softmax.scores))
    return Guard::infinite;
  reason = "rows are zeroed by a condition that is not that all their keys are "
           "masked";
  return failure();
}

/// Whether all keys of an empty row have one finite fill, which gives the
/// average over all of them.
static bool hasOneFill(const Fills &fills) {
  if (!fills.infinite.empty())
    return false;
  if (fills.replaced.empty())
    return fills.added.size() == 1 && fills.added[0].uniform;
  return fills.added.empty() &&
         llvm::all_of(fills.replaced, [&](const RemovedPairs &removed) {
           return removed.uniform &&
                  removed.fill == fills.replaced.front().fill;
         });
}

/// A number below all sinks beside which what is removed has no weight.
static double getTooLowForSink(const Fills &fills, bool finiteBiases) {
  double number =
      finiteBiases ? -std::numeric_limits<double>::infinity() : -1e4;
  for (ArrayRef<RemovedPairs> list :
       {ArrayRef(fills.added), ArrayRef(fills.replaced)})
    for (const RemovedPairs &removed : list)
      number = std::max(number, removed.fill / 2);
  return number;
}

/// Whether a sink weighs more than any removed key, as far as can be seen: it
/// is a constant that is not too low, or data that is not the score of a key.
/// Data is taken for a usual logit, unless masks are exact.
static bool isUsualSink(Expr sink, const PairVariables &pair, double tooLow,
                        bool exactMasks) {
  auto isData = [](Expr node) {
    return node->is(ExprKind::Load) && !ConstantElements::get(node->getValue());
  };
  if (!anyNode(sink, isData))
    return holdsForTable(sink, pair,
                         [&](double value) { return value > tooLow; });
  return !exactMasks && !anyNode(sink, [&](Expr node) {
    if (auto number = node->getConstantFloat())
      return !(*number > tooLow);
    if (!isData(node))
      return false;
    auto op = node->getValue().getDefiningOp<linalg::LinalgOp>();
    return op && linalg::isaContractionOpInterface(op);
  });
}

/// What rows without keys are where fills stay numbers: that depends on which
/// of them meet (two of the lowest value add up to -inf). A finite term that is
/// added is then no more than a bias, which gives those numbers. In 16 bits
/// scores are lost in the sum with a fill, which is rounded as in the graph.
static LogicalResult keepNumbers(ExpressionContext &context, const Fills &fills,
                                 bool finite, RowPolicy &policy,
                                 Reason &reason) {
  if (!fills.replaced.empty()) {
    reason = "rows without keys would mix fill values, or fill values and "
             "biases";
    return failure();
  }
  policy.keep = context.getAnd(fills.infinite);
  policy.numMasksInBiases = fills.added.size();
  for (const RemovedPairs &removed : fills.added) {
    policy.biases.push_back(getRemovingBias(context, removed));
    if (!removed.roundedTo)
      continue;
    if (!removed.isLast) {
      reason =
          "fill values are added in 16 bits, and the sum is changed afterwards";
      return failure();
    }
    policy.softmaxType = removed.roundedTo;
  }
  // One fill does not overflow in 32 bits, whatever it meets.
  if (fills.added.size() == 1 && fills.infinite.empty() && finite &&
      !policy.softmaxType)
    policy.emptyRow = EmptyRow::Zero;
  return success();
}

/// Whether a bias is not as low as a fill, which makes a key as good as
/// removed.
static bool isUsualBias(Expr bias, const PairVariables &pair) {
  constexpr double large = 9e3;
  return !hasNumberFrom(large, bias) ||
         holdsForTable(bias, pair,
                       [](double value) { return std::fabs(value) < large; });
}

/// `factor * bias`, in f32 at least.
static Expr getScaledBias(ExpressionContext &context, Expr bias,
                          double factor) {
  if (factor == 1.0)
    return bias;
  if (bias->getType().getIntOrFloatBitWidth() == 16)
    bias = context.getCast(ExprKind::ExtF, bias,
                           Float32Type::get(context.getMLIRContext()));
  return context.getBinary(ExprKind::MulF, bias,
                           context.getFloat(factor, bias->getType()));
}

FailureOr<RowPolicy> attn::decideRowPolicy(ExpressionContext &context,
                                           const ScoreTerms &terms,
                                           const SoftmaxMatch &softmax,
                                           const PairVariables &pair,
                                           bool exactMasks, Reason &reason) {
  RowPolicy policy;
  bool finite = true;
  for (auto [bias, factor] : terms.biases) {
    finite &= isFinite(bias, pair) && isUsualBias(bias, pair);
    policy.biases.push_back(getScaledBias(context, bias, factor));
  }
  policy.softmaxType = terms.softmaxType;
  Fills fills = sortFills(terms.removed);
  policy.keep = context.getAnd(fills.keeps);
  FailureOr<Guard> guard = readGuard(context, softmax, policy, pair, reason);
  if (failed(guard))
    return failure();
  bool hasNumber = llvm::any_of(fills.added, [](const RemovedPairs &removed) {
    return removed.isNumber;
  });
  if (*guard == Guard::empty && hasNumber) {
    reason = "rows are zeroed beside a mask that is kept as numbers";
    return failure();
  }
  if (*guard == Guard::empty)
    return policy;
  if (!hasNumber && finite && keepsKeyInEveryRow(context, policy.keep, pair))
    return policy;
  if (softmax.sink &&
      !isUsualSink(softmax.sink, pair, getTooLowForSink(fills, finite),
                   exactMasks)) {
    reason = "the sink may be as low as the scores of a row without keys";
    return failure();
  }
  // The weight of a sink is 1 in a row without keys, which is then zero.
  if (softmax.sink && !hasNumber)
    return policy;

  policy.emptyRow = *guard == Guard::infinite ? EmptyRow::Zero : EmptyRow::Nan;
  bool hasFills = !fills.added.empty() || !fills.replaced.empty();
  if (hasFills && !hasNumber && finite && hasOneFill(fills)) {
    policy.emptyRow = EmptyRow::Mean;
    return policy;
  }
  if (hasFills && failed(keepNumbers(context, fills, finite, policy, reason)))
    return failure();
  if (policy.softmaxType && *guard == Guard::infinite && !softmax.sink) {
    reason = "rows are zeroed where scores overflow in 16 bits";
    return failure();
  }
  return policy;
}
