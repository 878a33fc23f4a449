//===- RowEmitter.cpp - One row of attention as plain loops -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The largest score of the kept keys, then the sums.
///
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "LoweringUtils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value RowEmitter::emitDot(PairBuilder &builder, Value key) {
  Value headDim = builder.dim(inputs.query, 3);
  auto loop = scf::ForOp::create(
      builder.getBuilder(), builder.getLoc(), builder.index(0), headDim,
      builder.index(1), builder.floating(type, 0),
      [&](OpBuilder &b, Location loc, Value d, ValueRange sum) {
        PairBuilder body(b, loc);
        Value x = body.castFloat(
            body.load(inputs.query, {batch, head, query, d}), type);
        Value y = body.castFloat(
            body.load(inputs.key, {batch, keyHead, key, d}), type);
        scf::YieldOp::create(b, loc,
                             body.addFloat(sum[0], body.mulFloat(x, y)));
      });
  return loop.getResult(0);
}

Value RowEmitter::emitSoftcap(PairBuilder &builder, Value score,
                              double softcap) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value cap = builder.floating(type, softcap);
  Value ratio = arith::DivFOp::create(b, loc, score, cap);
  return builder.mulFloat(math::TanhOp::create(b, loc, ratio), cap);
}

Value RowEmitter::emitScore(PairBuilder &builder, Value key, Value bias) {
  Value score = emitDot(builder, key);
  bool early = op.getBiasBeforeScale();
  if (bias && early)
    score = builder.addFloat(score, bias);
  score = builder.mulFloat(score, inputs.scale);
  if (std::optional<APFloat> softcap = op.getSoftcap())
    score = emitSoftcap(builder, score, softcap->convertToDouble());
  if (bias && !early)
    score = builder.addFloat(score, bias);
  if (!op.getScore().empty())
    score =
        builder.inlineRegion(op.getScore(), {score, batch, head, query, key});
  return emitRounded(builder, score, op.getSoftmaxType());
}

Value RowEmitter::emitRounded(PairBuilder &builder, Value number,
                              std::optional<Type> to) {
  if (!to)
    return number;
  return builder.castFloat(builder.castFloat(number, cast<FloatType>(*to)),
                           type);
}

ValueRange RowEmitter::forKeptKeys(PairBuilder &builder,
                                   const KeyIntervals &keys, ValueRange state,
                                   KeptKeyBody body) {
  auto loop = scf::ForOp::create(
      builder.getBuilder(), builder.getLoc(), keys.mayBegin, keys.mayEnd,
      builder.index(1), state,
      [&](OpBuilder &b, Location loc, Value key, ValueRange loopState) {
        PairBuilder pairs(b, loc);
        PairIndices indices{batch, head, query, key};
        Value keep = pairs.boolean(true), bias;
        if (op.getMask())
          keep = op.getMask().getDefiningOp<MaskOpInterface>().emitKeep(
              pairs, indices);
        if (op.getBias()) {
          bias = op.getBias().getDefiningOp<BiasOpInterface>().emitBias(
              pairs, indices, type);
          // Unordered: a NaN is kept.
          Value kept =
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, bias,
                                    pairs.floating(type, -infinity));
          keep = pairs.logicalAnd(keep, kept);
        }
        auto branch = scf::IfOp::create(
            b, loc, keep,
            [&](OpBuilder &thenBuilder, Location thenLoc) {
              PairBuilder kept(thenBuilder, thenLoc);
              Value score = emitScore(kept, key, bias);
              scf::YieldOp::create(thenBuilder, thenLoc,
                                   body(kept, key, score, loopState));
            },
            [&](OpBuilder &elseBuilder, Location elseLoc) {
              scf::YieldOp::create(elseBuilder, elseLoc, loopState);
            });
        scf::YieldOp::create(b, loc, branch.getResults());
      });
  return loop.getResults();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Value RowEmitter::createSum(PairBuilder &builder) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  OpFoldResult size = tensor::getMixedSize(b, loc, op.getValue(), 3);
  Value empty = tensor::EmptyOp::create(b, loc, size, type);
  return linalg::FillOp::create(b, loc, builder.floating(type, 0), empty)
      .getResult(0);
}

Value RowEmitter::addValue(PairBuilder &builder, Value sum, Value weight,
                           Value key) {
  if (isStaticallyEmpty(sum))
    return sum;
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value value = op.getValue();
  OpFoldResult one = b.getIndexAttr(1);
  OpFoldResult size = tensor::getMixedSize(b, loc, value, 3);
  auto rowType =
      RankedTensorType::get(cast<ShapedType>(sum.getType()).getShape(),
                            getElementTypeOrSelf(value.getType()));
  Value row = tensor::ExtractSliceOp::create(
      b, loc, rowType, value,
      ArrayRef<OpFoldResult>{batch, keyHead, key, b.getIndexAttr(0)},
      ArrayRef<OpFoldResult>{one, one, one, size},
      ArrayRef<OpFoldResult>{one, one, one, one});
  return createParallelGeneric(
             b, loc, row, b.getMultiDimIdentityMap(1), sum,
             [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
               Value product =
                   body.mulFloat(body.castFloat(args[0], type), weight);
               return {body.addFloat(args[1], product)};
             })
      .getResult(0);
}

