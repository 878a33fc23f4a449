//===- LowerRotaryTable.cpp - Tables of cosines and sines -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An angle is a product in double precision, whose relative error of 2^-52
/// leaves 4e-9 radians at position 2^24. It is counted in turns, so that
/// reducing it is to subtract the nearest integer, which is exact. What is left
/// fits in f32, and sine and cosine of a quarter turn are short polynomials.
/// There is no call and no branch in the loop.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include <numbers>

using namespace mlir;
using namespace mlir::attn;

static constexpr double turn = 2 * std::numbers::pi;

namespace {
struct CosSin {
  Value cos, sin;
};

/// Float arithmetic of one body.
class AngleBuilder {
public:
  explicit AngleBuilder(PairBuilder &body)
      : body(body), b(body.getLoc(), body.getBuilder()) {}

  /// Cosine and sine of `turns` (f64), as f32.
  CosSin emitFromTurns(Value turns);
  /// Cosine and sine of `radians` (f64), as f64.
  CosSin emitFromRadians(Value radians);

private:
  Value constant(Value like, double value) {
    return body.floating(cast<FloatType>(like.getType()), value);
  }
  Value subtract(Value lhs, Value rhs) {
    return arith::SubFOp::create(b, lhs, rhs);
  }
  Value roundToInteger(Value x) {
    return math::FloorOp::create(b, body.addFloat(x, constant(x, 0.5)));
  }
  /// The polynomial in `x`, lowest coefficient first.
  Value emitPolynomial(Value x, ArrayRef<double> coefficients);
  Value compare(arith::CmpFPredicate predicate, Value lhs, double rhs) {
    return arith::CmpFOp::create(b, predicate, lhs, constant(lhs, rhs));
  }

  PairBuilder &body;
  ImplicitLocOpBuilder b;
};
} // namespace

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

CosSin AngleBuilder::emitFromRadians(Value radians) {
  return {math::CosOp::create(b, radians), math::SinOp::create(b, radians)};
}

namespace {
struct LowerRotaryTable : OpRewritePattern<RotaryTableOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RotaryTableOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The frequencies of the rule, rounded to `type`; in turns a position if
/// `inTurns`.
static Value createFrequencies(OpBuilder &builder, Location loc,
                               FrequenciesAttr rule, FloatType type,
                               bool inTurns) {
  SmallVector<Attribute> values;
  for (double frequency : rule.evaluate())
    values.push_back(
        builder.getFloatAttr(type, inTurns ? frequency / turn : frequency));
  auto tensor =
      RankedTensorType::get(static_cast<int64_t>(values.size()), type);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(tensor, values));
}

static void emitTableAsserts(RotaryTableOp op, Value frequencies,
                             PatternRewriter &rewriter) {
  PairBuilder builder(rewriter, op.getLoc());
  Value cos = op.getInits()[0], sin = op.getInits()[1];
  Value positions = op.getPositions();
  emitSameDimAssert(builder, op, "batch", {"outs", cos, 0},
                    {"positions", positions, 0});
  emitSameDimAssert(builder, op, "length", {"outs", cos, 1},
                    {"positions", positions, 1});
  emitSameDimAssert(
      builder, op, "number of pairs", {"outs", cos, 2},
      {op.getFrequencies() ? "frequencies" : "rule", frequencies, 0});
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    emitSameDimAssert(builder, op, name, {"sin", sin, d}, {"cos", cos, d});
  }
}

LogicalResult
LowerRotaryTable::matchAndRewrite(RotaryTableOp op,
                                  PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  Location loc = op.getLoc();
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getInits()[0].getType()));
  bool roundAngles = op.getAngles() == AngleType::F32;
  // Tables of f64 take the functions of the math library.
  bool wide = type.isF64();
  bool inTurns = !wide && !roundAngles && op.getRule();
  FloatType f64 = rewriter.getF64Type(), f32 = rewriter.getF32Type();
  Value frequencies = op.getFrequencies();
  if (!frequencies)
    frequencies = createFrequencies(rewriter, loc, *op.getRule(),
                                    roundAngles ? f32 : f64, inTurns);
  emitTableAsserts(op, frequencies, rewriter);

  AffineExpr batch, token, pair;
  bindDims(getContext(), batch, token, pair);
  auto maps = {AffineMap::get(3, 0, {batch, token}, getContext()),
               AffineMap::get(3, 0, pair)};
  double magnitude = op.getMagnitude().convertToDouble();
  auto generic = createParallelGeneric(
      rewriter, loc, {op.getPositions(), frequencies}, maps, op.getInits(),
      [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        FloatType angleType = roundAngles ? f32 : f64;
        Value angle = body.mulFloat(body.toFloat(args[0], angleType),
                                    body.castFloat(args[1], angleType));
        angle = body.castFloat(angle, f64);
        AngleBuilder angles(body);
        CosSin result;
        if (wide) {
          result = angles.emitFromRadians(angle);
        } else {
          if (!inTurns)
            angle = body.mulFloat(angle, body.floating(f64, 1 / turn));
          result = angles.emitFromTurns(angle);
        }
        auto finish = [&](Value x) {
          if (magnitude != 1)
            x = body.mulFloat(x, body.floating(wide ? f64 : f32, magnitude));
          return body.castFloat(x, type);
        };
        return {finish(result.cos), finish(result.sin)};
      });
  rewriter.replaceOp(op, generic.getResults());
  return success();
}

void attn::populateLowerRotaryTablePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRotaryTable>(patterns.getContext());
}
