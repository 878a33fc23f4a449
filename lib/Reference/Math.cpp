//===- Math.cpp - Ops of math -----------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of math through those of the C library in double precision.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "IntegerMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

template <double (*fn)(double)>
static LogicalResult unary(Operation *, ArrayRef<Scalar> in,
                           MutableArrayRef<Scalar> out) {
  out[0] = fn(in[0].getFloat());
  return success();
}

template <double (*fn)(double, double)>
static LogicalResult binary(Operation *, ArrayRef<Scalar> in,
                            MutableArrayRef<Scalar> out) {
  out[0] = fn(in[0].getFloat(), in[1].getFloat());
  return success();
}

template <bool (*fn)(double)>
static LogicalResult predicate(Operation *, ArrayRef<Scalar> in,
                               MutableArrayRef<Scalar> out) {
  out[0] = Scalar::fromBool(fn(in[0].getFloat()));
  return success();
}

static double reciprocalSquareRoot(double x) { return 1.0 / std::sqrt(x); }

static LogicalResult evaluateFma(Operation *, ArrayRef<Scalar> in,
                                 MutableArrayRef<Scalar> out) {
  out[0] = std::fma(in[0].getFloat(), in[1].getFloat(), in[2].getFloat());
  return success();
}

static LogicalResult evaluateClamp(Operation *, ArrayRef<Scalar> in,
                                   MutableArrayRef<Scalar> out) {
  double value = in[0].getFloat();
  // A comparison with NaN is false, so that NaN stays.
  if (value > in[2].getFloat())
    value = in[2].getFloat();
  if (value < in[1].getFloat())
    value = in[1].getFloat();
  out[0] = value;
  return success();
}

static LogicalResult evaluateSincos(Operation *, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
  out[0] = std::sin(in[0].getFloat());
  out[1] = std::cos(in[0].getFloat());
  return success();
}

static LogicalResult evaluateFPowI(Operation *op, ArrayRef<Scalar> in,
                                   MutableArrayRef<Scalar> out) {
  Type type = getElementTypeOrSelf(op->getOperand(1).getType());
  double exponent = asSigned(in[1].getInteger(), type);
  out[0] = std::pow(in[0].getFloat(), exponent);
  return success();
}

static LogicalResult evaluateIPowI(Operation *op, ArrayRef<Scalar> in,
                                   MutableArrayRef<Scalar> out) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  int64_t base = asSigned(in[0].getInteger(), type);
  int64_t exponent = asSigned(in[1].getInteger(), type);
  if (exponent < 0) {
    if (base == 0)
      return op->emitError("zero to a negative power");
    // Only 1 and -1 have an integer reciprocal; the rest rounds to zero.
    if (base != 1 && base != -1)
      base = 0;
    exponent &= 1;
    exponent += 2;
  }
  uint64_t power = base;
  uint64_t result = 1;
  for (uint64_t rest = exponent; rest != 0; rest >>= 1) {
    if (rest & 1)
      result *= power;
    power *= power;
  }
  out[0] = canonicalizeInteger(result, type);
  return success();
}

template <uint64_t (*fn)(int64_t, Type)>
static LogicalResult unaryInteger(Operation *op, ArrayRef<Scalar> in,
                                  MutableArrayRef<Scalar> out) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  out[0] = canonicalizeInteger(fn(in[0].getInteger(), type), type);
  return success();
}

static uint64_t absolute(int64_t value, Type type) {
  value = asSigned(value, type);
  return value < 0 ? -static_cast<uint64_t>(value) : value;
}

static uint64_t countLeadingZeros(int64_t value, Type type) {
  return llvm::countl_zero(asUnsigned(value, type)) -
         (64 - getIntegerWidth(type));
}

static uint64_t countTrailingZeros(int64_t value, Type type) {
  return std::min<uint64_t>(llvm::countr_zero(asUnsigned(value, type)),
                            getIntegerWidth(type));
}

static uint64_t countOnes(int64_t value, Type type) {
  return llvm::popcount(asUnsigned(value, type));
}

void reference::registerMathHandlers(HandlerRegistry &registry) {
  registry.addKernel<math::AbsFOp>(unary<std::fabs>);
  registry.addKernel<math::AcosOp>(unary<std::acos>);
  registry.addKernel<math::AcoshOp>(unary<std::acosh>);
  registry.addKernel<math::AsinOp>(unary<std::asin>);
  registry.addKernel<math::AsinhOp>(unary<std::asinh>);
  registry.addKernel<math::AtanOp>(unary<std::atan>);
  registry.addKernel<math::AtanhOp>(unary<std::atanh>);
  registry.addKernel<math::CbrtOp>(unary<std::cbrt>);
  registry.addKernel<math::CeilOp>(unary<std::ceil>);
  registry.addKernel<math::CosOp>(unary<std::cos>);
  registry.addKernel<math::CoshOp>(unary<std::cosh>);
  registry.addKernel<math::ErfOp>(unary<std::erf>);
  registry.addKernel<math::ErfcOp>(unary<std::erfc>);
  registry.addKernel<math::ExpOp>(unary<std::exp>);
  registry.addKernel<math::Exp2Op>(unary<std::exp2>);
  registry.addKernel<math::ExpM1Op>(unary<std::expm1>);
  registry.addKernel<math::FloorOp>(unary<std::floor>);
  registry.addKernel<math::LogOp>(unary<std::log>);
  registry.addKernel<math::Log10Op>(unary<std::log10>);
  registry.addKernel<math::Log1pOp>(unary<std::log1p>);
  registry.addKernel<math::Log2Op>(unary<std::log2>);
  registry.addKernel<math::RoundOp>(unary<std::round>);
  // The default rounding mode takes ties to even.
  registry.addKernel<math::RoundEvenOp>(unary<std::nearbyint>);
  registry.addKernel<math::RsqrtOp>(unary<reciprocalSquareRoot>);
  registry.addKernel<math::SinOp>(unary<std::sin>);
  registry.addKernel<math::SinhOp>(unary<std::sinh>);
  registry.addKernel<math::SqrtOp>(unary<std::sqrt>);
  registry.addKernel<math::TanOp>(unary<std::tan>);
  registry.addKernel<math::TanhOp>(unary<std::tanh>);
  registry.addKernel<math::TruncOp>(unary<std::trunc>);
  registry.addKernel<math::SincosOp>(evaluateSincos);

  registry.addKernel<math::Atan2Op>(binary<std::atan2>);
  registry.addKernel<math::CopySignOp>(binary<std::copysign>);
  registry.addKernel<math::PowFOp>(binary<std::pow>);
  registry.addKernel<math::FmaOp>(evaluateFma);
  registry.addKernel<math::ClampFOp>(evaluateClamp);
  registry.addKernel<math::FPowIOp>(evaluateFPowI);

  registry.addKernel<math::IsFiniteOp>(predicate<std::isfinite>);
  registry.addKernel<math::IsInfOp>(predicate<std::isinf>);
  registry.addKernel<math::IsNaNOp>(predicate<std::isnan>);
  registry.addKernel<math::IsNormalOp>(predicate<std::isnormal>);

  registry.addKernel<math::IPowIOp>(evaluateIPowI);
  registry.addKernel<math::AbsIOp>(unaryInteger<absolute>);
  registry.addKernel<math::CountLeadingZerosOp>(
      unaryInteger<countLeadingZeros>);
  registry.addKernel<math::CountTrailingZerosOp>(
      unaryInteger<countTrailingZeros>);
  registry.addKernel<math::CtPopOp>(unaryInteger<countOnes>);
}