Value RowEmitter::divideInto(PairBuilder &builder, Value row, Value sum,
                             Value divisor) {
  OpBuilder &b = builder.getBuilder();
  auto rowType = cast<FloatType>(getElementTypeOrSelf(row.getType()));
  return createParallelGeneric(
             b, builder.getLoc(), sum, b.getMultiDimIdentityMap(1), row,
             [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
               Value quotient = arith::DivFOp::create(
                   body.getBuilder(), body.getLoc(), args[0], divisor);
               return {body.castFloat(quotient, rowType)};
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

RowResult RowEmitter::emitSoftmax(PairBuilder &builder,
                                  const KeyIntervals &keys, Value maximum,
                                  Value sink, Value row) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value first = builder.floating(type, 0);
  if (sink)
    first = math::ExpOp::create(b, loc,
                                arith::SubFOp::create(b, loc, sink, maximum));
  ValueRange sums =
      forKeptKeys(builder, keys, {first, createSum(builder)},
                  [&](PairBuilder &body, Value key, Value score,
                      ValueRange state) -> SmallVector<Value> {
                    Value shifted = arith::SubFOp::create(
                        body.getBuilder(), body.getLoc(), score, maximum);
                    Value weight = math::ExpOp::create(body.getBuilder(),
                                                       body.getLoc(), shifted);
                    Value rounded = emitRounded(body, weight, op.getProbType());
                    return {body.addFloat(state[0], weight),
                            addValue(body, state[1], rounded, key)};
                  });
  Value output = divideInto(builder, row, sums[1], sums[0]);
  Value lse = builder.addFloat(maximum, math::LogOp::create(b, loc, sums[0]));
  if (op.getLseBase() == LseBase::Two)
    lse = builder.mulFloat(lse, builder.floating(type, 1.0 / std::log(2.0)));
  return {output, lse};
}

RowResult RowEmitter::emitEmpty(PairBuilder &builder, Value row) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value lse = builder.floating(type, -infinity);
  EmptyRow policy = op.getSinks() ? EmptyRow::Zero : op.getEmptyRow();
  if (policy == EmptyRow::Mean) {
    Value one = builder.floating(type, 1);
    auto sum = scf::ForOp::create(b, loc, builder.index(0), inputs.keyCount,
                                  builder.index(1), createSum(builder),
                                  [&](OpBuilder &bodyBuilder, Location bodyLoc,
                                      Value key, ValueRange state) {
                                    PairBuilder body(bodyBuilder, bodyLoc);
                                    scf::YieldOp::create(
                                        bodyBuilder, bodyLoc,
                                        addValue(body, state[0], one, key));
                                  });
    Value count = builder.toFloat(inputs.keyCount, type);
    return {divideInto(builder, row, sum.getResult(0), count), lse};
  }
  double element =
      policy == EmptyRow::Zero ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  Value constant = builder.floating(
      cast<FloatType>(getElementTypeOrSelf(row.getType())), element);
  return {linalg::FillOp::create(b, loc, constant, row).getResult(0), lse};
}

RowResult RowEmitter::emit(PairBuilder &builder, Value row) {
  QueryRange range{batch, head, query, builder.add(query, builder.index(1)),
                   inputs.keyCount};
  KeyIntervals keys = KeyIntervals::all(builder, range);
  if (op.getMask())
    keys = op.getMask()
               .getDefiningOp<MaskOpInterface>()
               .emitKeyIntervals(builder, range)
               .normalize(builder, inputs.keyCount);

  // The largest score, and whether there is any: the scores of kept keys may
  // all be -inf. A sink is one more score, unless it is -inf.
  Value sink, lowest = builder.floating(type, -infinity);
  Value largest = lowest, any = builder.boolean(false);
  if (op.getSinks()) {
    sink = builder.castFloat(builder.load(op.getSinks(), head), type);
    largest = sink;
    any = arith::CmpFOp::create(builder.getBuilder(), builder.getLoc(),
                                arith::CmpFPredicate::UNE, sink, lowest);
  }
  ValueRange found = forKeptKeys(
      builder, keys, {largest, any},
      [&](PairBuilder &body, Value, Value score,
          ValueRange state) -> SmallVector<Value> {
        return {arith::MaximumFOp::create(body.getBuilder(), body.getLoc(),
                                          state[0], score),
                body.boolean(true)};
      });

  // Scores that are all -inf sum to zero, and the row to 0 / 0.
  Value isLowest =
      arith::CmpFOp::create(builder.getBuilder(), builder.getLoc(),
                            arith::CmpFPredicate::OEQ, found[0], lowest);
  Value maximum = builder.select(isLowest, builder.floating(type, 0), found[0]);
  auto yield = [](OpBuilder &b, Location loc, RowResult result) {
    scf::YieldOp::create(b, loc, ValueRange{result.output, result.lse});
  };
  auto branch = scf::IfOp::create(
      builder.getBuilder(), builder.getLoc(), found[1],
      [&](OpBuilder &b, Location loc) {
        PairBuilder body(b, loc);
        yield(b, loc, emitSoftmax(body, keys, maximum, sink, row));
      },
      [&](OpBuilder &b, Location loc) {
        PairBuilder body(b, loc);
        yield(b, loc, emitEmpty(body, row));
      });
  return {branch.getResult(0), branch.getResult(1)};
}
