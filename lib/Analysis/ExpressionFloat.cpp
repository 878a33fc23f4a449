//===- ExpressionFloat.cpp - Expressions of floating point ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Floating-point arithmetic, conversions and complex numbers of
/// ExpressionContext. Only rewrites that keep every rounding step are made.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/Expression.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static APFloat toAPFloat(Expr constant) {
  APFloat value(*constant->getConstantFloat());
  bool inexact = false;
  value.convert(cast<FloatType>(constant->getType()).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &inexact);
  return value;
}

static bool isCommutative(ExprKind kind) {
  switch (kind) {
  case ExprKind::AddF:
  case ExprKind::MulF:
  case ExprKind::MaximumF:
  case ExprKind::MinimumF:
  case ExprKind::MaxNumF:
  case ExprKind::MinNumF:
    return true;
  default:
    return false;
  }
}

/// Folds two constants in their own type.
static std::optional<APFloat> foldBinary(ExprKind kind, APFloat a,
                                         const APFloat &b) {
  constexpr auto mode = APFloat::rmNearestTiesToEven;
  switch (kind) {
  case ExprKind::AddF:
    a.add(b, mode);
    return a;
  case ExprKind::SubF:
    a.subtract(b, mode);
    return a;
  case ExprKind::MulF:
    a.multiply(b, mode);
    return a;
  case ExprKind::DivF:
    a.divide(b, mode);
    return a;
  case ExprKind::MaximumF:
    return maximum(a, b);
  case ExprKind::MinimumF:
    return minimum(a, b);
  case ExprKind::MaxNumF:
    return maxnum(a, b);
  case ExprKind::MinNumF:
    return minnum(a, b);
  default:
    return std::nullopt;
  }
}

/// 1 / c as a constant, if c and 1 / c are exact powers of two.
static std::optional<APFloat> getExactReciprocal(Expr constant) {
  APFloat inverse(0.0);
  if (!constant->isConstant() || !toAPFloat(constant).getExactInverse(&inverse))
    return std::nullopt;
  return inverse;
}

/// Applies an operation to both arms of a select of constants, where the other
/// operand (if any) is a constant: `(1 - select(c, 1, 0)) * k`.
Expr ExpressionContext::foldOverSelect(ExprKind kind, Expr a, Expr b) {
  bool first = a->is(ExprKind::Select);
  Expr select = first ? a : b;
  if (!select || !select->is(ExprKind::Select) ||
      !select->getOperand(1)->isConstant() ||
      !select->getOperand(2)->isConstant())
    return nullptr;
  Expr other = first ? b : a;
  if (other && !other->isConstant())
    return nullptr;
  Expr arms[2];
  for (unsigned i = 0; i < 2; ++i) {
    Expr arm = select->getOperand(i + 1);
    if (!b)
      arms[i] = getUnary(kind, arm);
    else
      arms[i] = first ? getBinary(kind, arm, b) : getBinary(kind, a, arm);
    if (!arms[i]->isConstant())
      return nullptr;
  }
  return getSelect(select->getOperand(0), arms[0], arms[1]);
}

Expr ExpressionContext::getUnary(ExprKind kind, Expr a) {
  if (kind == ExprKind::NegF) {
    if (a->isConstant())
      return getFloat(-*a->getConstantFloat(), a->getType());
    if (a->is(ExprKind::NegF))
      return a->getOperand(0);
    if (a->is(ExprKind::SubF))
      return getBinary(ExprKind::SubF, a->getOperand(1), a->getOperand(0));
    if (Expr folded = foldOverSelect(kind, a, nullptr))
      return folded;
  }
  if (kind == ExprKind::AbsF) {
    if (a->isConstant())
      return getFloat(std::fabs(*a->getConstantFloat()), a->getType());
    if (a->is(ExprKind::NegF))
      a = a->getOperand(0);
  }
  if (kind == ExprKind::Cos && a->is(ExprKind::NegF))
    a = a->getOperand(0);
  if ((kind == ExprKind::Sin || kind == ExprKind::Tanh) &&
      a->is(ExprKind::NegF))
    return getUnary(ExprKind::NegF, getUnary(kind, a->getOperand(0)));
  return makeOp(kind, a->getType(), {a});
}

