//===- ExpressionRange.cpp - Ranges and proofs of integers ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which integers an expression may be: interval analysis, and proofs that are
/// cheap because they only go through the terms of a polynomial.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/ConstantElements.h"
#include "attn/Analysis/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
/// Larger than any dimension of a tensor that fits in memory.
static constexpr int64_t kMaxSize = int64_t(1) << 48;

//===----------------------------------------------------------------------===//
// Interval arithmetic
//===----------------------------------------------------------------------===//

static bool isOpen(int64_t end) { return Interval::isOpen(end); }

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
      coefficient.addScaled(getPolynomial(part), 1);
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
