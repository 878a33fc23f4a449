//===- LowerRotaryTable.cpp - Cosines and sines of angles -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A table is one loop nest over frequencies that the compiler knows, that are
/// given, or that follow from the number of tokens in a loop of their own.
///
//===----------------------------------------------------------------------===//

#include "AngleBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

namespace {
struct LowerRotaryTable : OpRewritePattern<RotaryTableOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RotaryTableOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The frequencies of `dynamic_ntk` for `length` tokens, from the default ones
/// and the growth of the base.
static Value emitDynamic(PairBuilder &body, Value growth, Value frequency,
                         Value exponent) {
  Value power =
      math::PowFOp::create(body.getBuilder(), body.getLoc(), growth, exponent);
  return body.mulFloat(frequency, power);
}

/// By how much `dynamic_ntk` enlarges the base: 1 up to the original length.
static Value emitGrowth(PairBuilder &builder, FrequenciesAttr rule,
                        Value length, Value isLonger) {
  auto type = cast<FloatType>(length.getType());
  double factor = rule.getParameter("factor");
  Value growth = builder.mulFloat(
      builder.floating(type, factor / rule.getParameter("original_length")),
      length);
  growth = builder.addFloat(growth, builder.floating(type, 1 - factor));
  return builder.select(isLonger, growth, builder.floating(type, 1));
}

/// The frequencies of a rule that depends on the number of tokens.
static Value emitFrequencies(RotaryTableOp op, PatternRewriter &rewriter,
                             const AngleForm &form) {
  Location loc = op.getLoc();
  FrequenciesAttr rule = *op.getRule();
  SectionsAttr sections = op.getSectionsAttr();
  FloatType f64 = rewriter.getF64Type();
  PairBuilder builder(rewriter, loc);
  Value length = builder.toFloat(op.getLength(), f64);
  Value isLonger = arith::CmpFOp::create(
      rewriter, loc, arith::CmpFPredicate::OGT, length,
      builder.floating(f64, rule.getParameter("original_length")));

  // Of short and of long texts, or the default ones and what multiplies them.
  bool isDynamic = rule.getRule() == FrequencyRule::DynamicNtk;
  SmallVector<double> first = rule.evaluate(sections, /*length=*/0);
  SmallVector<double> second =
      isDynamic
          ? rule.getGrowthExponents(sections)
          : rule.evaluate(sections, std::numeric_limits<double>::infinity());
  SmallVector<Value> inputs = {createVector(rewriter, loc, first, f64),
                               createVector(rewriter, loc, second, f64)};
  Value growth;
  if (isDynamic)
    growth = emitGrowth(builder, rule, length, isLonger);
  Value init = tensor::EmptyOp::create(
      rewriter, loc, {static_cast<int64_t>(first.size())}, form.angleType);
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(1));
  return createParallelGeneric(
             rewriter, loc, inputs, maps, init,
             [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
               Value frequency =
                   isDynamic ? emitDynamic(body, growth, args[0], args[1])
                             : body.select(isLonger, args[1], args[0]);
               if (form.inTurns)
                 frequency =
                     body.mulFloat(frequency, body.floating(f64, 1 / turn));
               return {body.castFloat(frequency, form.angleType)};
             })
      .getResult(0);
}

static void emitTableAsserts(RotaryTableOp op, Value frequencies,
                             PatternRewriter &rewriter) {
  PairBuilder builder(rewriter, op.getLoc());
  Value cos = op.getInits()[0], sin = op.getInits()[1];
  Value positions = op.getPositions();
  int64_t batchDim = op.getBatchDim();
  emitSameDimAssert(builder, op, "batch", {"outs", cos, 0},
                    {"positions", positions, batchDim});
  emitSameDimAssert(builder, op, "length", {"outs", cos, 1},
                    {"positions", positions, batchDim + 1});
  emitSameDimAssert(
      builder, op, "number of pairs", {"outs", cos, 2},
      {op.getFrequencies() ? "frequencies" : "rule", frequencies, 0});
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    emitSameDimAssert(builder, op, name, {"sin", sin, d}, {"cos", cos, d});
  }
  SectionsAttr sections = op.getSectionsAttr();
  if (!sections)
    return;
  auto requireSize = [&](Value value, int64_t dimension, int64_t size,
                         const Twine &message) {
    if (cast<ShapedType>(value.getType()).isDynamicDim(dimension))
      emitAssert(builder, op,
                 builder.compare(arith::CmpIPredicate::eq,
                                 builder.dim(value, dimension),
                                 builder.index(size)),
                 message);
  };
  requireSize(positions, 0, sections.getNumAxes(),
              "expects number of axes of 'positions' to equal that of "
              "'sections'");
  requireSize(cos, 2, sections.getNumPairs(),
              "expects the sum of 'sections' to be the number of pairs");
}

