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
  bool computeLeadsToProduct(Expr expr);
  LogicalResult addConstant(double value, Type type);
  LogicalResult addTerm(Expr term, double factor);
  LogicalResult addSelect(Expr select, double factor);
  FailureOr<bool> addTable(Expr term, double factor);
  LogicalResult addBias(Expr bias, double factor);
  LogicalResult remove(Expr keep, Expr fill, double factor, bool added);
  double getApplied(double value, double factor, Type type);
  double getFinal(double value, double factor, Type type);
  bool isRemoving(double value, double factor, Type type, bool added);
  Type getRounding(Type type);
  bool isFirst() { return terms.biases.empty() && !terms.addsConstant; }
  bool isLast() { return isFirst() && outerFactor == 1.0; }
  LogicalResult peelSum(Expr &expr);
  LogicalResult peelSelect(Expr &expr);
  void takeStep(double next, Expr outer);

  ElementExpression &elements;
  ExpressionContext &context;
  Expr key;
  bool exactMasks;
  Reason &reason;

  /// What is done to the expression at hand, from outside in, each in some
  /// type; and all factors together.
  struct Step {
    double factor, addend;
    Type type;
  };
  SmallVector<Step> steps;
  double outerFactor = 1.0;
  /// A sum may be reached on many ways.
  llvm::DenseMap<Expr, bool> leads;
  unsigned numTerms = 0;
};
} // namespace

/// A score is lost in the sum with a number of at most this. In f16 the sum
/// with the lowest number is rounded to multiples of 32, so scores between -16
/// and 16 are.
static double getAbsorbing(Type type) {
  if (type.isF64())
    return -1e40;
  return type.isF16() ? -65504.0 : -1e30;
}

static double roundNumber(ExpressionContext &context, double value, Type type) {
  return *context.getFloat(value, type)->getConstantFloat();
}

/// What is added of `value`, which has `factor`, outer ones included.
double ScoreMatcher::getApplied(double value, double factor, Type type) {
  return roundNumber(context, value * (factor / outerFactor), type);
}

/// What becomes of it in the end; it may overflow on the way.
double ScoreMatcher::getFinal(double value, double factor, Type type) {
  value = getApplied(value, factor, type);
  for (const Step &step : llvm::reverse(steps))
    value = roundNumber(context, value * step.factor + step.addend, step.type);
  return value;
}

/// The 16-bit type to which a sum in `type` is rounded, there or afterwards.
Type ScoreMatcher::getRounding(Type type) {
  if (type.getIntOrFloatBitWidth() == 16)
    return type;
  for (const Step &step : llvm::reverse(steps))
    if (step.type.getIntOrFloatBitWidth() == 16)
      return step.type;
  return Type();
}

/// Whether the way that `match` goes leads from here to a contraction.
bool ScoreMatcher::leadsToProduct(Expr expr) {
  auto known = leads.find(expr);
  if (known != leads.end())
    return known->second;
  return leads[expr] = computeLeadsToProduct(expr);
}

