//===- LowerRotary.cpp - Rotary embedding -----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first and the second elements of all pairs are slices of the input, of
/// unit stride in the layout of halves and of stride two if interleaved, so the
/// two layouts are read alike. Halves are written by a linalg.generic each: one
/// op that wrote both slices would not be bufferized in place. Interleaved
/// pairs are written by one op, to the destination seen as `[..., pair, 2]`.
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

namespace {
/// What is rotated, and how: the slices of the first and of the second elements
/// of all pairs, and the tables.
struct Rotation {
  Value first, second, cos, sin;
  FloatType computeType, type;
  bool inverse;

  SmallVector<Value, 4> getInputs() const { return {first, second, cos, sin}; }

  /// The maps of the inputs in a nest of `numLoops` loops, over batch, head,
  /// token and pair first. Only the batch of the tables is broadcast by the
  /// op's definition; any other dimension of size 1 is one in the input too.
  SmallVector<AffineMap, 4> getMaps(unsigned numLoops) const {
    MLIRContext *context = first.getContext();
    AffineMap elements =
        AffineMap::getMultiDimIdentityMap(numLoops, context).getMajorSubMap(4);
    AffineMap tables = getBroadcastMap(cos, numLoops, {0, 2, 3});
    return {elements, elements, tables, tables};
  }

  Value emit(PairBuilder &body, ValueRange args, bool second) const {
    return emitElement(body, args, computeType, type, second, inverse);
  }
};
} // namespace

/// Writes all first elements, then all second ones.
static Value writeHalves(OpBuilder &builder, Location loc,
                         const Rotation &rotation, const Slice &firstHalf,
                         const Slice &secondHalf, Value dest) {
  for (bool second : {false, true}) {
    const Slice &half = second ? secondHalf : firstHalf;
    auto generic = createParallelGeneric(
        builder, loc, rotation.getInputs(), rotation.getMaps(4),
        half.extract(builder, loc, dest),
        [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
          return {rotation.emit(body, args, second)};
        });
    dest = half.insert(builder, loc, generic.getResult(0), dest);
  }
  return dest;
}

/// Writes pair by pair: strided stores to one half at a time would be slow. The
/// loop over the two elements of a pair is unrolled, and its selections with
/// it.
static Value writeInterleaved(OpBuilder &builder, Location loc,
                              const Rotation &rotation, const Slice &range,
                              Value dest) {
  Value flat = range.extract(builder, loc, dest);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, rotation.first);
  sizes.push_back(builder.getIndexAttr(2));
  SmallVector<ReassociationIndices> groups = {{0}, {1}, {2}, {3, 4}};
  auto flatType = cast<RankedTensorType>(flat.getType());
  SmallVector<int64_t> shape(
      cast<ShapedType>(rotation.first.getType()).getShape());
  shape.push_back(2);
  Value pairs = tensor::ExpandShapeOp::create(
      builder, loc, flatType.clone(shape), flat, groups, sizes);
  auto generic = createParallelGeneric(
      builder, loc, rotation.getInputs(), rotation.getMaps(5), pairs,
      [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        Value element =
            linalg::IndexOp::create(body.getBuilder(), body.getLoc(), 4);
        Value isFirst =
            body.compare(arith::CmpIPredicate::eq, element, body.index(0));
        return {body.select(isFirst, rotation.emit(body, args, false),
                            rotation.emit(body, args, true))};
      });
  Value result = tensor::CollapseShapeOp::create(builder, loc, flatType,
                                                 generic.getResult(0), groups);
  return range.insert(builder, loc, result, dest);
}

/// Copies `size` elements of each row from `offset` on; `rows` are the sizes of
/// the dimensions before.
static Value copyElements(OpBuilder &builder, Location loc, Value input,
                          Value dest, ArrayRef<OpFoldResult> rows,
                          OpFoldResult offset, OpFoldResult size) {
  if (isConstantIntValue(size, 0))
    return dest;
  Slice slice(builder, rows, offset, size, 1);
  return slice.insert(builder, loc, slice.extract(builder, loc, input), dest);
}

