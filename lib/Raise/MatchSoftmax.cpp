//===- MatchSoftmax.cpp - Softmax by what it equals -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Matches the softmax from outside in: a guard of the whole row, the quotient,
/// the exponential, the shift by the maximum. linalg.softmax is one operation.
///
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

Expr attn::isMinusInfinity(ExpressionContext &context, Expr expr) {
  switch (expr->getKind()) {
  case ExprKind::ExtF:
    return isMinusInfinity(context, expr->getOperand(0));
  case ExprKind::AddF:
    // A sum with -inf is -inf, unless it is NaN.
    return context.getOr({isMinusInfinity(context, expr->getOperand(0)),
                          isMinusInfinity(context, expr->getOperand(1))});
  case ExprKind::Select:
    return context.getSelect(expr->getOperand(0),
                             isMinusInfinity(context, expr->getOperand(1)),
                             isMinusInfinity(context, expr->getOperand(2)));
  default:
    return context.getCmpF(
        arith::CmpFPredicate::OEQ, expr,
        context.getFloat(-std::numeric_limits<double>::infinity(),
                         expr->getType()));
  }
}

static bool isReduce(Expr expr, ExprKind combiner) {
  return expr->is(ExprKind::Reduce) && expr->getCombiner() == combiner;
}

double attn::getLowest(Type type) {
  return APFloat::getLargest(cast<FloatType>(type).getFloatSemantics(),
                             /*Negative=*/true)
      .convertToDouble();
}

static bool isSumOfExp(Expr expr) {
  return isReduce(expr, ExprKind::AddF) &&
         (stripFloatCasts(expr->getBody())->is(ExprKind::Exp) ||
          stripFloatCasts(expr->getBody())->is(ExprKind::Exp2));
}

/// Whether two elements are the same but for conversions.
static bool isSame(Expr a, Expr b) {
  return stripFloatCasts(a) == stripFloatCasts(b);
}

bool attn::looksLikeSoftmax(Expr expr) {
  return anyNode(expr, [](Expr node) {
    if (node->is(ExprKind::Load))
      return node->getValue().getDefiningOp<linalg::SoftmaxOp>() != nullptr;
    return isSumOfExp(node);
  });
}

/// The body of a reduction over the whole range of `key`, at `key`.
static Expr openOver(ExpressionContext &context, Expr reduce, Expr key) {
  if (reduce->getVariables().size() != 1 ||
      reduce->getVariables().front()->getExtent() != key->getExtent())
    return nullptr;
  return context.substitute(reduce->getBody(),
                            {{reduce->getVariables().front(), key}});
}

/// Whether a reduction may start from `expr`, which changes nothing.
static bool isNeutral(Expr expr, ExprKind combiner) {
  auto value = expr->getConstantFloat();
  if (combiner == ExprKind::AddF)
    return value && *value == 0.0;
  return value && *value <= getLowest(expr->getType());
}

namespace {
/// A reduction, and what is combined with its result, if anything is.
struct ReduceAndOther {
  Expr reduce = nullptr, other = nullptr;
};
} // namespace

/// Takes `expr` apart, in which one more element may come before those that are
/// reduced, or after them.
static ReduceAndOther splitReduce(Expr expr, ExprKind combiner) {
  if (isReduce(expr, combiner)) {
    Expr init = expr->getInit();
    if (isNeutral(init, combiner))
      return {expr, nullptr};
    if (init->is(combiner) && isNeutral(init->getOperand(1), combiner))
      init = init->getOperand(0);
    return {expr, init};
  }
  if (expr->is(combiner))
    for (unsigned side = 0; side < 2; ++side) {
      Expr reduce = stripFloatCasts(expr->getOperand(side));
      if (isReduce(reduce, combiner) && isNeutral(reduce->getInit(), combiner))
        return {reduce, expr->getOperand(1 - side)};
    }
  return {};
}

