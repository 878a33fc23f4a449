//===- MatchScores.cpp - Scale, softcap, masks, biases ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes the element of the scores apart.
///
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "attn/Analysis/ConstantElements.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Index variables made here are numbered from this on, so that they differ
/// from those of the analysis.
static constexpr unsigned kFeaturePosition = 1004;

std::optional<ProductOperands>
attn::getProductOperands(ElementExpression &elements, Expr product, Expr key) {
  if (!product->is(ExprKind::Load))
    return std::nullopt;
  ExpressionContext &context = elements.getContext();
  // The summed variable is numbered from the rank of the product; the indices
  // have variables of other positions, see MatchAttention.cpp.
  auto contraction =
      elements.getContraction(product->getValue(), product->getOperands());
  if (!contraction || contraction->variables.size() > 1)
    return std::nullopt;
  ProductOperands operands;
  // Heads of one element are summed over nothing.
  operands.feature = context.getInt(0);
  ExprMap map;
  for (Expr variable : contraction->variables) {
    operands.feature =
        context.getIndex(kFeaturePosition, variable->getExtent());
    map[variable] = operands.feature;
  }
  bool keyIn[2] = {false, false};
  SmallVector<Expr> indices[2] = {contraction->lhsIndices,
                                  contraction->rhsIndices};
  for (unsigned side = 0; side < 2; ++side)
    for (Expr &index : indices[side]) {
      index = context.substitute(index, map);
      keyIn[side] |= context.occurs(key, index);
    }
  if (keyIn[0] == keyIn[1])
    return std::nullopt;
  bool swapped = keyIn[0];
  operands.query = swapped ? contraction->rhs : contraction->lhs;
  operands.key = swapped ? contraction->lhs : contraction->rhs;
  operands.queryIndices = std::move(indices[swapped]);
  operands.keyIndices = std::move(indices[!swapped]);
  operands.init = contraction->init;
  return operands;
}

namespace {
class ScoreMatcher {
public:
  ScoreMatcher(ElementExpression &elements, Expr key, bool exactMasks,
               Reason &reason)
      : elements(elements), context(elements.getContext()), key(key),
        exactMasks(exactMasks), reason(reason) {}

  LogicalResult match(Expr scores);
  ScoreTerms terms;

private:
  LogicalResult fail(StringRef text) {
    reason = text;
    return failure();
  }
  bool leadsToProduct(Expr expr);
  LogicalResult addConstant(double value);
  LogicalResult addTerm(Expr term, double factor);
  LogicalResult addSelect(Expr select, double factor);
  FailureOr<bool> addTable(Expr term, double factor);
  LogicalResult remove(Expr keep, Expr fill, double factor, bool added);
  bool isRemoving(double fill, Type type, bool added);
  LogicalResult peelSum(Expr &expr, double &factor);
  LogicalResult peelSelect(Expr &expr, double factor);

  ElementExpression &elements;
  ExpressionContext &context;
  Expr key;
  bool exactMasks;
  Reason &reason;
};
} // namespace

/// Added to a score or in its place, a number of at most this is what is left
/// of it, whatever it was.
static double getAbsorbing(Type type) {
  return type.isF16() ? -65504.0 : -1e30;
}

/// Whether the way that `match` goes leads from here to a contraction.
bool ScoreMatcher::leadsToProduct(Expr expr) {
  switch (expr->getKind()) {
  case ExprKind::Load:
    return getProductOperands(elements, expr, key).has_value();
  case ExprKind::ExtF:
  case ExprKind::TruncF:
  case ExprKind::NegF:
  case ExprKind::Tanh:
    return leadsToProduct(expr->getOperand(0));
  case ExprKind::MulF:
  case ExprKind::DivF:
    return expr->getOperand(1)->isConstant() &&
           leadsToProduct(expr->getOperand(0));
  case ExprKind::AddF:
  case ExprKind::SubF:
    return leadsToProduct(expr->getOperand(0)) ||
           leadsToProduct(expr->getOperand(1));
  case ExprKind::Select:
    return leadsToProduct(expr->getOperand(1)) ||
           leadsToProduct(expr->getOperand(2));
  default:
    return false;
  }
}

/// Whether a fill value stands for "removed".
///
/// Replacing a score by -1e4 or less removes the pair unless every kept score
/// of the row is below about -9900, which no float attention is. Adding is
/// weaker: a row without keys keeps its order unless the score is lost in the
/// sum, which is the case from -1e30 on; -1e9 removes the pair from rows that
/// keep a key.
///
/// To be exact a number that replaces must be below all others of its type.
bool ScoreMatcher::isRemoving(double fill, Type type, bool added) {
  if (std::isnan(fill) || fill > 0)
    return false;
  if (std::isinf(fill) || !added)
    return fill <= (exactMasks ? getAbsorbing(type) : -1e4);
  return fill <= (type.isF16() ? -65504.0 : -1e9);
}

