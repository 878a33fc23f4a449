//===- ExpressionInteger.cpp - Polynomials, division and ranges -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integer arithmetic of ExpressionContext: the polynomial normal form, floor
/// division and remainder by ranges, interval analysis and cheap proofs.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/ConstantElements.h"
#include "attn/Analysis/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
/// Larger than any dimension of a tensor that fits in memory.
static constexpr int64_t kMaxSize = int64_t(1) << 48;
/// Products of polynomials are multiplied out up to this many terms.
static constexpr size_t kMaxTerms = 32;
/// Monomials have up to this many factors.
static constexpr size_t kMaxFactors = 16;

//===----------------------------------------------------------------------===//
// Interval arithmetic
//===----------------------------------------------------------------------===//

static bool isOpen(int64_t end) { return end == kMin || end == kMax; }

/// a + b, where an open end stays open on its side.
static int64_t addEnds(int64_t a, int64_t b) {
  if (isOpen(a))
    return a;
  if (isOpen(b))
    return b;
  int64_t result = 0;
  if (llvm::AddOverflow(a, b, result))
    return a > 0 ? kMax : kMin;
  return result;
}

static int64_t mulEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  int64_t result = 0;
  if (isOpen(a) || isOpen(b) || llvm::MulOverflow(a, b, result))
    return (a > 0) == (b > 0) ? kMax : kMin;
  return result;
}

static Interval addIntervals(Interval a, Interval b) {
  return {addEnds(a.lo, b.lo), addEnds(a.hi, b.hi)};
}

static Interval mulIntervals(Interval a, Interval b) {
  int64_t ends[] = {mulEnds(a.lo, b.lo), mulEnds(a.lo, b.hi),
                    mulEnds(a.hi, b.lo), mulEnds(a.hi, b.hi)};
  return {*llvm::min_element(ends), *llvm::max_element(ends)};
}

static int64_t floorDivide(int64_t a, int64_t b) {
  return isOpen(a) ? a : llvm::divideFloorSigned(a, b);
}

