//===- LowerAttentionToLinalg.cpp - Attention as plain loops ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One query at a time, in the order of the op's definition: the largest score
/// of the kept keys, then the sums. Scores are computed twice rather than
/// stored. Written to be read and believed, not to be fast.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "attn/Conversion/AttnToLinalg/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <limits>

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERATTENTIONTOLINALGPASS
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// What all rows share, computed in front of the loop over rows.
struct AttentionInputs {
  AttentionOp op;
  FloatType type;
  /// Rotated already.
  Value query, key;
  Value keyCount, scale;
  /// Query heads per key/value head.
  Value groupSize;
};

/// The output (`tensor<Dv>`) and the log-sum-exp (a scalar) of one query.
struct RowResult {
  Value output, lse;
};

/// Emits one row, the query `query` of one head.
class RowEmitter {
public:
  RowEmitter(const AttentionInputs &inputs, Value batch, Value head,
             Value keyHead, Value query)
      : inputs(inputs), op(inputs.op), type(inputs.type), batch(batch),
        head(head), keyHead(keyHead), query(query) {}

  /// Writes the output to `row`, a slice of the destination.
  RowResult emit(PairBuilder &builder, Value row);

private:
  using KeptKeyBody = llvm::function_ref<SmallVector<Value>(
      PairBuilder &builder, Value key, Value score, ValueRange state)>;

  /// A loop over the kept keys; `body` gives the next state.
  ValueRange forKeptKeys(PairBuilder &builder, const KeyIntervals &keys,
                         ValueRange state, KeptKeyBody body);
  /// The score of a pair, `bias` (may be null) included.
  Value emitScore(PairBuilder &builder, Value key, Value bias);
  Value emitDot(PairBuilder &builder, Value key);
  Value emitSoftcap(PairBuilder &builder, Value score, double softcap);

  RowResult emitSoftmax(PairBuilder &builder, const KeyIntervals &keys,
                        Value maximum, Value row);
  RowResult emitEmpty(PairBuilder &builder, Value row);

  /// A sum of values that is zero.
  Value createSum(PairBuilder &builder);
  /// `sum + weight * value[key]`.
  Value addValue(PairBuilder &builder, Value sum, Value weight, Value key);
  /// `sum / divisor`, rounded to the destination's element type.
  Value divideInto(PairBuilder &builder, Value row, Value sum, Value divisor);

  const AttentionInputs &inputs;
  AttentionOp op;
  FloatType type;
  Value batch, head, keyHead, query;
};
} // namespace

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
  Value score = builder.mulFloat(emitDot(builder, key), inputs.scale);
  if (std::optional<APFloat> softcap = op.getSoftcap())
    score = emitSoftcap(builder, score, softcap->convertToDouble());
  if (bias)
    score = builder.addFloat(score, bias);
  if (!op.getScore().empty())
    score =
        builder.inlineRegion(op.getScore(), {score, batch, head, query, key});
  return score;
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
                                  Value row) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  ValueRange sums = forKeptKeys(
      builder, keys, {builder.floating(type, 0), createSum(builder)},
      [&](PairBuilder &body, Value key, Value score,
          ValueRange state) -> SmallVector<Value> {
        Value shifted = arith::SubFOp::create(body.getBuilder(), body.getLoc(),
                                              score, maximum);
        Value weight =
            math::ExpOp::create(body.getBuilder(), body.getLoc(), shifted);
        return {body.addFloat(state[0], weight),
                addValue(body, state[1], weight, key)};
      });
  Value output = divideInto(builder, row, sums[1], sums[0]);
  Value lse = builder.addFloat(maximum, math::LogOp::create(b, loc, sums[0]));
  return {output, lse};
}