LogicalResult ScoreMatcher::remove(Expr keep, Expr fill, double factor,
                                   bool added) {
  double value = *fill->getConstantFloat();
  // The product is rounded as the graph rounds it: it may overflow.
  double scaled =
      *context.getFloat(value * factor, fill->getType())->getConstantFloat();
  if (factor <= 0 || !isRemoving(scaled, fill->getType(), added))
    return fail("a mask fills with a value that may take part in the softmax");
  if (terms.softcap)
    return fail("a mask is applied before the softcap");
  // For f16 the sum with -65504 is rounded to multiples of 32, as frameworks do
  // it: a row without keys is uniform if its scores lie less than 16 apart.
  // A fill that is put in the place of a score gets the biases that are added
  // afterwards.
  Type type = fill->getType();
  double low = getAbsorbing(type);
  bool uniform = added ? value <= low && !(type.isF16() && exactMasks)
                       : terms.biases.empty() || scaled <= low;
  terms.removed.push_back({keep, scaled, type, added, uniform});
  return success();
}

/// A chosen term: a mask if one side removes, else a bias.
LogicalResult ScoreMatcher::addSelect(Expr select, double factor) {
  Expr keep = nullptr, fill = nullptr, rest = select;
  // Nested choices of one and the same fill are one mask.
  while (rest->is(ExprKind::Select)) {
    Expr condition = rest->getOperand(0);
    Expr arms[2] = {rest->getOperand(1), rest->getOperand(2)};
    auto removes = [&](Expr arm) {
      auto value = arm->getConstantFloat();
      return value && (!fill || fill == arm) &&
             isRemoving(*value * factor, arm->getType(), /*added=*/true);
    };
    bool first = removes(arms[0]);
    if (!first && !removes(arms[1]))
      break;
    fill = first ? arms[0] : arms[1];
    Expr kept = first ? context.getNot(condition) : condition;
    keep = keep ? context.getAnd({keep, kept}) : kept;
    rest = first ? arms[1] : arms[0];
  }
  if (!keep) {
    if (terms.softcap)
      return fail("a bias is added before the softcap");
    terms.biases.push_back({select, factor});
    return success();
  }
  if (failed(remove(keep, fill, factor, /*added=*/true)))
    return failure();
  return addTerm(rest, factor);
}

/// The same number on every score of a row changes no probability, unless the
/// scores drown in it.
LogicalResult ScoreMatcher::addConstant(double value) {
  constexpr double limit = 1024.0;
  if (!(std::fabs(value) <= limit))
    return fail("a constant in which the scores drown is added to all of them");
  if (terms.softcap && value != 0.0)
    return fail("a constant is added before the softcap");
  terms.addsConstant |= value != 0.0;
  return success();
}

/// A constant table whose lowest number removes is a mask, and a bias where
/// there is more to it. Whether it is one.
FailureOr<bool> ScoreMatcher::addTable(Expr term, double factor) {
  constexpr int64_t maxElements = int64_t(1) << 20;
  Expr load = stripFloatCasts(term);
  if (!load->is(ExprKind::Load))
    return false;
  auto table = ConstantElements::get(load->getValue());
  if (!table || !table->isFloat() || table->getNumElements() == 0 ||
      table->getNumElements() > maxElements)
    return false;
  SmallVector<double> numbers = table->getFloats();
  double lowest = *llvm::min_element(numbers);
  Expr fill = context.getFloat(lowest, term->getType());
  if (!isRemoving(*fill->getConstantFloat() * factor, term->getType(),
                  /*added=*/true))
    return false;
  // What is between a fill and a bias is left as it is.
  constexpr double lowestBias = -1e4;
  bool zero = true;
  for (double number : numbers) {
    if (number == lowest)
      continue;
    if (!(number > lowestBias) || !std::isfinite(number))
      return false;
    zero &= number == 0.0;
  }
  Expr keep = context.getCmpF(arith::CmpFPredicate::UNE, term, fill);
  if (failed(remove(keep, fill, factor, /*added=*/true)))
    return failure();
  if (!zero)
    terms.biases.push_back(
        {context.getSelect(keep, term, context.getFloat(0.0, term->getType())),
         factor});
  return true;
}