namespace {
/// `select(value == special, replacement, value)`, without conversions.
struct Guarded {
  Expr value = nullptr;
  double replacement = 0.0;
};

class SoftmaxMatcher {
public:
  SoftmaxMatcher(ElementExpression &elements, Expr key, Reason &reason)
      : elements(elements), context(elements.getContext()), key(key),
        reason(reason) {}

  LogicalResult match(Expr expr);
  SoftmaxMatch result;

private:
  LogicalResult fail(StringRef text) {
    reason = text;
    return failure();
  }
  LogicalResult matchOp(Expr load);
  LogicalResult matchGuard(Expr guard);
  std::optional<Guarded> getGuarded(Expr select, double special);
  LogicalResult matchSum(Expr sum, Expr exponential);
  bool matchSink(Expr expr, Expr maximum);
  Expr getUnshifted(Expr expr, Expr shift);
  LogicalResult matchMaximum(Expr maximum);
  void removeShifts();

  ElementExpression &elements;
  ExpressionContext &context;
  Expr key;
  Reason &reason;
  bool sumIsGuarded = false, maximumIsGuarded = false;
};
} // namespace

/// linalg.softmax, which is not looked through. A row may have one element more
/// than there are keys, in front of them or behind: the sink.
LogicalResult SoftmaxMatcher::matchOp(Expr load) {
  auto op = load->getValue().getDefiningOp<linalg::SoftmaxOp>();
  unsigned dimension = op.getDimension();
  Expr first = context.getSub(load->getOperand(dimension), key);
  if (context.occurs(key, first))
    return fail("the softmax does not run over the keys");
  for (auto [d, index] : llvm::enumerate(load->getOperands()))
    if (d != dimension && context.occurs(key, index))
      return fail("the key is more than one index of the softmax");
  Expr size = elements.getExtents(op.getInput())[dimension];
  Expr others = context.getSub(size, key->getExtent());
  bool sinkIsFirst = first->isConstantInt(1);
  if (others->isConstantInt(1) && (sinkIsFirst || first->isConstantInt(0))) {
    SmallVector<Expr> indices(load->getOperands());
    indices[dimension] = sinkIsFirst ? context.getInt(0) : key->getExtent();
    result.sink = elements.getElement(op.getInput(), indices);
  } else if (!others->isConstantInt(0) || !first->isConstantInt(0)) {
    return fail("the softmax runs over more than the keys and a sink");
  }
  result.scores = elements.getElement(op.getInput(), load->getOperands());
  removeShifts();
  return success();
}

/// A condition under which the whole row is zero: that something holds for all
/// keys. What it is gets checked once the scores are known.
LogicalResult SoftmaxMatcher::matchGuard(Expr guard) {
  if (context.occurs(key, guard))
    return fail("probabilities are masked after the softmax");
  // The largest mask term of the row is -inf.
  if (guard->is(ExprKind::CmpF) &&
      guard->getPredicate() == arith::CmpFPredicate::OEQ) {
    auto lowest = guard->getOperand(1)->getConstantFloat();
    Expr maximum = stripFloatCasts(guard->getOperand(0));
    if (lowest && std::isinf(*lowest) && *lowest < 0 &&
        (isReduce(maximum, ExprKind::MaximumF) ||
         isReduce(maximum, ExprKind::MaxNumF)))
      if (Expr body = openOver(context, maximum, key)) {
        auto init = maximum->getInit()->getConstantFloat();
        if (!init || *init != *lowest)
          return fail("the condition that zeroes a row is not about all its "
                      "keys");
        result.zeroIfAll = isMinusInfinity(context, body);
        return success();
      }
  }
  bool negated = guard->is(ExprKind::Not);
  Expr reduce = negated ? guard->getOperand(0) : guard;
  if (!isReduce(reduce, negated ? ExprKind::Or : ExprKind::And) ||
      !reduce->getInit()->isConstantInt(negated ? 0 : 1))
    return fail("the condition that zeroes a row is not about all its keys");
  Expr body = openOver(context, reduce, key);
  if (!body)
    return fail("the condition that zeroes a row is not about all its keys");
  result.zeroIfAll = negated ? context.getNot(body) : body;
  return success();
}