bool ScoreMatcher::computeLeadsToProduct(Expr expr) {
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
/// sum, which is the case from -1e30 on; -1e9, also as bf16 has it, removes the
/// pair from rows that keep a key.
///
/// To be exact a number that replaces must be the lowest of its type.
bool ScoreMatcher::isRemoving(double value, double factor, Type type,
                              bool added) {
  double fill = getFinal(value, factor, type);
  if (!(factor > 0) || std::isnan(fill) || fill > 0)
    return false;
  if (std::isinf(fill))
    return true;
  if (added)
    return fill <= (type.isF16() ? -65504.0 : -9.9e8);
  return fill <= -1e4 &&
         (!exactMasks || getApplied(value, factor, type) <= getLowest(type));
}

LogicalResult ScoreMatcher::remove(Expr keep, Expr fill, double factor,
                                   bool added) {
  double value = *fill->getConstantFloat();
  Type type = fill->getType();
  if (!isRemoving(value, factor, type, added))
    return fail("a mask fills with a value that may take part in the softmax");
  if (terms.softcap)
    return fail("a mask is applied before the softcap");
  RemovedPairs removed;
  removed.keep = keep;
  removed.fill = getFinal(value, factor, type);
  removed.type = type;
  removed.added = added;
  removed.roundedTo = getRounding(type);
  removed.isLast = isLast();
  bool absorbs = getApplied(value, factor, type) <= getAbsorbing(type);
  // A fill that is put in the place of a score gets the biases that are added
  // afterwards. Next to -65504 they may be large, as scores may be.
  if (type.isF16())
    removed.uniform = isFirst() && (!added || (absorbs && !exactMasks));
  else
    removed.uniform = absorbs || (terms.biases.empty() && !added);
  removed.isNumber =
      exactMasks && added && !removed.uniform && std::isfinite(removed.fill);
  terms.removed.push_back(removed);
  return success();
}

/// A number beside which scores lose half a unit and more in a 16-bit type.
static double getLarge(Type type) { return type.isF16() ? 1024.0 : 128.0; }

bool attn::hasNumberFrom(double large, Expr expr) {
  auto isLarge = [large](double number) { return std::fabs(number) >= large; };
  return anyNode(expr, [&](Expr node) {
    if (auto number = node->getConstantFloat())
      return isLarge(*number);
    if (!node->is(ExprKind::Load) || !node->isFloat())
      return false;
    auto elements = ConstantElements::get(node->getValue());
    return elements && llvm::any_of(elements->getFloats(), isLarge);
  });
}

LogicalResult ScoreMatcher::addBias(Expr bias, double factor) {
  if (terms.softcap)
    return fail("a bias is added before the softcap");
  Type rounding = getRounding(bias->getType());
  if (rounding && hasNumberFrom(getLarge(rounding), bias)) {
    if (!isLast())
      return fail("a large number is added in 16 bits, and the sum is changed "
                  "afterwards");
    terms.softmaxType = rounding;
  }
  terms.biases.push_back({bias, factor});
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
             isRemoving(*value, factor, arm->getType(), /*added=*/true);
    };
    bool first = removes(arms[0]);
    if (!first && !removes(arms[1]))
      break;
    fill = first ? arms[0] : arms[1];
    Expr kept = first ? context.getNot(condition) : condition;
    keep = keep ? context.getAnd({keep, kept}) : kept;
    rest = first ? arms[1] : arms[0];
  }
  if (!keep)
    return addBias(select, factor);
  if (failed(remove(keep, fill, factor, /*added=*/true)))
    return failure();
  // The rest is for kept pairs only, where the fill does not drown it.
  const RemovedPairs &removed = terms.removed.back();
  constexpr double removing = 1e4;
  bool drowns = std::isinf(removed.fill) ||
                (removed.uniform && !hasNumberFrom(removing, rest));
  if (!drowns && !rest->isConstantFloat(0.0))
    rest =
        context.getSelect(keep, rest, context.getFloat(0.0, rest->getType()));
  return addTerm(rest, factor);
}

/// The same number on every score of a row changes no probability, unless the
/// scores drown in it.
LogicalResult ScoreMatcher::addConstant(double value, Type type) {
  Type rounding = getRounding(type);
  double limit = rounding ? getLarge(rounding) / 16 : 1024.0;
  if (!(std::fabs(value) <= limit))
    return fail("a constant in which the scores drown is added to all of them");
  if (terms.softcap && value != 0.0)
    return fail("a constant is added before the softcap");
  terms.addsConstant |= value != 0.0;
  return success();
}

/// A constant table whose lowest number removes is a mask, and a bias where
/// there is more to it. Whether that is all there is to the term.
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
  if (!isRemoving(*fill->getConstantFloat(), factor, term->getType(),
                  /*added=*/true)) {
    if (failed(addBias(term, factor)))
      return failure();
    return true;
  }
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
  if (!zero &&
      failed(addBias(
          context.getSelect(keep, term, context.getFloat(0.0, term->getType())),
          factor)))
    return failure();
  return true;
}

