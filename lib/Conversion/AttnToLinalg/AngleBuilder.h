//===- AngleBuilder.h - Cosines and sines of angles -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What rotary tables and sinusoidal encodings do with angles. An angle is a
/// product in double precision, whose relative error of 2^-52 leaves 4e-9
/// radians at position 2^24. It is counted in turns, so that reducing it is to
/// subtract the nearest integer, which is exact. What is left fits in f32, and
/// sine and cosine of a quarter turn are short polynomials. There is no call
/// and no branch in the loop.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOLINALG_ANGLEBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNTOLINALG_ANGLEBUILDER_H

#include "LoweringUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <numbers>

namespace mlir::attn {

/// A turn in radians.
constexpr double turn = 2 * std::numbers::pi;

struct CosSin {
  Value cos, sin;
};

/// How an op computes its angles: the type and the unit of frequencies, and
/// what becomes of their products with positions.
struct AngleForm {
  /// Results of `type`; with `rounded`, frequencies, positions and angles are
  /// rounded to f32. `known` are frequencies of the compiler's making.
  AngleForm(FloatType type, bool rounded, bool known);

  /// f64, or f32 if rounded.
  FloatType angleType;
  /// Whether the results are f64, which take the functions of the math library.
  bool wide;
  /// Whether frequencies are given in turns a position, not in radians.
  bool inTurns;
};

/// Float arithmetic of one body.
class AngleBuilder {
public:
  explicit AngleBuilder(PairBuilder &body)
      : body(body), b(body.getLoc(), body.getBuilder()) {}

  /// The product of a position and a frequency, as f64: in radians for wide
  /// results, else in turns.
  Value emitAngle(Value position, Value frequency, const AngleForm &form);
  /// Cosine and sine of an angle, as f64 for wide results, else as f32.
  CosSin emitCosSin(Value angle, const AngleForm &form);
  /// Its sine if `phase` (f64) is 0, its cosine if it is a quarter.
  Value emitPhase(Value angle, Value phase, const AngleForm &form);

private:
  Value constant(Value like, double value) {
    return body.floating(cast<FloatType>(like.getType()), value);
  }
  Value subtract(Value lhs, Value rhs) {
    return arith::SubFOp::create(b, lhs, rhs);
  }
  Value roundToInteger(Value x);
  /// The polynomial in `x`, lowest coefficient first.
  Value emitPolynomial(Value x, ArrayRef<double> coefficients);
  Value compare(arith::CmpFPredicate predicate, Value lhs, double rhs) {
    return arith::CmpFOp::create(b, predicate, lhs, constant(lhs, rhs));
  }
  /// Cosine and sine of `turns` (f64), as f32.
  CosSin emitFromTurns(Value turns);

  PairBuilder &body;
  ImplicitLocOpBuilder b;
};

/// A constant vector of `values`, rounded to `type`; of frequencies in radians
/// a position, if `form` wants that, in turns.
Value createVector(OpBuilder &builder, Location loc, ArrayRef<double> values,
                   FloatType type);
Value createFrequencies(OpBuilder &builder, Location loc,
                        ArrayRef<double> frequencies, const AngleForm &form);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOLINALG_ANGLEBUILDER_H
