//===- AngleBuilder.cpp - Cosines and sines of angles -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reduction of angles, and sine and cosine of a quarter turn.
///
//===----------------------------------------------------------------------===//

#include "AngleBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::attn;

AngleForm::AngleForm(FloatType type, bool rounded, bool known)
    : angleType(rounded ? FloatType(Float32Type::get(type.getContext()))
                        : FloatType(Float64Type::get(type.getContext()))),
      wide(type.isF64()), inTurns(!wide && !rounded && known) {}

Value AngleBuilder::roundToInteger(Value x) {
  return math::FloorOp::create(b, body.addFloat(x, constant(x, 0.5)));
}

Value AngleBuilder::emitPolynomial(Value x, ArrayRef<double> coefficients) {
  Value result = constant(x, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    result = body.addFloat(body.mulFloat(result, x), constant(x, coefficient));
  return result;
}

CosSin AngleBuilder::emitFromTurns(Value turns) {
  // In [-1/2, 1/2], then in quarters: |x| = (quadrant + rest) / 4 with rest in
  // [-1/2, 1/2] and quadrant 0, 1 or 2.
  Value x =
      body.castFloat(subtract(turns, roundToInteger(turns)), b.getF32Type());
  Value quarters = body.mulFloat(body.absFloat(x), constant(x, 4));
  Value quadrant = roundToInteger(quarters);
  Value rest = subtract(quarters, quadrant);

  // Minimax polynomials of sin(pi/2 r) / r and cos(pi/2 r) in r^2 for |r| <=
  // 1/2; their errors are 3e-9 and 3e-8.
  Value square = body.mulFloat(rest, rest);
  Value sin = body.mulFloat(
      rest, emitPolynomial(square, {1.570796371, -0.6459634900, 0.07968022674,
                                    -0.004602177069}));
  Value cos =
      emitPolynomial(square, {1.0, -1.233697057, 0.2535986304, -0.02040835284});

  // By quadrant of |x|: cos, -sin, -cos and sin, cos, -sin. Comparisons of a
  // NaN fail, which leads to a NaN too.
  Value inFirst = compare(arith::CmpFPredicate::OEQ, quadrant, 0);
  Value inSecond = compare(arith::CmpFPredicate::OEQ, quadrant, 1);
  Value minusSin = body.negateFloat(sin), minusCos = body.negateFloat(cos);
  CosSin result;
  result.cos =
      body.select(inFirst, cos, body.select(inSecond, minusSin, minusCos));
  result.sin = body.select(inFirst, sin, body.select(inSecond, cos, minusSin));
  Value isNegative = compare(arith::CmpFPredicate::OLT, x, 0);
  result.sin =
      body.select(isNegative, body.negateFloat(result.sin), result.sin);
  return result;
}

Value AngleBuilder::emitAngle(Value position, Value frequency,
                              const AngleForm &form) {
  Value angle = body.mulFloat(body.castFloat(position, form.angleType),
                              body.castFloat(frequency, form.angleType));
  angle = body.castFloat(angle, b.getF64Type());
  if (!form.wide && !form.inTurns)
    angle = body.mulFloat(angle, constant(angle, 1 / turn));
  return angle;
}

CosSin AngleBuilder::emitCosSin(Value angle, const AngleForm &form) {
  if (form.wide)
    return {math::CosOp::create(b, angle), math::SinOp::create(b, angle)};
  return emitFromTurns(angle);
}

Value AngleBuilder::emitPhase(Value angle, Value phase, const AngleForm &form) {
  if (form.wide) {
    CosSin both = emitCosSin(angle, form);
    return body.select(compare(arith::CmpFPredicate::OGT, phase, 0), both.cos,
                       both.sin);
  }
  // A cosine is a sine a quarter turn ahead. What is reduced loses no bits by
  // the sum.
  Value reduced = subtract(angle, roundToInteger(angle));
  return emitFromTurns(body.addFloat(reduced, phase)).sin;
}

Value attn::createVector(OpBuilder &builder, Location loc,
                         ArrayRef<double> values, FloatType type) {
  SmallVector<Attribute> elements;
  for (double value : values)
    elements.push_back(builder.getFloatAttr(type, value));
  auto tensor =
      RankedTensorType::get(static_cast<int64_t>(elements.size()), type);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(tensor, elements));
}

Value attn::createFrequencies(OpBuilder &builder, Location loc,
                              ArrayRef<double> frequencies,
                              const AngleForm &form) {
  SmallVector<double> values(frequencies);
  if (form.inTurns)
    for (double &value : values)
      value /= turn;
  return createVector(builder, loc, values, form.angleType);
}