LogicalResult ScoreMatcher::addTerm(Expr term, double factor) {
  constexpr unsigned maxTerms = 256;
  if (++numTerms > maxTerms)
    return fail("more terms are added to the scores than are looked at");
  switch (term->getKind()) {
  case ExprKind::Constant:
    return addConstant(*term->getConstantFloat() * factor, term->getType());
  case ExprKind::NegF:
    return addTerm(term->getOperand(0), -factor);
  case ExprKind::AddF:
  case ExprKind::SubF: {
    // What a mask meets in its sum comes first, as if it were added later.
    double factors[2] = {factor, term->is(ExprKind::SubF) ? -factor : factor};
    bool swapped = term->getOperand(0)->is(ExprKind::Select);
    for (bool second : {swapped, !swapped})
      if (failed(addTerm(term->getOperand(second), factors[second])))
        return failure();
    return success();
  }
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
  auto isDone = addTable(term, factor);
  if (failed(isDone) || *isDone)
    return success(succeeded(isDone));
  return addBias(term, factor);
}

/// `outer` makes the present factor out of `next`, that of what is in it.
void ScoreMatcher::takeStep(double next, Expr outer) {
  steps.push_back({next / outerFactor, 0.0, outer->getType()});
  outerFactor = next;
}

LogicalResult ScoreMatcher::peelSum(Expr &expr) {
  Expr a = expr->getOperand(0), b = expr->getOperand(1);
  bool inFirst = leadsToProduct(a), inSecond = leadsToProduct(b);
  if (inFirst && inSecond)
    return fail("more than one contraction is added up");
  double sign = expr->is(ExprKind::SubF) ? -1.0 : 1.0;
  if (failed(inFirst ? addTerm(b, sign * outerFactor)
                     : addTerm(a, outerFactor)))
    return failure();
  if (auto constant = (inFirst ? b : a)->getConstantFloat())
    steps.push_back(
        {1.0, inFirst ? sign * *constant : *constant, expr->getType()});
  if (!inFirst && sign < 0)
    takeStep(-outerFactor, expr);
  expr = inFirst ? a : b;
  return success();
}

LogicalResult ScoreMatcher::peelSelect(Expr &expr) {
  bool inFirst = leadsToProduct(expr->getOperand(1));
  Expr fill = expr->getOperand(inFirst ? 2 : 1);
  if (!fill->isConstant())
    return fail("a score is replaced by something that is no constant");
  Expr condition = expr->getOperand(0);
  if (failed(remove(inFirst ? condition : context.getNot(condition), fill,
                    outerFactor, /*added=*/false)))
    return failure();
  expr = expr->getOperand(inFirst ? 1 : 2);
  return success();
}

LogicalResult ScoreMatcher::match(Expr expr) {
  if (!leadsToProduct(expr))
    return fail("the scores are no contraction of two tensors of which one "
                "depends on the key");
  while (!expr->is(ExprKind::Load)) {
    switch (expr->getKind()) {
    case ExprKind::ExtF:
    case ExprKind::TruncF:
      takeStep(outerFactor, expr);
      expr = expr->getOperand(0);
      break;
    case ExprKind::NegF:
      takeStep(-outerFactor, expr);
      expr = expr->getOperand(0);
      break;
    case ExprKind::MulF:
      takeStep(outerFactor * *expr->getOperand(1)->getConstantFloat(), expr);
      expr = expr->getOperand(0);
      break;
    case ExprKind::DivF:
      takeStep(outerFactor / *expr->getOperand(1)->getConstantFloat(), expr);
      expr = expr->getOperand(0);
      break;
    case ExprKind::Tanh:
      // m tanh(k x) = m tanh(m k x / m), whatever k is.
      if (terms.softcap)
        return fail("the scores are capped twice");
      if (!(outerFactor > 0))
        return fail("the softcap is not positive");
      terms.softcap = outerFactor;
      expr = expr->getOperand(0);
      break;
    case ExprKind::AddF:
    case ExprKind::SubF:
      if (failed(peelSum(expr)))
        return failure();
      break;
    default:
      if (failed(peelSelect(expr)))
        return failure();
      break;
    }
  }
  if (!std::isfinite(outerFactor))
    return fail("the scale is not finite");
  terms.product = expr;
  terms.scale = outerFactor;
  Expr init = getProductOperands(elements, expr, key)->init;
  return addTerm(init, outerFactor);
}

FailureOr<ScoreTerms> attn::matchScores(ElementExpression &elements,
                                        Expr scores, Expr key, bool exactMasks,
                                        Reason &reason) {
  ScoreMatcher matcher(elements, key, exactMasks, reason);
  if (failed(matcher.match(scores)))
    return failure();
  return std::move(matcher.terms);
}