RowResult RowEmitter::emitEmpty(PairBuilder &builder, Value row) {
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value lse = builder.floating(type, -infinity);
  if (op.getEmptyRow() == EmptyRow::Mean) {
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
  double element = op.getEmptyRow() == EmptyRow::Zero
                       ? 0.0
                       : std::numeric_limits<double>::quiet_NaN();
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
  // all be -inf.
  ValueRange found = forKeptKeys(
      builder, keys,
      {builder.floating(type, -infinity), builder.boolean(false)},
      [&](PairBuilder &body, Value, Value score,
          ValueRange state) -> SmallVector<Value> {
        return {arith::MaximumFOp::create(body.getBuilder(), body.getLoc(),
                                          state[0], score),
                body.boolean(true)};
      });

  // Scores that are all -inf sum to zero, and the row to 0 / 0.
  Value isLowest = arith::CmpFOp::create(builder.getBuilder(), builder.getLoc(),
                                         arith::CmpFPredicate::OEQ, found[0],
                                         builder.floating(type, -infinity));
  Value maximum = builder.select(isLowest, builder.floating(type, 0), found[0]);
  auto yield = [](OpBuilder &b, Location loc, RowResult result) {
    scf::YieldOp::create(b, loc, ValueRange{result.output, result.lse});
  };
  auto branch = scf::IfOp::create(
      builder.getBuilder(), builder.getLoc(), found[1],
      [&](OpBuilder &b, Location loc) {
        PairBuilder body(b, loc);
        yield(b, loc, emitSoftmax(body, keys, maximum, row));
      },
      [&](OpBuilder &b, Location loc) {
        PairBuilder body(b, loc);
        yield(b, loc, emitEmpty(body, row));
      });
  return {branch.getResult(0), branch.getResult(1)};
}

//===----------------------------------------------------------------------===//
// The whole op
//===----------------------------------------------------------------------===//

/// Sizes that only run time knows.
static void emitAttentionAsserts(AttentionOp op, PairBuilder &builder,
                                 Value groupSize) {
  Value query = op.getQuery(), key = op.getKey(), value = op.getValue();
  Value output = op.getOutputInit();
  std::pair<OperandDim, OperandDim> pairs[] = {
      {{"key", key, 0}, {"query", query, 0}},
      {{"value", value, 0}, {"query", query, 0}},
      {{"outs", output, 0}, {"query", query, 0}},
      {{"value", value, 1}, {"key", key, 1}},
      {{"outs", output, 1}, {"query", query, 1}},
      {{"value", value, 2}, {"key", key, 2}},
      {{"outs", output, 2}, {"query", query, 2}},
      {{"query", query, 3}, {"key", key, 3}},
      {{"outs", output, 3}, {"value", value, 3}}};
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (auto &[actual, expected] : pairs)
    emitSameDimAssert(builder, op, names[actual.dimension], actual, expected);
  if (Value lse = op.getLseInit())
    for (int64_t d = 0; d < 3; ++d)
      emitSameDimAssert(builder, op, names[d], {"lse", lse, d},
                        {"query", query, d});
  Value heads = builder.mul(groupSize, builder.dim(key, 1));
  emitAssert(
      builder, op,
      builder.compare(arith::CmpIPredicate::eq, heads, builder.dim(query, 1)),
      "expects number of heads of 'query' to be a multiple of that of "
      "'key'");
}

/// `scale`, or `1 / sqrt(Dk)` at run time.
static Value emitScale(AttentionOp op, PairBuilder &builder, FloatType type) {
  if (std::optional<double> scale = op.getConstantScale())
    return builder.floating(type, *scale);
  Value headDim = builder.max(builder.dim(op.getQuery(), 3), builder.index(1));
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value root = math::SqrtOp::create(b, loc, builder.toFloat(headDim, type));
  return arith::DivFOp::create(b, loc, builder.floating(type, 1), root);
}

/// The query or key in the accumulator type, rotated: `input` itself if there
/// is no rotation.
static Value emitRotated(PairBuilder &builder, Value input, Value cos,
                         Value sin, std::optional<RotationAttr> rotation,
                         FloatType type) {
  if (!rotation)
    return input;
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  auto createEmpty = [&] {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, input),
                                   type);
  };
  // The rotated values are not rounded to the element type.
  if (getElementTypeOrSelf(input.getType()) != type)
    input = createParallelGeneric(
                b, loc, input, b.getMultiDimIdentityMap(4),
                createEmpty().getResult(),
                [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
                  return {body.castFloat(args[0], type)};
                })
                .getResult(0);
  Value rotated = createEmpty();
  return RotaryOp::create(b, loc, rotated.getType(), input, cos, sin, rotated,
                          rotation->getLayout(),
                          /*layout_out=*/RotaryLayoutAttr(),
                          rotation->getFirst(), rotation->getInverse())
      ->getResult(0);
}

/// The row `[batch, head, query, :]` of the destination.
static Value extractRow(PairBuilder &builder, Value output,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        ArrayRef<OpFoldResult> strides) {
  OpBuilder &b = builder.getBuilder();
  auto type = cast<RankedTensorType>(output.getType());
  auto rowType =
      RankedTensorType::get(type.getShape().take_back(), type.getElementType());
  if (isStaticallyEmpty(output))
    return tensor::EmptyOp::create(b, builder.getLoc(), sizes.take_back(),
                                   type.getElementType());
  return tensor::ExtractSliceOp::create(b, builder.getLoc(), rowType, output,
                                        offsets, sizes, strides);
}

