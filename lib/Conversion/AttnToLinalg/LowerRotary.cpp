//===- LowerRotary.cpp - Rotary embedding -----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first and the second elements of all pairs are slices, of unit stride in
/// the layout of halves and of stride two if interleaved. A linalg.generic for
/// each of the two slices of the destination reads both of the input; the two
/// layouts differ in nothing else, nor does writing another one than is read.
/// One op that wrote both slices would not be bufferized in place.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// A part of the last dimension of a tensor `[B, H, S, D]`.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  Slice(OpBuilder &builder, ArrayRef<OpFoldResult> leadingSizes,
        OpFoldResult offset, OpFoldResult size, int64_t stride)
      : offsets(3, builder.getIndexAttr(0)), sizes(leadingSizes),
        strides(3, builder.getIndexAttr(1)) {
    offsets.push_back(offset);
    sizes.push_back(size);
    strides.push_back(builder.getIndexAttr(stride));
  }

  Value extract(OpBuilder &builder, Location loc, Value source) const {
    return tensor::ExtractSliceOp::create(builder, loc, source, offsets, sizes,
                                          strides);
  }
  Value insert(OpBuilder &builder, Location loc, Value source,
               Value dest) const {
    return tensor::InsertSliceOp::create(builder, loc, source, dest, offsets,
                                         sizes, strides);
  }
};

struct LowerRotary : OpRewritePattern<RotaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RotaryOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// Sizes that only run time knows.
static void emitRotaryAsserts(RotaryOp op, PairBuilder &builder,
                              Value rangeEnd) {
  Value input = op.getInput(), cos = op.getCos(), sin = op.getSin();
  Value init = op.getInits()[0];
  static constexpr StringRef inputDims[] = {"batch", "number of heads",
                                            "length", "head dimension"};
  for (auto [dimension, name] : llvm::enumerate(inputDims)) {
    int64_t d = dimension;
    emitSameDimAssert(builder, op, name, {"outs", init, d},
                      {"input", input, d});
  }
  static constexpr StringRef tableDims[] = {"batch", "length",
                                            "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(tableDims)) {
    int64_t d = dimension;
    emitSameDimAssert(builder, op, name, {"sin", sin, d}, {"cos", cos, d});
  }
  if (cast<ShapedType>(cos.getType()).getDimSize(0) != 1)
    emitSameDimAssert(builder, op, "batch", {"cos", cos, 0},
                      {"input", input, 0});
  emitSameDimAssert(builder, op, "length", {"cos", cos, 1},
                    {"input", input, 2});
  emitAssert(builder, op,
             builder.compare(arith::CmpIPredicate::sle, rangeEnd,
                             builder.dim(input, 3)),
             "expects the rotated range within the head dimension of 'input'");
}

/// One element of `(a, b) -> (a cos - b sin, a sin + b cos)`, or with `-sin`;
/// the arguments are a, b, cos and sin.
static Value emitElement(PairBuilder &body, ValueRange args,
                         FloatType computeType, FloatType type, bool second,
                         bool inverse) {
  auto extended = llvm::map_to_vector(args.take_front(4), [&](Value arg) {
    return body.castFloat(arg, computeType);
  });
  Value cos = extended[2], sin = extended[3];
  Value left = body.mulFloat(extended[0], second ? sin : cos);
  Value right = body.mulFloat(extended[1], second ? cos : sin);
  // The one product with the sine that is subtracted: of b, or of a if the
  // rotation is inverse.
  if (second && inverse)
    std::swap(left, right);
  Value result;
  if (second == inverse)
    result =
        arith::SubFOp::create(body.getBuilder(), body.getLoc(), left, right);
  else
    result = body.addFloat(left, right);
  return body.castFloat(result, type);
}

LogicalResult LowerRotary::matchAndRewrite(RotaryOp op,
                                           PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  Location loc = op.getLoc();
  Value input = op.getInput(), cos = op.getCos(), sin = op.getSin();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, input);
  OpFoldResult headDim = sizes.pop_back_val();
  OpFoldResult pairs = tensor::getMixedSize(rewriter, loc, cos, 2);
  int64_t first = op.getFirst();
  auto apply = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(0, 2, expr), {pairs, headDim});
  };
  AffineExpr pairsExpr, headDimExpr;
  bindSymbols(getContext(), pairsExpr, headDimExpr);
  OpFoldResult rangeEnd = apply(pairsExpr * 2 + first);
  PairBuilder builder(rewriter, loc);
  emitRotaryAsserts(op, builder,
                    getValueOrCreateConstantIndexOp(rewriter, loc, rangeEnd));

  // The elements before and behind the range.
  Value result = op.getInits()[0];
  auto passThrough = [&](OpFoldResult offset, OpFoldResult size) {
    if (isConstantIntValue(size, 0))
      return;
    Slice slice(rewriter, sizes, offset, size, 1);
    result = slice.insert(rewriter, loc, slice.extract(rewriter, loc, input),
                          result);
  };
  passThrough(rewriter.getIndexAttr(0), rewriter.getIndexAttr(first));
  passThrough(rangeEnd, apply(headDimExpr - pairsExpr * 2 - first));

  // The elements of each pair, first or second.
  auto getSlice = [&](RotaryLayout layout, bool second) {
    bool interleaved = layout == RotaryLayout::Interleaved;
    OpFoldResult offset = rewriter.getIndexAttr(first + second);
    if (second && !interleaved)
      offset = apply(pairsExpr + first);
    return Slice(rewriter, sizes, offset, pairs, interleaved ? 2 : 1);
  };
  Value inputs[] = {
      getSlice(op.getLayout(), false).extract(rewriter, loc, input),
      getSlice(op.getLayout(), true).extract(rewriter, loc, input), cos, sin};
  AffineMap identity = rewriter.getMultiDimIdentityMap(4);
  // Only the batch of the tables is broadcast by the op's definition; any other
  // dimension of size 1 is one in the input as well.
  AffineMap tableMap = getBroadcastMap(cos, 4, {0, 2, 3});
  AffineMap maps[] = {identity, identity, tableMap, tableMap};
  FloatType computeType = getComputeType({input, cos});
  auto type = cast<FloatType>(getElementTypeOrSelf(input.getType()));
  for (bool second : {false, true}) {
    Slice slice = getSlice(op.getOutputLayout(), second);
    auto generic = createParallelGeneric(
        rewriter, loc, inputs, maps, slice.extract(rewriter, loc, result),
        [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
          return {emitElement(body, args, computeType, type, second,
                              op.getInverse())};
        });
    result = slice.insert(rewriter, loc, generic.getResult(0), result);
  }
  rewriter.replaceOp(op, result);
  return success();
}

void attn::populateLowerRotaryPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRotary>(patterns.getContext());
}