namespace {
/// Lowers one attn.rotary.
class RotaryLowering {
public:
  RotaryLowering(RotaryOp op, OpBuilder &b)
      : op(op), b(b), loc(op.getLoc()),
        sizes(tensor::getMixedSizes(b, loc, op.getInput())),
        headDim(sizes.pop_back_val()),
        pairs(tensor::getMixedSize(b, loc, op.getCos(), 2)),
        first(op.getFirst()) {
    bindSymbols(op.getContext(), pairsExpr, headDimExpr);
    rangeEnd = apply(pairsExpr * 2 + first);
  }

  /// The result.
  Value emit();

private:
  /// The value of `expr` of the number of pairs and the head dimension.
  OpFoldResult apply(AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(0, 2, expr), {pairs, headDim});
  }
  /// Whether there is no pair. Where none fits into the static width, their
  /// number is 0, also if it is dynamic: slices of theirs would be out of
  /// bounds.
  bool hasNoPair() {
    std::optional<int64_t> width = getConstantIntValue(headDim);
    return isConstantIntValue(pairs, 0) || (width && first + 2 > *width);
  }
  /// Writes the elements before and behind the range.
  Value copyRest(Value dest);
  /// The first or the second elements of all pairs.
  Slice getSlice(RotaryLayout layout, bool second);
  /// Writes the elements of the range.
  Value rotateRange(Value dest);

  RotaryOp op;
  OpBuilder &b;
  Location loc;
  /// Those of the input but for the last, which is `headDim`.
  SmallVector<OpFoldResult> sizes;
  OpFoldResult headDim, pairs, rangeEnd;
  int64_t first;
  AffineExpr pairsExpr, headDimExpr;
};
} // namespace

Value RotaryLowering::copyRest(Value dest) {
  dest = copyElements(b, loc, op.getInput(), dest, sizes, b.getIndexAttr(0),
                      b.getIndexAttr(first));
  return copyElements(b, loc, op.getInput(), dest, sizes, rangeEnd,
                      apply(headDimExpr - pairsExpr * 2 - first));
}

Slice RotaryLowering::getSlice(RotaryLayout layout, bool second) {
  bool interleaved = layout == RotaryLayout::Interleaved;
  OpFoldResult offset = b.getIndexAttr(first + second);
  if (second && !interleaved)
    offset = apply(pairsExpr + first);
  // Without pairs, the slice may begin no later than the row ends.
  else if (second && !getConstantIntValue(pairs) &&
           !getConstantIntValue(headDim))
    offset = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(0, 2, {b.getAffineConstantExpr(first + 1), headDimExpr},
                       op.getContext()),
        {pairs, headDim});
  return Slice(b, sizes, offset, pairs, interleaved ? 2 : 1);
}

Value RotaryLowering::rotateRange(Value dest) {
  Value input = op.getInput();
  Rotation rotation{getSlice(op.getLayout(), false).extract(b, loc, input),
                    getSlice(op.getLayout(), true).extract(b, loc, input),
                    op.getCos(),
                    op.getSin(),
                    getComputeType({input, op.getCos()}),
                    cast<FloatType>(getElementTypeOrSelf(input.getType())),
                    op.getInverse()};
  if (op.getOutputLayout() == RotaryLayout::SplitHalf)
    return writeHalves(b, loc, rotation,
                       getSlice(RotaryLayout::SplitHalf, false),
                       getSlice(RotaryLayout::SplitHalf, true), dest);
  Slice range(b, sizes, b.getIndexAttr(first), apply(pairsExpr * 2), 1);
  return writeInterleaved(b, loc, rotation, range, dest);
}

Value RotaryLowering::emit() {
  PairBuilder builder(b, loc);
  emitRotaryAsserts(op, builder,
                    getValueOrCreateConstantIndexOp(b, loc, rangeEnd));
  Value result = copyRest(op.getInits()[0]);
  return hasNoPair() ? result : rotateRange(result);
}

LogicalResult LowerRotary::matchAndRewrite(RotaryOp op,
                                           PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  if (isStaticallyEmpty(op.getInput()))
    rewriter.replaceOp(op, op.getInits());
  else
    rewriter.replaceOp(op, RotaryLowering(op, rewriter).emit());
  return success();
}

void attn::populateLowerRotaryPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRotary>(patterns.getContext());
}