std::optional<Guarded> SoftmaxMatcher::getGuarded(Expr select, double special) {
  // A constant comes second in normal form.
  auto replacement = select->getOperand(2)->getConstantFloat();
  Expr condition = context.getNot(select->getOperand(0));
  if (!replacement || !condition->is(ExprKind::CmpF) ||
      condition->getPredicate() != arith::CmpFPredicate::OEQ ||
      !condition->getOperand(1)->isConstantFloat(special))
    return std::nullopt;
  Expr value = stripFloatCasts(select->getOperand(1));
  if (stripFloatCasts(condition->getOperand(0)) != value)
    return std::nullopt;
  return Guarded{value, *replacement};
}

/// The sum of the exponentials of a row: that over the keys, to which the one
/// of a sink may be added, before or after.
LogicalResult SoftmaxMatcher::matchSum(Expr sum, Expr exponential) {
  Expr maximum = stripFloatCasts(exponential->getOperand(0))->getOperand(1);
  sum = stripFloatCasts(sum);
  // A sum of zero, in a row without keys, that is replaced to avoid 0 / 0.
  if (sum->is(ExprKind::Select)) {
    auto guarded = getGuarded(sum, 0.0);
    if (!guarded || !(guarded->replacement > 0.0))
      return fail("the sum of the exponentials is chosen by something else "
                  "than being zero");
    sum = guarded->value;
    sumIsGuarded = true;
  }
  auto [reduce, other] = splitReduce(sum, ExprKind::AddF);
  if (!reduce)
    return fail("the divisor is no sum of the exponentials");
  if (other && !matchSink(other, maximum))
    return fail("what is added to the sum of the exponentials is not that of a "
                "sink");
  if (context.occurs(key, reduce))
    return fail("the softmax does not run over the keys");
  Expr body = openOver(context, reduce, key);
  if (!body)
    return fail("the sum of the exponentials does not run over the keys");
  if (stripFloatCasts(body) != exponential)
    return fail("the exponentials that are summed are not those that are "
                "divided");
  return success();
}

/// What `expr` was before `shift` was subtracted from it; null if it was not.
Expr SoftmaxMatcher::getUnshifted(Expr expr, Expr shift) {
  shift = stripFloatCasts(shift);
  expr = stripFloatCasts(expr);
  if (expr->is(ExprKind::SubF) && stripFloatCasts(expr->getOperand(1)) == shift)
    return expr->getOperand(0);
  if (expr->is(ExprKind::NegF) && stripFloatCasts(expr->getOperand(0)) == shift)
    return context.getFloat(0.0, shift->getType());
  return nullptr;
}

/// `exp(sink - maximum)`.
bool SoftmaxMatcher::matchSink(Expr expr, Expr maximum) {
  expr = stripFloatCasts(expr);
  if (!expr->is(ExprKind::Exp))
    return false;
  result.sink = getUnshifted(expr->getOperand(0), maximum);
  return result.sink && !context.occurs(key, result.sink);
}

LogicalResult SoftmaxMatcher::matchMaximum(Expr maximum) {
  maximum = stripFloatCasts(maximum);
  // -inf - -inf is NaN; a shift by 0 makes it -inf, whose exponential is 0.
  if (maximum->is(ExprKind::Select)) {
    auto guarded =
        getGuarded(maximum, -std::numeric_limits<double>::infinity());
    if (!guarded || !std::isfinite(guarded->replacement))
      return fail("the row maximum is chosen by something else than being "
                  "-inf");
    maximum = guarded->value;
    maximumIsGuarded = true;
  }
  ReduceAndOther parts = splitReduce(maximum, ExprKind::MaximumF);
  if (!parts.reduce)
    parts = splitReduce(maximum, ExprKind::MaxNumF);
  auto [reduce, other] = parts;
  if (!reduce)
    return fail("the exponent is not shifted by a maximum");
  Expr sink = result.sink;
  if (!other != !sink || (sink && !isSame(other, sink)))
    return fail(sink ? "the maximum is not that of the scores and the sink"
                     : "the maximum does not start from the lowest value");
  if (context.occurs(key, reduce))
    return fail("the maximum does not run over the keys");
  // So does a maximum that starts from a finite number.
  auto init = reduce->getInit()->getConstantFloat();
  maximumIsGuarded |= init && std::isfinite(*init);
  Expr body = openOver(context, reduce, key);
  if (!body || !isSame(body, result.scores))
    return fail("the maximum is not that of the scores over the keys");
  return success();
}