static Interval unite(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

static Interval intersect(Interval a, Interval b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

static Interval ofWidth(unsigned width) {
  if (width >= 64)
    return {};
  return {-(int64_t(1) << (width - 1)), (int64_t(1) << (width - 1)) - 1};
}

static Interval ofLoad(Expr load) {
  Value value = load->getValue();
  Type type = getElementTypeOrSelf(value.getType());
  Interval result;
  if (auto integer = dyn_cast<IntegerType>(type))
    result = ofWidth(integer.getWidth());
  if (auto elements = ConstantElements::get(value))
    if (auto range = elements->getIntRange())
      return {range->first, range->second};
  return result;
}

Interval ExpressionContext::computeRange(Expr expr) {
  auto operand = [&](unsigned i) { return getRange(expr->getOperand(i)); };
  switch (expr->getKind()) {
  case ExprKind::Constant:
    return {*expr->getConstantInt(), *expr->getConstantInt()};
  case ExprKind::Index:
  case ExprKind::Bound: {
    int64_t hi = getRange(expr->getExtent()).hi;
    return {0, std::max<int64_t>(0, isOpen(hi) ? kMaxSize : hi - 1)};
  }
  case ExprKind::Dim:
    return {0, kMaxSize};
  case ExprKind::Load:
    return ofLoad(expr);
  case ExprKind::Sum: {
    Interval result = {expr->getConstantTerm(), expr->getConstantTerm()};
    for (auto [index, factor] : llvm::enumerate(expr->getCoefficients()))
      result =
          addIntervals(result, mulIntervals(operand(index), {factor, factor}));
    return result;
  }
  case ExprKind::Product: {
    Interval result = {1, 1};
    for (unsigned i = 0; i < expr->getNumOperands(); ++i)
      result = mulIntervals(result, operand(i));
    return result;
  }
  case ExprKind::FloorDiv: {
    Interval a = operand(0), b = operand(1);
    if (b.lo == b.hi && b.lo > 0)
      return {floorDivide(a.lo, b.lo), floorDivide(a.hi, b.lo)};
    if (a.lo >= 0 && b.lo >= 0)
      return {0, a.hi};
    return {};
  }
  case ExprKind::Mod: {
    Interval a = operand(0), b = operand(1);
    if (b.lo < 0)
      return {};
    Interval result = {0, isOpen(b.hi) ? b.hi : std::max<int64_t>(b.hi - 1, 0)};
    return a.lo >= 0 ? intersect(result, {0, a.hi}) : result;
  }
  case ExprKind::DivSI: {
    Interval a = operand(0);
    if (isOpen(a.lo) || isOpen(a.hi))
      return {};
    int64_t magnitude = std::max(std::abs(a.lo), std::abs(a.hi));
    return {-magnitude, magnitude};
  }
  case ExprKind::MaxSI:
    return {std::max(operand(0).lo, operand(1).lo),
            std::max(operand(0).hi, operand(1).hi)};
  case ExprKind::MinSI:
    return {std::min(operand(0).lo, operand(1).lo),
            std::min(operand(0).hi, operand(1).hi)};
  case ExprKind::AbsI: {
    Interval a = operand(0);
    if (isOpen(a.lo) || isOpen(a.hi))
      return {0, kMax};
    return {0, std::max(std::abs(a.lo), std::abs(a.hi))};
  }
  case ExprKind::TruncI:
  case ExprKind::FPToSI:
    return ofWidth(expr->getWidth());
  case ExprKind::ExtUI:
    return {0, (int64_t(1) << std::min(expr->getWidth(), 62u)) - 1};
  case ExprKind::Select:
    return unite(operand(1), operand(2));
  case ExprKind::Reduce: {
    Interval init = getRange(expr->getInit()), body = getRange(expr->getBody());
    if (expr->getCombiner() == ExprKind::MaxSI ||
        expr->getCombiner() == ExprKind::MinSI)
      return unite(init, body);
    if (expr->getCombiner() != ExprKind::Sum)
      return {};
    Interval count = {1, 1};
    for (Expr variable : expr->getVariables())
      count = mulIntervals(count, {0, getRange(variable->getExtent()).hi});
    return addIntervals(init, mulIntervals(body, count));
  }
  default:
    return {};
  }
}

Interval ExpressionContext::getRange(Expr expr) {
  if (!expr->isInteger())
    return {};
  if (auto it = ranges.find(expr); it != ranges.end())
    return it->second;
  Interval result = computeRange(expr);
  ranges[expr] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

Polynomial ExpressionContext::getPolynomial(Expr expr) const {
  Polynomial result;
  if (auto value = expr->getConstantInt()) {
    result.constant = *value;
    return result;
  }
  if (!expr->is(ExprKind::Sum)) {
    result.terms.push_back({expr, 1});
    return result;
  }
  result.constant = expr->getConstantTerm();
  for (auto [operand, factor] :
       llvm::zip_equal(expr->getOperands(), expr->getCoefficients()))
    result.terms.push_back({operand, factor});
  return result;
}

// Coefficients wrap like the 64-bit arithmetic of the program.
static int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
static int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

static void addScaled(Polynomial &to, const Polynomial &from, int64_t factor) {
  to.constant = wrapAdd(to.constant, wrapMul(from.constant, factor));
  for (auto [monomial, coefficient] : from.terms)
    to.terms.push_back({monomial, wrapMul(coefficient, factor)});
}

/// Sorts the terms and merges equal monomials.
static void sortTerms(Polynomial &polynomial) {
  auto &terms = polynomial.terms;
  llvm::sort(terms, [](const auto &a, const auto &b) {
    return a.first->getId() < b.first->getId();
  });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (kept && terms[kept - 1].first == terms[i].first)
      terms[kept - 1].second = wrapAdd(terms[kept - 1].second, terms[i].second);
    else
      terms[kept++] = terms[i];
    if (terms[kept - 1].second == 0)
      --kept;
  }
  terms.truncate(kept);
}

/// Finds c * (x floordiv c) + (x mod c), which is x, or the same within a
/// number of digits, c * ((x floordiv c) mod k) + (x mod c), which is x mod ck.
/// The two terms are removed and (x, factor) is returned; null if there is
/// none.
static Expr takeDivMod(ExpressionContext &context, Polynomial &polynomial,
                       int64_t &factor) {
  for (auto [i, mod] : llvm::enumerate(polynomial.terms)) {
    if (!mod.first->is(ExprKind::Mod))
      continue;
    auto divisor = mod.first->getOperand(1)->getConstantInt();
    if (!divisor)
      continue;
    for (auto [j, div] : llvm::enumerate(polynomial.terms)) {
      Expr quotient = div.first;
      if (quotient->is(ExprKind::Mod))
        quotient = quotient->getOperand(0);
      if (!quotient->is(ExprKind::FloorDiv) ||
          quotient->getOperands() != mod.first->getOperands() ||
          div.second != mod.second * *divisor)
        continue;
      Expr x = mod.first->getOperand(0);
      if (quotient != div.first)
        x = context.getMod(
            x, context.getScaled(div.first->getOperand(1), *divisor));
      factor = mod.second;
      polynomial.terms.erase(polynomial.terms.begin() + std::max(i, j));
      polynomial.terms.erase(polynomial.terms.begin() + std::min(i, j));
      return x;
    }
  }
  return nullptr;
}

Expr ExpressionContext::getPolynomial(Polynomial polynomial) {
  sortTerms(polynomial);
  int64_t factor = 0;
  while (Expr x = takeDivMod(*this, polynomial, factor)) {
    addScaled(polynomial, getPolynomial(x), factor);
    sortTerms(polynomial);
  }
  auto &terms = polynomial.terms;
  if (terms.empty())
    return getInt(polynomial.constant);
  if (terms.size() == 1) {
    auto [term, coefficient] = terms.front();
    if (coefficient == 1 && polynomial.constant == 0)
      return term;
    if (term->is(ExprKind::Select)) {
      auto a = term->getOperand(1)->getConstantInt();
      auto b = term->getOperand(2)->getConstantInt();
      if (a && b)
        return getSelect(term->getOperand(0),
                         getInt(polynomial.constant + coefficient * *a),
                         getInt(polynomial.constant + coefficient * *b));
    }
  }
  SmallVector<Expr> operands;
  SmallVector<int64_t> coefficients;
  for (auto [term, coefficient] : terms) {
    operands.push_back(term);
    coefficients.push_back(coefficient);
  }
  ExprNode node;
  node.kind = ExprKind::Sum;
  node.type = indexType;
  node.operands = operands;
  node.coefficients = coefficients;
  node.data = polynomial.constant;
  return make(node);
}

/// The least or the greatest 64-bit integer, which starts a running maximum or
/// minimum.
static bool isLimit(Expr expr) {
  auto value = expr->getConstantInt();
  return value && isOpen(*value);
}

Expr ExpressionContext::getAdd(Expr a, Expr b) {
  Polynomial result = getPolynomial(a);
  addScaled(result, getPolynomial(b), 1);
  return getPolynomial(std::move(result));
}

Expr ExpressionContext::getSub(Expr a, Expr b) {
  Polynomial result = getPolynomial(a);
  addScaled(result, getPolynomial(b), -1);
  return getPolynomial(std::move(result));
}

Expr ExpressionContext::getScaled(Expr a, int64_t factor) {
  Polynomial result;
  addScaled(result, getPolynomial(a), factor);
  return getPolynomial(std::move(result));
}

Expr ExpressionContext::getProduct(Expr a, Expr b) {
  SmallVector<Expr> factors = llvm::to_vector(getFactors(a));
  llvm::append_range(factors, getFactors(b));
  // Repeated squaring must not grow without bound.
  if (factors.size() > kMaxFactors)
    factors = {a, b};
  llvm::sort(factors, [](Expr x, Expr y) { return x->getId() < y->getId(); });
  return makeOp(ExprKind::Product, indexType, factors);
}

Expr ExpressionContext::getMul(Expr a, Expr b) {
  if (auto factor = a->getConstantInt())
    return getScaled(b, *factor);
  if (auto factor = b->getConstantInt())
    return getScaled(a, *factor);
  Polynomial pa = getPolynomial(a), pb = getPolynomial(b);
  if ((pa.terms.size() + 1) * (pb.terms.size() + 1) > kMaxTerms)
    return getProduct(a, b);
  Polynomial result;
  result.constant = wrapMul(pa.constant, pb.constant);
  for (auto [monomial, coefficient] : pa.terms)
    result.terms.push_back({monomial, wrapMul(coefficient, pb.constant)});
  for (auto [monomial, coefficient] : pb.terms)
    result.terms.push_back({monomial, wrapMul(coefficient, pa.constant)});
  for (auto [x, cx] : pa.terms)
    for (auto [y, cy] : pb.terms)
      result.terms.push_back({getProduct(x, y), wrapMul(cx, cy)});
  return getPolynomial(std::move(result));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// The factors of `a` without those of `b`, or nothing if b does not divide a.
static std::optional<SmallVector<Expr>> divideMonomials(Expr a, Expr b) {
  SmallVector<Expr> rest = llvm::to_vector(getFactors(a));
  for (Expr factor : getFactors(b)) {
    auto it = llvm::find(rest, factor);
    if (it == rest.end())
      return std::nullopt;
    rest.erase(it);
  }
  return rest;
}

/// a = quotient * b + rest by leading terms; exact, whatever the rest is.
void ExpressionContext::divide(const Polynomial &a, const Polynomial &b,
                               Polynomial &quotient, Polynomial &rest) {
  rest = a;
  if (b.terms.empty()) {
    Polynomial left;
    quotient.constant = a.constant / b.constant;
    left.constant = a.constant % b.constant;
    if (left.constant < 0) {
      left.constant += b.constant;
      --quotient.constant;
    }
    for (auto [monomial, coefficient] : a.terms) {
      if (int64_t part = coefficient / b.constant)
        quotient.terms.push_back({monomial, part});
      if (int64_t part = coefficient % b.constant)
        left.terms.push_back({monomial, part});
    }
    rest = left;
    return;
  }
  // The term with most factors leads.
  auto lead = *std::max_element(
      b.terms.begin(), b.terms.end(), [](const auto &x, const auto &y) {
        return std::make_pair(getFactors(x.first).size(), x.first->getId()) <
               std::make_pair(getFactors(y.first).size(), y.first->getId());
      });
  Expr divisor = getPolynomial(b);
  for (unsigned round = 0; round < kMaxTerms; ++round) {
    bool found = false;
    for (auto [monomial, coefficient] : rest.terms) {
      auto factors = divideMonomials(monomial, lead.first);
      if (!factors || coefficient == kMin || coefficient / lead.second == 0)
        continue;
      Expr part = getInt(coefficient / lead.second);
      for (Expr factor : *factors)
        part = getMul(part, factor);
      addScaled(quotient, getPolynomial(part), 1);
      Expr left = getSub(getPolynomial(rest), getMul(part, divisor));
      rest = getPolynomial(left);
      found = true;
      break;
    }
    if (!found)
      return;
  }
}

/// Splits `rest` into high + low, where g divides g-multiples `high` and low is
/// in [0, g) for a proper divisor g > 1 of c. Returns g, or 0.
static int64_t splitDigits(ExpressionContext &context, const Polynomial &rest,
                           int64_t c, Polynomial &high, Polynomial &low) {
  for (auto [unused, candidate] : rest.terms) {
    if (candidate == kMin)
      continue;
    int64_t g = std::gcd(c, candidate);
    if (g <= 1)
      continue;
    high = low = Polynomial();
    low.constant = ((rest.constant % g) + g) % g;
    high.constant = rest.constant - low.constant;
    for (auto term : rest.terms)
      (term.second % g == 0 ? high : low).terms.push_back(term);
    Interval range = context.getRange(context.getPolynomial(low));
    if (range.lo >= 0 && range.hi < g)
      return g;
  }
  return 0;
}

static Polynomial dividedBy(Polynomial polynomial, int64_t g) {
  polynomial.constant /= g;
  for (auto &term : polynomial.terms)
    term.second /= g;
  return polynomial;
}

Expr ExpressionContext::getFloorDiv(Expr a, Expr b) {
  if (b->isConstantInt(1))
    return a;
  auto constant = b->getConstantInt();
  if (constant && (*constant == 0 || *constant == kMin))
    return makeOp(ExprKind::FloorDiv, indexType, {a, b});
  if (constant && *constant < 0)
    return getFloorDiv(getScaled(a, -1), getInt(-*constant));

  Polynomial quotient, rest;
  divide(getPolynomial(a), getPolynomial(b), quotient, rest);
  Expr q = getPolynomial(quotient), r = getPolynomial(rest);
  if (r->isConstantInt(0))
    return q;
  if (!constant) {
    if (proveNonNegative(r) && proveLess(r, b))
      return q;
    return getAdd(q, makeOp(ExprKind::FloorDiv, indexType, {r, b}));
  }

  Interval range = getRange(r);
  if (!isOpen(range.lo) && !isOpen(range.hi) &&
      floorDivide(range.lo, *constant) == floorDivide(range.hi, *constant))
    return getAdd(q, floorDivide(range.lo, *constant));
  if (proveNonNegative(r) && proveLess(r, b))
    return q;
  Polynomial high, low;
  if (int64_t g = splitDigits(*this, rest, *constant, high, low))
    return getAdd(q, getFloorDiv(getPolynomial(dividedBy(high, g)),
                                 getInt(*constant / g)));
  if (r->is(ExprKind::Mod)) {
    // Digits of one number: the remainder is taken last.
    auto inner = r->getOperand(1)->getConstantInt();
    if (inner && *inner % *constant == 0)
      return getAdd(q, getMod(getFloorDiv(r->getOperand(0), b),
                              getInt(*inner / *constant)));
  }
  if (r->is(ExprKind::FloorDiv)) {
    auto inner = r->getOperand(1)->getConstantInt();
    if (inner && *inner > 0)
      return getAdd(q,
                    getFloorDiv(r->getOperand(0), getInt(*inner * *constant)));
  }
  return getAdd(q, makeOp(ExprKind::FloorDiv, indexType, {r, b}));
}

Expr ExpressionContext::getMod(Expr a, Expr b) {
  if (b->isConstantInt(1))
    return getInt(0);
  auto constant = b->getConstantInt();
  if (constant && *constant <= 0)
    return makeOp(ExprKind::Mod, indexType, {a, b});

  Polynomial quotient, rest;
  divide(getPolynomial(a), getPolynomial(b), quotient, rest);
  Expr r = getPolynomial(rest);
  if (proveNonNegative(r) && proveLess(r, b))
    return r;
  if (!constant)
    return makeOp(ExprKind::Mod, indexType, {r, b});

  Interval range = getRange(r);
  if (!isOpen(range.lo) && !isOpen(range.hi) &&
      floorDivide(range.lo, *constant) == floorDivide(range.hi, *constant))
    return getAdd(r, -*constant * floorDivide(range.lo, *constant));
  Polynomial high, low;
  if (int64_t g = splitDigits(*this, rest, *constant, high, low))
    return getAdd(getScaled(getMod(getPolynomial(dividedBy(high, g)),
                                   getInt(*constant / g)),
                            g),
                  getPolynomial(low));
  if (r->is(ExprKind::Mod)) {
    auto inner = r->getOperand(1)->getConstantInt();
    if (inner && *inner % *constant == 0)
      return getMod(r->getOperand(0), b);
  }
  return makeOp(ExprKind::Mod, indexType, {r, b});
}

Expr ExpressionContext::getLess(Expr a, Expr b) {
  if (isLimit(a) || isLimit(b))
    return getNot(getAtMost(b, a));
  return getGe0(getAdd(getSub(b, a), -1));
}

Expr ExpressionContext::getAtMost(Expr a, Expr b) {
  // The difference to a limit of the type would wrap.
  if (a->isConstantInt(kMin) || b->isConstantInt(kMax))
    return getBool(true);
  if (a->isConstantInt(kMax))
    return getEq0(getSub(b, a));
  if (b->isConstantInt(kMin))
    return getEq0(getSub(a, b));
  return getGe0(getSub(b, a));
}

bool ExpressionContext::proveAtMost(Expr a, Expr b) {
  if (isLimit(a) || isLimit(b))
    return getAtMost(a, b)->isTrue();
  return proveNonNegative(getSub(b, a));
}

Expr ExpressionContext::getMax(Expr a, Expr b) {
  if (proveAtMost(a, b))
    return b;
  if (proveAtMost(b, a))
    return a;
  if (a->getId() > b->getId())
    std::swap(a, b);
  return makeOp(ExprKind::MaxSI, indexType, {a, b});
}

Expr ExpressionContext::getMin(Expr a, Expr b) {
  if (proveAtMost(a, b))
    return a;
  if (proveAtMost(b, a))
    return b;
  if (a->getId() > b->getId())
    std::swap(a, b);
  return makeOp(ExprKind::MinSI, indexType, {a, b});
}

Expr ExpressionContext::getAbsI(Expr a) {
  if (proveNonNegative(a))
    return a;
  Expr opposite = getScaled(a, -1);
  if (proveNonNegative(opposite))
    return opposite;
  // |a| and |-a| are one: the first term gets a positive coefficient.
  Polynomial polynomial = getPolynomial(a);
  if (polynomial.terms.front().second < 0)
    a = opposite;
  return makeOp(ExprKind::AbsI, indexType, {a});
}

Expr ExpressionContext::getTruncI(Expr a, unsigned width) {
  if (width >= 64 || ofWidth(width).contains(getRange(a)))
    return a;
  return makeOp(ExprKind::TruncI, indexType, {a}, width);
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// The largest value of an atom that is bounded by an expression: a variable,
/// or a remainder by a symbol.
static Expr getSymbolicExtent(Expr atom) {
  if (atom->isVariable())
    return atom->getExtent();
  if (atom->is(ExprKind::Mod))
    return atom->getOperand(1);
  return nullptr;
}

bool ExpressionContext::proveNonNegative(Expr expr) {
  if (getRange(expr).lo >= 0)
    return true;
  // Put each variable with a symbolic bound at the end where the expression is
  // least, which its coefficient, a polynomial of known sign, tells.
  for (unsigned round = 0; round < 8; ++round) {
    Polynomial polynomial = getPolynomial(expr);
    Expr atom = nullptr;
    for (auto [monomial, unused] : polynomial.terms)
      for (Expr factor : getFactors(monomial))
        if (Expr extent = getSymbolicExtent(factor);
            extent && !extent->isConstant())
          atom = factor;
    if (!atom)
      return getRange(expr).lo >= 0;
    Polynomial coefficient, rest;
    rest.constant = polynomial.constant;
    for (auto [monomial, factor] : polynomial.terms) {
      auto others = divideMonomials(monomial, atom);
      if (!others) {
        rest.terms.push_back({monomial, factor});
        continue;
      }
      if (llvm::is_contained(*others, atom))
        return false;
      Expr part = getInt(factor);
      for (Expr other : *others)
        part = getMul(part, other);
      addScaled(coefficient, getPolynomial(part), 1);
    }
    Expr slope = getPolynomial(coefficient);
    Expr remainder = getPolynomial(rest);
    Interval range = getRange(slope);
    if (range.lo >= 0)
      expr = remainder;
    else if (range.hi <= 0)
      expr =
          getAdd(remainder, getMul(slope, getAdd(getSymbolicExtent(atom), -1)));
    else
      return false;
    if (getRange(expr).lo >= 0)
      return true;
  }
  return false;
}
