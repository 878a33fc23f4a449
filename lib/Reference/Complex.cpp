//===- Complex.cpp - Ops of complex -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Complex numbers of two doubles. Rotary embeddings are often written so.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "IntegerMath.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

using Number = std::complex<double>;

template <auto fn>
static LogicalResult unary(Operation *, ArrayRef<Scalar> in,
                           MutableArrayRef<Scalar> out) {
  out[0] = fn(in[0].getComplex());
  return success();
}

template <auto fn>
static LogicalResult binary(Operation *, ArrayRef<Scalar> in,
                            MutableArrayRef<Scalar> out) {
  out[0] = fn(in[0].getComplex(), in[1].getComplex());
  return success();
}

template <auto fn>
static LogicalResult toReal(Operation *, ArrayRef<Scalar> in,
                            MutableArrayRef<Scalar> out) {
  out[0] = fn(in[0].getComplex());
  return success();
}

template <bool equal>
static LogicalResult compare(Operation *, ArrayRef<Scalar> in,
                             MutableArrayRef<Scalar> out) {
  out[0] =
      Scalar::fromBool((in[0].getComplex() == in[1].getComplex()) == equal);
  return success();
}

static LogicalResult evaluateCreate(Operation *, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
  out[0] = Number(in[0].getFloat(), in[1].getFloat());
  return success();
}

static Number sign(Number number) {
  double magnitude = std::abs(number);
  return magnitude == 0.0 ? number : number / magnitude;
}

/// The angle of `y` over `x`, by its definition through the logarithm.
static Number arcTangent(Number y, Number x) {
  constexpr Number i(0.0, 1.0);
  return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
}

static LogicalResult evaluatePowI(Operation *op, ArrayRef<Scalar> in,
                                  MutableArrayRef<Scalar> out) {
  Type type = getElementTypeOrSelf(op->getOperand(1).getType());
  double exponent = asSigned(in[1].getInteger(), type);
  out[0] = std::pow(in[0].getComplex(), exponent);
  return success();
}

static LogicalResult evaluateConstantOp(Evaluation &eval) {
  auto op = eval.getOp<complex::ConstantOp>();
  auto type = cast<ComplexType>(op.getType());
  double parts[2];
  for (unsigned part = 0; part < 2; ++part) {
    FailureOr<RuntimeValue> value =
        evaluateConstant(eval, op.getValue()[part], type.getElementType());
    if (failed(value))
      return failure();
    parts[part] = value->getFloat();
  }
  eval.setResult(0, Scalar(Number(parts[0], parts[1])));
  return success();
}

void reference::registerComplexHandlers(HandlerRegistry &registry) {
  using C = Number;
  registry.addHandler<complex::ConstantOp>(evaluateConstantOp);
  registry.addKernel<complex::CreateOp>(evaluateCreate);
  registry.addKernel<complex::EqualOp>(compare<true>);
  registry.addKernel<complex::NotEqualOp>(compare<false>);

  registry.addKernel<complex::ReOp>(toReal<[](C x) { return x.real(); }>);
  registry.addKernel<complex::ImOp>(toReal<[](C x) { return x.imag(); }>);
  registry.addKernel<complex::AbsOp>(toReal<[](C x) { return std::abs(x); }>);
  registry.addKernel<complex::AngleOp>(toReal<[](C x) { return std::arg(x); }>);

  registry.addKernel<complex::AddOp>(binary<[](C a, C b) { return a + b; }>);
  registry.addKernel<complex::SubOp>(binary<[](C a, C b) { return a - b; }>);
  registry.addKernel<complex::MulOp>(binary<[](C a, C b) { return a * b; }>);
  registry.addKernel<complex::DivOp>(binary<[](C a, C b) { return a / b; }>);
  registry.addKernel<complex::PowOp>(
      binary<[](C a, C b) { return std::pow(a, b); }>);
  registry.addKernel<complex::PowiOp>(evaluatePowI);
  registry.addKernel<complex::Atan2Op>(binary<arcTangent>);

  registry.addKernel<complex::NegOp>(unary<[](C x) { return -x; }>);
  registry.addKernel<complex::ConjOp>(unary<[](C x) { return std::conj(x); }>);
  registry.addKernel<complex::ExpOp>(unary<[](C x) { return std::exp(x); }>);
  registry.addKernel<complex::Expm1Op>(
      unary<[](C x) { return std::exp(x) - 1.0; }>);
  registry.addKernel<complex::Log1pOp>(
      unary<[](C x) { return std::log(1.0 + x); }>);
  registry.addKernel<complex::LogOp>(unary<[](C x) { return std::log(x); }>);
  registry.addKernel<complex::SqrtOp>(unary<[](C x) { return std::sqrt(x); }>);
  registry.addKernel<complex::RsqrtOp>(
      unary<[](C x) { return 1.0 / std::sqrt(x); }>);
  registry.addKernel<complex::SinOp>(unary<[](C x) { return std::sin(x); }>);
  registry.addKernel<complex::CosOp>(unary<[](C x) { return std::cos(x); }>);
  registry.addKernel<complex::TanOp>(unary<[](C x) { return std::tan(x); }>);
  registry.addKernel<complex::TanhOp>(unary<[](C x) { return std::tanh(x); }>);
  registry.addKernel<complex::SignOp>(unary<sign>);
}