LogicalResult ScoreMatcher::addTerm(Expr term, double factor) {
  switch (term->getKind()) {
  case ExprKind::Constant:
    return addConstant(*term->getConstantFloat() * factor);
  case ExprKind::NegF:
    return addTerm(term->getOperand(0), -factor);
  case ExprKind::AddF:
  case ExprKind::SubF:
    if (failed(addTerm(term->getOperand(0), factor)))
      return failure();
    return addTerm(term->getOperand(1),
                   term->is(ExprKind::SubF) ? -factor : factor);
  case ExprKind::MulF:
    if (auto constant = term->getOperand(1)->getConstantFloat();
        constant && term->getOperand(0)->is(ExprKind::Select))
      return addTerm(term->getOperand(0), factor * *constant);
    break;
  case ExprKind::ExtF:
  case ExprKind::TruncF: {
    // A fill is converted as the graph converts it.
    Expr inner = term->getOperand(0);
    if (!inner->is(ExprKind::Select))
      break;
    Expr arms[2];
    for (unsigned i = 0; i < 2; ++i)
      arms[i] = context.getCast(term->getKind(), inner->getOperand(i + 1),
                                term->getType());
    return addTerm(context.getSelect(inner->getOperand(0), arms[0], arms[1]),
                   factor);
  }
  case ExprKind::Select:
    return addSelect(term, factor);
  default:
    break;
  }
  auto isMask = addTable(term, factor);
  if (failed(isMask) || *isMask)
    return success(succeeded(isMask));
  if (terms.softcap)
    return fail("a bias is added before the softcap");
  terms.biases.push_back({term, factor});
  return success();
}

LogicalResult ScoreMatcher::peelSum(Expr &expr, double &factor) {
  Expr a = expr->getOperand(0), b = expr->getOperand(1);
  bool inFirst = leadsToProduct(a), inSecond = leadsToProduct(b);
  if (inFirst && inSecond)
    return fail("more than one contraction is added up");
  double sign = expr->is(ExprKind::SubF) ? -1.0 : 1.0;
  if (failed(inFirst ? addTerm(b, sign * factor) : addTerm(a, factor)))
    return failure();
  expr = inFirst ? a : b;
  if (!inFirst)
    factor *= sign;
  return success();
}

LogicalResult ScoreMatcher::peelSelect(Expr &expr, double factor) {
  bool inFirst = leadsToProduct(expr->getOperand(1));
  Expr fill = expr->getOperand(inFirst ? 2 : 1);
  if (!fill->isConstant())
    return fail("a score is replaced by something that is no constant");
  Expr condition = expr->getOperand(0);
  if (failed(remove(inFirst ? condition : context.getNot(condition), fill,
                    factor, /*added=*/false)))
    return failure();
  expr = expr->getOperand(inFirst ? 1 : 2);
  return success();
}

LogicalResult ScoreMatcher::match(Expr expr) {
  if (!leadsToProduct(expr))
    return fail("the scores are no contraction of two tensors of which one "
                "depends on the key");
  double factor = 1.0;
  while (!expr->is(ExprKind::Load)) {
    switch (expr->getKind()) {
    case ExprKind::ExtF:
    case ExprKind::TruncF:
      expr = expr->getOperand(0);
      break;
    case ExprKind::NegF:
      factor = -factor;
      expr = expr->getOperand(0);
      break;
    case ExprKind::MulF:
      factor *= *expr->getOperand(1)->getConstantFloat();
      expr = expr->getOperand(0);
      break;
    case ExprKind::DivF:
      factor /= *expr->getOperand(1)->getConstantFloat();
      expr = expr->getOperand(0);
      break;
    case ExprKind::Tanh:
      // m tanh(k x) = m tanh(m k x / m), whatever k is.
      if (terms.softcap)
        return fail("the scores are capped twice");
      if (!(factor > 0))
        return fail("the softcap is not positive");
      terms.softcap = factor;
      expr = expr->getOperand(0);
      break;
    case ExprKind::AddF:
    case ExprKind::SubF:
      if (failed(peelSum(expr, factor)))
        return failure();
      break;
    default:
      if (failed(peelSelect(expr, factor)))
        return failure();
      break;
    }
  }
  if (!std::isfinite(factor))
    return fail("the scale is not finite");
  terms.product = expr;
  terms.scale = factor;
  Expr init = getProductOperands(elements, expr, key)->init;
  return addTerm(init, factor);
}

FailureOr<ScoreTerms> attn::matchScores(ElementExpression &elements,
                                        Expr scores, Expr key, bool exactMasks,
                                        Reason &reason) {
  ScoreMatcher matcher(elements, key, exactMasks, reason);
  if (failed(matcher.match(scores)))
    return failure();
  return std::move(matcher.terms);
}
