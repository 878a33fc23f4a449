//===- ExpressionInteger.cpp - Polynomials and division ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integer arithmetic of ExpressionContext: the polynomial normal form, floor
/// division and remainder where ranges decide them.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
/// Products of polynomials are multiplied out up to this many terms.
static constexpr size_t kMaxTerms = 32;
/// Monomials have up to this many factors.
static constexpr size_t kMaxFactors = 16;

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

void Polynomial::addScaled(const Polynomial &from, int64_t factor) {
  constant = wrapAdd(constant, wrapMul(from.constant, factor));
  for (auto [monomial, coefficient] : from.terms)
    terms.push_back({monomial, wrapMul(coefficient, factor)});
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
    polynomial.addScaled(getPolynomial(x), factor);
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
  return value && Interval::isOpen(*value);
}

Expr ExpressionContext::getAdd(Expr a, Expr b) {
  Polynomial result = getPolynomial(a);
  result.addScaled(getPolynomial(b), 1);
  return getPolynomial(std::move(result));
}

Expr ExpressionContext::getSub(Expr a, Expr b) {
  Polynomial result = getPolynomial(a);
  result.addScaled(getPolynomial(b), -1);
  return getPolynomial(std::move(result));
}

Expr ExpressionContext::getScaled(Expr a, int64_t factor) {
  Polynomial result;
  result.addScaled(getPolynomial(a), factor);
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

std::optional<SmallVector<Expr>> attn::divideMonomials(Expr a, Expr b) {
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
      quotient.addScaled(getPolynomial(part), 1);
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
  if (range.isBounded() && llvm::divideFloorSigned(range.lo, *constant) ==
                               llvm::divideFloorSigned(range.hi, *constant))
    return getAdd(q, llvm::divideFloorSigned(range.lo, *constant));
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
  if (range.isBounded() && llvm::divideFloorSigned(range.lo, *constant) ==
                               llvm::divideFloorSigned(range.hi, *constant))
    return getAdd(r, -*constant * llvm::divideFloorSigned(range.lo, *constant));
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
