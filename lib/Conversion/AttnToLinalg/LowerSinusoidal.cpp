//===- LowerSinusoidal.cpp - Sines and cosines of positions -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every element of an encoding has a frequency and a phase, a quarter turn for
/// a cosine. Both are vectors along the width: constants, or computed first if
/// the width is not known.
///
//===----------------------------------------------------------------------===//

#include "AngleBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
struct LowerSinusoidal : OpRewritePattern<SinusoidalOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SinusoidalOp op,
                                PatternRewriter &rewriter) const override;
};

/// What the elements of an encoding have along its width.
struct Wave {
  Value frequencies, phases;
};
} // namespace

static double getPhase(SinusoidalOp op, bool isSecond) {
  return isSecond == op.getCosineFirst() ? 0 : 0.25;
}

static Wave createWave(SinusoidalOp op, int64_t width,
                       PatternRewriter &rewriter, const AngleForm &form) {
  SmallVector<double> all = op.evaluateFrequencies(width);
  SmallVector<double> frequencies, phases;
  int64_t firsts = all.size();
  bool interleaved = op.getLayout() == SinusoidLayout::Interleaved;
  for (int64_t d = 0; d < width; ++d) {
    bool isSecond = interleaved ? d % 2 == 1 : d >= firsts;
    frequencies.push_back(all[interleaved ? d / 2 : d % firsts]);
    phases.push_back(getPhase(op, isSecond));
  }
  Location loc = op.getLoc();
  return {createFrequencies(rewriter, loc, frequencies, form),
          createVector(rewriter, loc, phases, rewriter.getF64Type())};
}

/// The frequency of number `index` (of type index), in radians a position.
static Value emitFrequency(SinusoidalOp op, PairBuilder &body, Value index,
                           Value width) {
  FloatType f64 = body.getBuilder().getF64Type();
  Value denominator = width;
  if (op.getDenominator() == SinusoidDenominator::MinusTwo)
    denominator = body.sub(width, body.index(2));
  Value exponent =
      arith::DivFOp::create(body.getBuilder(), body.getLoc(),
                            body.toFloat(body.mul(index, body.index(-2)), f64),
                            body.toFloat(denominator, f64));
  Value power = math::PowFOp::create(
      body.getBuilder(), body.getLoc(),
      body.floating(f64, op.getBase().convertToDouble()), exponent);
  Value isFirst = body.compare(arith::CmpIPredicate::eq, index, body.index(0));
  return body.select(isFirst, body.floating(f64, 1), power);
}

static Wave emitWave(SinusoidalOp op, PatternRewriter &rewriter,
                     const AngleForm &form) {
  Location loc = op.getLoc();
  FloatType f64 = rewriter.getF64Type();
  PairBuilder builder(rewriter, loc);
  Value width = builder.dim(op.getInits()[0], 2);
  Value firsts =
      builder.floorDiv(builder.add(width, builder.index(1)), builder.index(2));
  auto createInit = [&](FloatType type) -> Value {
    return tensor::EmptyOp::create(rewriter, loc, {OpFoldResult(width)}, type);
  };
  auto generic = createParallelGeneric(
      rewriter, loc, /*inputs=*/{}, /*inputMaps=*/{},
      {createInit(form.angleType), createInit(f64)},
      [&](PairBuilder &body, ValueRange) -> SmallVector<Value> {
        Value d = linalg::IndexOp::create(body.getBuilder(), loc, 0);
        Value index, isSecond;
        if (op.getLayout() == SinusoidLayout::Interleaved) {
          index = body.floorDiv(d, body.index(2));
          isSecond = body.compare(arith::CmpIPredicate::ne, d,
                                  body.mul(index, body.index(2)));
        } else {
          isSecond = body.compare(arith::CmpIPredicate::sge, d, firsts);
          index = body.select(isSecond, body.sub(d, firsts), d);
        }
        Value frequency = emitFrequency(op, body, index, width);
        if (form.inTurns)
          frequency = body.mulFloat(frequency, body.floating(f64, 1 / turn));
        Value phase =
            body.select(isSecond, body.floating(f64, getPhase(op, true)),
                        body.floating(f64, getPhase(op, false)));
        return {body.castFloat(frequency, form.angleType), phase};
      });
  return {generic.getResult(0), generic.getResult(1)};
}

/// The position times its scale, as a float of `type`.
static Value emitPosition(SinusoidalOp op, PairBuilder &body, Value position,
                          FloatType type) {
  FloatType f64 = body.getBuilder().getF64Type();
  Value number = isa<FloatType>(position.getType())
                     ? body.castFloat(position, f64)
                     : body.toFloat(position, f64);
  double scale = op.getPositionScale().convertToDouble();
  if (scale != 1)
    number = body.mulFloat(number, body.floating(f64, scale));
  return body.castFloat(number, type);
}

LogicalResult
LowerSinusoidal::matchAndRewrite(SinusoidalOp op,
                                 PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  Value init = op.getInits()[0], positions = op.getPositions();
  auto type = cast<FloatType>(getElementTypeOrSelf(init.getType()));
  PairBuilder builder(rewriter, op.getLoc());
  emitSameDimAssert(builder, op, "batch", {"outs", init, 0},
                    {"positions", positions, 0});
  emitSameDimAssert(builder, op, "length", {"outs", init, 1},
                    {"positions", positions, 1});
  AngleForm form(type, op.getAngles() == AngleType::F32, /*known=*/true);
  int64_t width = cast<ShapedType>(init.getType()).getDimSize(2);
  Wave wave = ShapedType::isDynamic(width)
                  ? emitWave(op, rewriter, form)
                  : createWave(op, width, rewriter, form);

  AffineExpr batch, token, feature;
  bindDims(getContext(), batch, token, feature);
  auto maps = {AffineMap::get(3, 0, {batch, token}, getContext()),
               AffineMap::get(3, 0, feature), AffineMap::get(3, 0, feature)};
  auto generic = createParallelGeneric(
      rewriter, op.getLoc(), {positions, wave.frequencies, wave.phases}, maps,
      init, [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        AngleBuilder angles(body);
        Value position = emitPosition(op, body, args[0], form.angleType);
        Value angle = angles.emitAngle(position, args[1], form);
        return {body.castFloat(angles.emitPhase(angle, args[2], form), type)};
      });
  rewriter.replaceOp(op, generic.getResults());
  return success();
}

void attn::populateLowerSinusoidalPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerSinusoidal>(patterns.getContext());
}