Expr ExpressionContext::getBinary(ExprKind kind, Expr a, Expr b) {
  if (a->isConstant() && b->isConstant() && a->isFloat())
    if (auto folded = foldBinary(kind, toAPFloat(a), toAPFloat(b)))
      return getFloat(*folded, a->getType());
  if (Expr folded = foldOverSelect(kind, a, b))
    return folded;

  auto negated = [](Expr e) { return e->is(ExprKind::NegF); };
  auto negate = [&](Expr e) { return getUnary(ExprKind::NegF, e); };
  switch (kind) {
  case ExprKind::AddF:
    if (b->isConstantFloat(0))
      return a;
    if (a->isConstantFloat(0))
      return b;
    if (negated(a) && negated(b))
      return negate(getBinary(kind, a->getOperand(0), b->getOperand(0)));
    if (negated(b))
      return getBinary(ExprKind::SubF, a, b->getOperand(0));
    if (negated(a))
      return getBinary(ExprKind::SubF, b, a->getOperand(0));
    break;
  case ExprKind::SubF:
    if (b->isConstantFloat(0))
      return a;
    if (a->isConstantFloat(0))
      return negate(b);
    if (negated(a) && negated(b))
      return getBinary(kind, b->getOperand(0), a->getOperand(0));
    if (negated(b))
      return getBinary(ExprKind::AddF, a, b->getOperand(0));
    if (negated(a))
      return negate(getBinary(ExprKind::AddF, a->getOperand(0), b));
    break;
  case ExprKind::DivF:
    if (auto inverse = getExactReciprocal(b))
      return getBinary(ExprKind::MulF, a, getFloat(*inverse, b->getType()));
    [[fallthrough]];
  case ExprKind::MulF:
    if (b->isConstantFloat(1))
      return a;
    if (b->isConstantFloat(-1))
      return negate(a);
    if (kind == ExprKind::MulF && a->isConstantFloat(1))
      return b;
    if (kind == ExprKind::MulF && a->isConstantFloat(-1))
      return negate(b);
    if (negated(a) && negated(b))
      return getBinary(kind, a->getOperand(0), b->getOperand(0));
    if (negated(a))
      return negate(getBinary(kind, a->getOperand(0), b));
    if (negated(b))
      return negate(getBinary(kind, a, b->getOperand(0)));
    break;
  default:
    break;
  }
  // The start of a running maximum says nothing.
  double neutral = kind == ExprKind::MaximumF   ? -INFINITY
                   : kind == ExprKind::MinimumF ? INFINITY
                                                : 0.0;
  if (neutral != 0.0 && b->isConstantFloat(neutral))
    return a;
  if (neutral != 0.0 && a->isConstantFloat(neutral))
    return b;
  if (isCommutative(kind)) {
    bool swap = a->isConstant() != b->isConstant() ? a->isConstant()
                                                   : a->getId() > b->getId();
    if (swap)
      std::swap(a, b);
  }
  return makeOp(kind, a->getType(), {a, b});
}

Expr ExpressionContext::getFPowI(Expr base, Expr exponent) {
  if (exponent->isConstantInt(1))
    return base;
  if (exponent->isConstantInt(2))
    return getBinary(ExprKind::MulF, base, base);
  return makeOp(ExprKind::FPowI, base->getType(), {base, exponent});
}