/// A softmax that shifts by itself may be given rows that already are: one and
/// the same number less on scores and sink is the same softmax.
void SoftmaxMatcher::removeShifts() {
  while (stripFloatCasts(result.scores)->is(ExprKind::SubF)) {
    Expr shift = stripFloatCasts(result.scores)->getOperand(1);
    SoftmaxMatch shifted = result;
    result.scores = getUnshifted(shifted.scores, shift);
    if (shifted.sink)
      result.sink = getUnshifted(shifted.sink, shift);
    maximumIsGuarded = false;
    if ((!shifted.sink || result.sink) && succeeded(matchMaximum(shift))) {
      // -inf - -inf is NaN here already.
      result.emptyIsZero &= maximumIsGuarded;
      continue;
    }
    reason.clear();
    result = shifted;
    return;
  }
}

LogicalResult SoftmaxMatcher::match(Expr expr) {
  expr = stripFloatCasts(expr);
  if (expr->is(ExprKind::Select)) {
    bool first = expr->getOperand(1)->isConstantFloat(0.0);
    if (!first && !expr->getOperand(2)->isConstantFloat(0.0))
      return fail("probabilities are replaced by something that is not zero");
    Expr condition = expr->getOperand(0);
    if (failed(matchGuard(first ? condition : context.getNot(condition))))
      return failure();
    expr = stripFloatCasts(expr->getOperand(first ? 2 : 1));
  }
  if (expr->is(ExprKind::Load) &&
      expr->getValue().getDefiningOp<linalg::SoftmaxOp>())
    return matchOp(expr);
  Expr numerator = nullptr, divisor = nullptr;
  if (expr->is(ExprKind::DivF)) {
    numerator = stripFloatCasts(expr->getOperand(0));
    divisor = expr->getOperand(1);
  } else if (expr->is(ExprKind::MulF)) {
    for (unsigned side = 0; side < 2; ++side) {
      Expr reciprocal = stripFloatCasts(expr->getOperand(side));
      if (!reciprocal->is(ExprKind::DivF) ||
          !reciprocal->getOperand(0)->isConstantFloat(1.0))
        continue;
      divisor = reciprocal->getOperand(1);
      numerator = stripFloatCasts(expr->getOperand(1 - side));
    }
  }
  if (!numerator || !numerator->is(ExprKind::Exp))
    return fail(expr->is(ExprKind::MulF)
                    ? "probabilities are multiplied after the softmax"
                    : "the left operand is no quotient of an exponential");
  Expr exponent = stripFloatCasts(numerator->getOperand(0));
  if (!exponent->is(ExprKind::SubF))
    return fail("the exponent is not shifted by its maximum");
  result.scores = exponent->getOperand(0);
  if (failed(matchSum(divisor, numerator)) ||
      failed(matchMaximum(exponent->getOperand(1))))
    return failure();
  // Without a guard of the maximum as well the sum is NaN.
  result.emptyIsZero = sumIsGuarded && maximumIsGuarded;
  removeShifts();
  return success();
}

FailureOr<SoftmaxMatch> attn::matchSoftmax(ElementExpression &elements,
                                           Expr expr, Expr key,
                                           Reason &reason) {
  SoftmaxMatcher matcher(elements, key, reason);
  if (failed(matcher.match(expr)))
    return failure();
  return matcher.result;
}
