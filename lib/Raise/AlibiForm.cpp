//===- AlibiForm.cpp - Biases linear in the distance ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A bias is taken apart into factors, of which one, an integer, is the
/// distance and the others are the slope. That works for any size and for
/// slopes given as data. A constant table has no factors: its values are
/// compared with those of a form read off its first elements.
///
//===----------------------------------------------------------------------===//

#include "AlibiForm.h"
#include "ExpressionQueries.h"
#include "attn/Analysis/ExpressionEvaluator.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Heads beyond which slopes are not looked at one by one.
static constexpr int64_t kMaxHeads = 4096;

/// Bits of mantissa of the narrowest float type in `expr`.
static unsigned getPrecision(Expr expr) {
  unsigned precision = 64;
  SmallVector<Expr> worklist = {expr};
  llvm::SmallPtrSet<Expr, 16> seen;
  while (!worklist.empty()) {
    Expr next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto type = dyn_cast<FloatType>(next->getType()))
      precision = std::min(precision, type.getFPMantissaWidth());
    llvm::append_range(worklist, next->getOperands());
  }
  return precision;
}

/// Number of heads if it is known and small.
static std::optional<int64_t> getHeads(const PairVariables &pair) {
  if (!pair.head->isVariable())
    return 1;
  auto heads = pair.head->getExtent()->getConstantInt();
  return heads && *heads <= kMaxHeads ? heads : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

namespace {

class FactorMatcher {
public:
  FactorMatcher(ExpressionContext &context, const PairVariables &pair)
      : context(context), pair(pair) {}

  std::optional<AlibiForm> match(Expr bias, bool upToRowConstant);
  /// Why there was no match.
  StringRef getReason() const {
    return distance ? "the integer in it is no distance of query and key"
                    : "it is no product of slopes and one integer that depends "
                      "on query and key";
  }

private:
  bool dependsOn(Expr variable, Expr expr) {
    return variable->isVariable() && context.occurs(variable, expr);
  }
  /// Whether `expr` is more than a factor of the slope.
  bool moves(Expr expr) {
    return dependsOn(pair.query, expr) || dependsOn(pair.key, expr);
  }
  Expr toInteger(Expr expr);
  bool split(Expr bias);
  bool takeDistance(bool upToRowConstant);
  Expr divideExactly(Expr expr, int64_t divisor);
  bool takeSlopes();
  Expr makeSlope();

  ExpressionContext &context;
  const PairVariables &pair;

  AlibiForm form;
  Expr distance = nullptr;
  double sign = 1.0;
  SmallVector<Expr> factors, divisors;
};

} // namespace

/// The integer that a float expression is, before rounding; else null.
Expr FactorMatcher::toInteger(Expr expr) {
  switch (expr->getKind()) {
  case ExprKind::SIToFP:
    return expr->getOperand(0);
  case ExprKind::ExtF:
  case ExprKind::TruncF:
    return toInteger(expr->getOperand(0));
  case ExprKind::Constant: {
    constexpr double limit = 0x1p31;
    double value = *expr->getConstantFloat();
    if (!(std::fabs(value) < limit) || value != std::trunc(value))
      return nullptr;
    return context.getInt(static_cast<int64_t>(value));
  }
  case ExprKind::NegF:
  case ExprKind::AbsF: {
    Expr operand = toInteger(expr->getOperand(0));
    if (!operand)
      return nullptr;
    return expr->is(ExprKind::NegF) ? context.getScaled(operand, -1)
                                    : context.getAbsI(operand);
  }
  case ExprKind::AddF:
  case ExprKind::SubF: {
    Expr lhs = toInteger(expr->getOperand(0));
    Expr rhs = toInteger(expr->getOperand(1));
    if (!lhs || !rhs)
      return nullptr;
    return expr->is(ExprKind::AddF) ? context.getAdd(lhs, rhs)
                                    : context.getSub(lhs, rhs);
  }
  default:
    return nullptr;
  }
}

/// Finds the one factor that depends on query or key.
bool FactorMatcher::split(Expr expr) {
  while (true) {
    distance = toInteger(expr);
    if (distance)
      return true;
    Expr next = expr->getNumOperands() ? expr->getOperand(0) : nullptr;
    switch (expr->getKind()) {
    case ExprKind::NegF:
      sign = -sign;
      break;
    case ExprKind::ExtF:
    case ExprKind::TruncF:
      break;
    case ExprKind::MulF: {
      Expr other = expr->getOperand(1);
      if (!moves(next))
        std::swap(next, other);
      if (moves(other))
        return false;
      factors.push_back(other);
      break;
    }
    case ExprKind::DivF:
      if (moves(expr->getOperand(1)))
        return false;
      divisors.push_back(expr->getOperand(1));
      break;
    default:
      return false;
    }
    expr = next;
  }
}

/// `expr / divisor`, or null if a coefficient is no multiple.
Expr FactorMatcher::divideExactly(Expr expr, int64_t divisor) {
  Polynomial polynomial = context.getPolynomial(expr);
  if (polynomial.constant % divisor != 0)
    return nullptr;
  polynomial.constant /= divisor;
  for (auto &[monomial, coefficient] : polynomial.terms) {
    if (coefficient % divisor != 0)
      return nullptr;
    coefficient /= divisor;
  }
  return context.getPolynomial(std::move(polynomial));
}

bool FactorMatcher::takeDistance(bool upToRowConstant) {
  Polynomial polynomial = context.getPolynomial(distance);
  Expr difference = distance;
  int64_t scale = 1;
  if (polynomial.constant == 0 && polynomial.terms.size() == 1 &&
      polynomial.terms[0].first->is(ExprKind::AbsI)) {
    form.absolute = true;
    scale = polynomial.terms[0].second;
    difference = polynomial.terms[0].first->getOperand(0);
  }
  auto [query, key, others] = splitByPair(context, difference, pair);
  if (key == 0 || moves(others) || dependsOn(pair.head, others))
    return false;
  // The distance is -key * (i + others / -key - j).
  if (query == -key || !pair.query->isVariable()) {
    form.offset = divideExactly(others, -key);
    if (!form.offset)
      return false;
  } else if (query == 0 && !form.absolute && upToRowConstant) {
    // What the row adds is free. Distances from the last query that is aligned
    // with the last key are small numbers.
    form.offset = context.getSub(pair.keys, pair.queries);
  } else {
    return false;
  }
  scale *= form.absolute ? std::abs(key) : -key;
  sign *= -static_cast<double>(scale);
  return true;
}

/// Evaluates the slopes; false if they are not known.
bool FactorMatcher::takeSlopes() {
  auto heads = getHeads(pair);
  if (!heads)
    return false;
  form.precision = 64;
  for (Expr factor : llvm::concat<Expr>(factors, divisors)) {
    if (dependsOn(pair.batch, factor))
      return false;
    form.precision = std::min(form.precision, getPrecision(factor));
  }
  for (int64_t head : llvm::seq<int64_t>(0, *heads)) {
    ExpressionEvaluator evaluator;
    if (pair.head->isVariable())
      evaluator.set(pair.head, head);
    double slope = sign;
    for (Expr factor : factors) {
      auto value = evaluator.evaluateFloat(factor);
      if (!value)
        return false;
      slope *= *value;
    }
    for (Expr divisor : divisors) {
      auto value = evaluator.evaluateFloat(divisor);
      if (!value)
        return false;
      slope /= *value;
    }
    form.slopes.push_back(slope);
  }
  return true;
}

/// The product of the factors, in the widest type among them.
Expr FactorMatcher::makeSlope() {
  Type type = Float32Type::get(context.getMLIRContext());
  for (Expr factor : llvm::concat<Expr>(factors, divisors))
    if (factor->getType().isF64())
      type = factor->getType();
  Expr slope = context.getFloat(sign, type);
  auto widen = [&](Expr factor) {
    return factor->getType() == type
               ? factor
               : context.getCast(ExprKind::ExtF, factor, type);
  };
  for (Expr factor : factors)
    slope = context.getBinary(ExprKind::MulF, slope, widen(factor));
  for (Expr divisor : divisors)
    slope = context.getBinary(ExprKind::DivF, slope, widen(divisor));
  return slope;
}

std::optional<AlibiForm> FactorMatcher::match(Expr bias, bool upToRowConstant) {
  if (!split(bias) || !takeDistance(upToRowConstant))
    return std::nullopt;
  if (!takeSlopes()) {
    form.slopes.clear();
    form.slope = makeSlope();
  }
  return form;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {

class TableMatcher {
public:
  TableMatcher(ExpressionContext &context, const PairVariables &pair, Expr bias)
      : context(context), pair(pair), bias(bias), precision(getPrecision(bias)),
        bound(4 * std::ldexp(1.0, -static_cast<int>(precision))) {}

  std::optional<AlibiForm> match(bool upToRowConstant);
  /// Whether the values could be read.
  bool isKnown() const { return !values.empty(); }

private:
  bool readSizes();
  bool readRow(int64_t head, int64_t query);
  bool firstRowBends();
  bool readRest();
  double at(int64_t head, int64_t query, int64_t key) const {
    return values[(head * queries + query) * keys + key];
  }
  bool fits(int64_t offset, bool absolute);
  bool isLinearInKeys();

  ExpressionContext &context;
  const PairVariables &pair;
  Expr bias;
  unsigned precision;
  /// What two numbers of one size may differ by, relative to it.
  double bound;
  int64_t heads = 0, queries = 0, keys = 0;
  SmallVector<double> values, slopes;
};

} // namespace

bool TableMatcher::readSizes() {
  constexpr int64_t limit = int64_t(1) << 18;
  auto headCount = getHeads(pair);
  auto queryCount = pair.queries->getConstantInt();
  auto keyCount = pair.keys->getConstantInt();
  if (!headCount || !queryCount || !keyCount || *headCount <= 0 ||
      *queryCount <= 0 ||
      (pair.batch->isVariable() && context.occurs(pair.batch, bias)))
    return false;
  heads = *headCount;
  queries = *queryCount;
  keys = *keyCount;
  // Any two numbers lie on a line.
  return keys > 2 && queries <= limit / heads / keys;
}

bool TableMatcher::readRow(int64_t head, int64_t query) {
  ExpressionEvaluator evaluator;
  if (pair.head->isVariable())
    evaluator.set(pair.head, head);
  if (pair.query->isVariable())
    evaluator.set(pair.query, query);
  for (int64_t key : llvm::seq<int64_t>(0, keys)) {
    evaluator.set(pair.key, key);
    auto value = evaluator.evaluateFloat(bias);
    if (!value || !std::isfinite(*value))
      return false;
    values.push_back(*value);
  }
  return true;
}

/// Whether the first row is neither straight nor bends once: then it is not
/// worth looking at the others.
bool TableMatcher::firstRowBends() {
  int64_t bends = 0;
  for (int64_t key : llvm::seq<int64_t>(2, keys)) {
    double a = values[key - 2], b = values[key - 1], c = values[key];
    double size = std::max({std::fabs(a), std::fabs(b), std::fabs(c)});
    bends += std::fabs((c - b) - (b - a)) > 2 * bound * size;
  }
  return bends > 1;
}

bool TableMatcher::readRest() {
  for (int64_t head : llvm::seq<int64_t>(0, heads))
    for (int64_t query : llvm::seq<int64_t>(0, queries))
      if ((head != 0 || query != 0) && !readRow(head, query))
        return false;
  return true;
}

/// Whether all values are of the form; the slope of a head is that of its
/// greatest distance.
bool TableMatcher::fits(int64_t offset, bool absolute) {
  slopes.clear();
  auto distance = [&](int64_t query, int64_t key) {
    auto d = static_cast<double>(query + offset - key);
    return absolute ? std::fabs(d) : d;
  };
  bool any = false;
  for (int64_t head : llvm::seq<int64_t>(0, heads)) {
    double first = distance(0, keys - 1), last = distance(queries - 1, 0);
    double slope = std::fabs(first) > std::fabs(last)
                       ? -at(head, 0, keys - 1) / first
                       : -at(head, queries - 1, 0) / last;
    for (int64_t query : llvm::seq<int64_t>(0, queries))
      for (int64_t key : llvm::seq<int64_t>(0, keys)) {
        double value = -slope * distance(query, key);
        if (!(std::fabs(at(head, query, key) - value) <=
              bound * std::fabs(value)))
          return false;
      }
    any |= slope != 0;
    slopes.push_back(slope);
  }
  return any;
}

/// Whether every row is a line with the slope of its head.
bool TableMatcher::isLinearInKeys() {
  slopes.clear();
  bool any = false;
  for (int64_t head : llvm::seq<int64_t>(0, heads)) {
    double slope = (at(head, 0, keys - 1) - at(head, 0, 0)) /
                   static_cast<double>(keys - 1);
    for (int64_t query : llvm::seq<int64_t>(0, queries))
      for (int64_t key : llvm::seq<int64_t>(0, keys)) {
        double start = at(head, query, 0), value = at(head, query, key);
        double error = value - start - slope * static_cast<double>(key);
        if (!(std::fabs(error) <=
              bound * std::max(std::fabs(start), std::fabs(value))))
          return false;
      }
    any |= slope != 0;
    slopes.push_back(slope);
  }
  return any;
}

std::optional<AlibiForm> TableMatcher::match(bool upToRowConstant) {
  if (!readSizes() || !readRow(0, 0) || firstRowBends() || !readRest())
    return std::nullopt;
  AlibiForm form;
  form.precision = precision;
  // With either distance, the first element is offset times the first step.
  constexpr double maxOffset = 0x1p31;
  double offset = std::round(values[0] / (values[0] - values[1]));
  bool known = std::fabs(offset) < maxOffset;
  bool linear = known && fits(static_cast<int64_t>(offset), false);
  form.absolute = known && !linear && fits(static_cast<int64_t>(offset), true);
  if (linear || form.absolute)
    form.offset = context.getInt(static_cast<int64_t>(offset));
  else if (upToRowConstant && isLinearInKeys())
    form.offset = context.getSub(pair.keys, pair.queries);
  else
    return std::nullopt;
  form.slopes = slopes;
  return form;
}

std::optional<AlibiForm> attn::matchAlibi(ExpressionContext &context, Expr bias,
                                          const PairVariables &pair,
                                          bool upToRowConstant,
                                          StringRef &reason) {
  if (!pair.key->isVariable() || !context.occurs(pair.key, bias))
    return std::nullopt;
  FactorMatcher factors(context, pair);
  if (auto form = factors.match(bias, upToRowConstant))
    return form;
  TableMatcher table(context, pair, bias);
  if (auto form = table.match(upToRowConstant))
    return form;
  reason = table.isKnown() ? "its values are no slopes times distances of "
                             "query and key"
                           : factors.getReason();
  return std::nullopt;
}