Expr ExpressionContext::getCast(ExprKind kind, Expr a, Type type) {
  if (kind != ExprKind::SIToFP && a->getType() == type)
    return a;
  if (a->isConstant()) {
    if (kind != ExprKind::SIToFP)
      return getFloat(*a->getConstantFloat(), type);
    // Convert straight to the type: through f64 would round twice.
    APFloat value(cast<FloatType>(type).getFloatSemantics());
    value.convertFromAPInt(APInt(64, *a->getConstantInt(), /*isSigned=*/true),
                           /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    return getFloat(value, type);
  }
  if (a->is(ExprKind::Select) && a->getOperand(1)->isConstant() &&
      a->getOperand(2)->isConstant())
    return getSelect(a->getOperand(0), getCast(kind, a->getOperand(1), type),
                     getCast(kind, a->getOperand(2), type));
  // A rounding of an exact widening is a widening, or nothing, if the type is
  // at least as wide as the first one.
  if (kind == ExprKind::TruncF && a->is(ExprKind::ExtF) &&
      a->getOperand(0)->getType() == type)
    return a->getOperand(0);
  if (kind == ExprKind::ExtF && a->is(ExprKind::ExtF))
    a = a->getOperand(0);
  // Rounding commutes with a change of sign.
  if (a->is(ExprKind::NegF) && kind != ExprKind::SIToFP)
    return getUnary(ExprKind::NegF, getCast(kind, a->getOperand(0), type));
  return makeOp(kind, type, {a});
}

/// The integer of which `a` is the exact conversion, if it is one below the
/// precision of its type.
static Expr getExactInteger(ExpressionContext &context, Expr a) {
  auto type = cast<FloatType>(a->getType());
  int64_t limit = int64_t(1) << std::min(type.getFPMantissaWidth(), 53u);
  if (auto value = a->getConstantFloat()) {
    if (std::fabs(*value) < limit && std::trunc(*value) == *value)
      return context.getInt(static_cast<int64_t>(*value));
    return nullptr;
  }
  if (a->is(ExprKind::ExtF))
    return getExactInteger(context, a->getOperand(0));
  if (!a->is(ExprKind::SIToFP))
    return nullptr;
  Interval range = context.getRange(a->getOperand(0));
  if (range.lo <= -limit || range.hi >= limit)
    return nullptr;
  return a->getOperand(0);
}

Expr ExpressionContext::getFPToSI(Expr a, unsigned width) {
  if (Expr exact = getExactInteger(*this, a))
    return getTruncI(exact, width);
  if (a->is(ExprKind::Select) && a->getOperand(1)->isConstant() &&
      a->getOperand(2)->isConstant()) {
    Expr x = getExactInteger(*this, a->getOperand(1));
    Expr y = getExactInteger(*this, a->getOperand(2));
    if (x && y)
      return getTruncI(getSelect(a->getOperand(0), x, y), width);
  }
  if (a->is(ExprKind::Floor)) {
    Expr quotient = a->getOperand(0);
    // floor(a / b) with exact a and b below the precision is floor division: a
    // quotient just below an integer is further from it than half a unit in
    // the last place. Division by a power of two arrives as a product.
    if (quotient->is(ExprKind::DivF)) {
      Expr x = getExactInteger(*this, quotient->getOperand(0));
      Expr y = getExactInteger(*this, quotient->getOperand(1));
      if (x && y && proveNonNegative(x) && proveLess(getInt(0), y))
        return getTruncI(getFloorDiv(x, y), width);
    }
    if (quotient->is(ExprKind::MulF) && quotient->getOperand(1)->isConstant()) {
      auto inverse = getExactReciprocal(quotient->getOperand(1));
      Expr x = getExactInteger(*this, quotient->getOperand(0));
      if (inverse && x && inverse->isInteger()) {
        double divisor = 1.0 / *quotient->getOperand(1)->getConstantFloat();
        if (divisor >= 1 && divisor < 1e15)
          return getTruncI(
              getFloorDiv(x, getInt(static_cast<int64_t>(divisor))), width);
      }
    }
  }
  return makeOp(ExprKind::FPToSI, indexType, {a}, width);
}

Expr ExpressionContext::getComplex(Expr re, Expr im) {
  if (re->is(ExprKind::Re) && im->is(ExprKind::Im) &&
      re->getOperand(0) == im->getOperand(0))
    return re->getOperand(0);
  return makeOp(ExprKind::Complex, ComplexType::get(re->getType()), {re, im});
}

Expr ExpressionContext::getRe(Expr a) {
  if (a->is(ExprKind::Complex))
    return a->getOperand(0);
  return makeOp(ExprKind::Re, cast<ComplexType>(a->getType()).getElementType(),
                {a});
}

Expr ExpressionContext::getIm(Expr a) {
  if (a->is(ExprKind::Complex))
    return a->getOperand(1);
  return makeOp(ExprKind::Im, cast<ComplexType>(a->getType()).getElementType(),
                {a});
}