namespace {
/// The positions that the pairs of a table turn by, as inputs of a nest over
/// batch, token and pair.
class TablePositions {
public:
  TablePositions(RotaryTableOp op, PatternRewriter &rewriter);

  /// The position of a pair, from the elements of the inputs.
  Value emit(PairBuilder &body, ValueRange args) const;

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;

private:
  int64_t numAxes = 1;
};
} // namespace

TablePositions::TablePositions(RotaryTableOp op, PatternRewriter &rewriter) {
  AffineExpr batch, token, pair;
  bindDims(rewriter.getContext(), batch, token, pair);
  SectionsAttr sections = op.getSectionsAttr();
  if (!sections) {
    inputs = {op.getPositions()};
    maps = {AffineMap::get(3, 0, {batch, token}, rewriter.getContext())};
    return;
  }
  // Every axis is an input, and the axis of a pair chooses among them: that
  // vectorises along the pairs, which a read at a computed axis does not.
  numAxes = sections.getNumAxes();
  for (int64_t axis = 0; axis < numAxes; ++axis) {
    inputs.push_back(op.getPositions());
    maps.push_back(AffineMap::get(
        3, 0, {rewriter.getAffineConstantExpr(axis), batch, token},
        rewriter.getContext()));
  }
  SmallVector<int32_t> axes = llvm::to_vector_of<int32_t>(sections.getAxes());
  inputs.push_back(arith::ConstantOp::create(rewriter, op.getLoc(),
                                             rewriter.getI32TensorAttr(axes)));
  maps.push_back(AffineMap::get(3, 0, pair));
}

Value TablePositions::emit(PairBuilder &body, ValueRange args) const {
  Value position = args[0];
  for (int64_t axis = 1; axis < numAxes; ++axis) {
    Value number = arith::ConstantIntOp::create(
        body.getBuilder(), body.getLoc(), axis, /*width=*/32);
    Value isAxis =
        arith::CmpIOp::create(body.getBuilder(), body.getLoc(),
                              arith::CmpIPredicate::eq, args[numAxes], number);
    position = body.select(isAxis, args[axis], position);
  }
  return position;
}

LogicalResult
LowerRotaryTable::matchAndRewrite(RotaryTableOp op,
                                  PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  Location loc = op.getLoc();
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getInits()[0].getType()));
  AngleForm form(type, op.getAngles() == AngleType::F32,
                 /*known=*/op.getRule().has_value());
  Value frequencies = op.getFrequencies();
  if (op.getLength())
    frequencies = emitFrequencies(op, rewriter, form);
  else if (op.getRule())
    frequencies = createFrequencies(
        rewriter, loc, op.getRule()->evaluate(op.getSectionsAttr()), form);
  emitTableAsserts(op, frequencies, rewriter);

  TablePositions positions(op, rewriter);
  SmallVector<Value> inputs(positions.inputs);
  SmallVector<AffineMap> maps(positions.maps);
  inputs.push_back(frequencies);
  maps.push_back(AffineMap::get(3, 0, rewriter.getAffineDimExpr(2)));
  double magnitude = op.getMagnitude().convertToDouble();
  auto generic = createParallelGeneric(
      rewriter, loc, inputs, maps, op.getInits(),
      [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        AngleBuilder angles(body);
        Value position =
            body.toFloat(positions.emit(body, args), form.angleType);
        Value angle = angles.emitAngle(position, args[inputs.size() - 1], form);
        CosSin result = angles.emitCosSin(angle, form);
        auto finish = [&](Value x) {
          if (magnitude != 1)
            x = body.mulFloat(
                x, body.floating(cast<FloatType>(x.getType()), magnitude));
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