/// Fills the body of the loop over all rows.
static void emitRow(AttentionInputs &inputs, scf::ForallOp forall,
                    OpBuilder &b) {
  Location loc = forall.getLoc();
  PairBuilder builder(b, loc);
  SmallVector<Value> indices = forall.getInductionVars();
  Value output = forall.getRegionIterArgs()[0];
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(getAsOpFoldResult(indices));
  SmallVector<OpFoldResult> sizes(3, one), strides(4, one);
  offsets.push_back(b.getIndexAttr(0));
  sizes.push_back(tensor::getMixedSize(b, loc, output, 3));

  Value keyHead = builder.floorDiv(indices[1], inputs.groupSize);
  RowEmitter emitter(inputs, indices[0], indices[1], keyHead, indices[2]);
  RowResult result = emitter.emit(
      builder, extractRow(builder, output, offsets, sizes, strides));
  Value lse;
  if (inputs.op.getLseInit())
    lse = tensor::FromElementsOp::create(
        b, loc, RankedTensorType::get({1, 1, 1}, inputs.type), result.lse);

  b.setInsertionPointToStart(forall.getTerminator().getBody());
  if (!isStaticallyEmpty(output))
    tensor::ParallelInsertSliceOp::create(b, loc, result.output, output,
                                          offsets, sizes, strides);
  if (lse)
    tensor::ParallelInsertSliceOp::create(
        b, loc, lse, forall.getRegionIterArgs()[1],
        ArrayRef(offsets).take_front(3), ArrayRef(sizes).take_front(3),
        ArrayRef(strides).take_front(3));
}

namespace {
struct LowerAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    for (Value symbolic :
         std::initializer_list<Value>{op.getMask(), op.getBias()})
      if (symbolic && !isKnownMaskOrBias(symbolic))
        return rewriter.notifyMatchFailure(
            op, "a mask or bias is not made by ops that can emit it");
    if (llvm::all_of(op.getInits(), isStaticallyEmpty)) {
      rewriter.replaceOp(op, op.getInits());
      return success();
    }

    Location loc = op.getLoc();
    PairBuilder builder(rewriter, loc);
    FloatType type = op.getAccumulatorType();
    // No key/value heads: there are no query heads either, and no row.
    Value groupSize = builder.floorDiv(
        builder.dim(op.getQuery(), 1),
        builder.max(builder.dim(op.getKey(), 1), builder.index(1)));
    emitAttentionAsserts(op, builder, groupSize);
    Value query = emitRotated(builder, op.getQuery(), op.getQueryCos(),
                              op.getQuerySin(), op.getQueryRotation(), type);
    Value key = emitRotated(builder, op.getKey(), op.getKeyCos(),
                            op.getKeySin(), op.getKeyRotation(), type);
    AttentionInputs inputs{op,
                           type,
                           query,
                           key,
                           builder.dim(op.getKey(), 2),
                           emitScale(op, builder, type),
                           groupSize};

    SmallVector<OpFoldResult> rows =
        tensor::getMixedSizes(rewriter, loc, op.getOutputInit());
    rows.pop_back();
    auto forall = scf::ForallOp::create(rewriter, loc, rows, op.getInits(),
                                        /*mapping=*/std::nullopt);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(forall.getBody());
    emitRow(inputs, forall, rewriter);
    rewriter.replaceOp(op, forall.getResults());
    return success();
  }
};

struct LowerAttentionToLinalgPass
    : attn::impl::LowerAttentionToLinalgPassBase<LowerAttentionToLinalgPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet attention(context), rotary(context);
    populateLowerAttentionToLinalgPatterns(attention);
    populateLowerRotaryPatterns(rotary);
    attentionPatterns = std::move(attention);
    rotaryPatterns = std::move(rotary);
    return success();
  }

  void runOnOperation() override {
    WalkResult known = getOperation()->walk([](AttentionOp op) {
      return WalkResult(
          success(succeeded(verifyKnown(op, "mask", op.getMask())) &&
                  succeeded(verifyKnown(op, "bias", op.getBias()))));
    });
    if (known.wasInterrupted())
      return signalPassFailure();
    walkAndApplyPatterns(getOperation(), attentionPatterns);
    walkAndApplyPatterns(getOperation(), rotaryPatterns);
    eraseUnusedMasks(getOperation());
  }

private:
  FrozenRewritePatternSet attentionPatterns, rotaryPatterns;
};
} // namespace

void attn::populateLowerAttentionToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerAttention>(patterns.getContext());
}
