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
#include "RowEmitter.h"
#include "attn/Conversion/AttnToLinalg/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERATTENTIONTOLINALGPASS
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Sizes that only run time knows.
static void emitAttentionAsserts(AttentionOp op, PairBuilder &builder,
                                 Value groupSize) {
  Value query = op.getQuery(), key = op.getKey(), value = op.getValue();
  Value output = op.getOutputInit();
  std::pair<NamedDim, NamedDim> pairs[] = {
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
  if (Value sinks = op.getSinks())
    emitSameDimAssert(builder, op, names[1], {"sinks", sinks, 0},
                      {"query", query, 1});
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
          success(succeeded(verifyKnownMaskOrBias(op, "mask", op.getMask())) &&
                  succeeded(verifyKnownMaskOrBias(op, "bias", op.getBias()))));
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
