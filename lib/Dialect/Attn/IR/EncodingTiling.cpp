//===- EncodingTiling.cpp - Tiling of positions and encodings ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Encodings are cut along batches, heads and tokens. Positions are counted, so
/// a tile of them is told where it begins.
///
//===----------------------------------------------------------------------===//

#include "TilingSpec.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::attn;

static TilingSpec getSpec(PositionsOp op) {
  TilingSpec spec(2);
  if (op.getOffset() && isa<ShapedType>(op.getOffset().getType()))
    spec.add(op.getOffsetMutable(), {0});
  spec.add(op.getLeftPaddingMutable(), {0});
  // Where the segment of the first token began is in front of the tile.
  spec.add(op.getSegmentsMutable(), {0, whole});
  spec.add(op.getInitsMutable(), {0, 1});
  return spec;
}

static TilingSpec getSpec(LearnedPositionOp op) {
  TilingSpec spec(2);
  spec.add(op.getPositionsMutable(), {0, 1});
  spec.add(op.getInitsMutable(), {0, 1, whole});
  return spec;
}

static TilingSpec getSpec(SinusoidalOp op) {
  TilingSpec spec(2);
  spec.add(op.getPositionsMutable(), {0, 1});
  spec.add(op.getInitsMutable(), {0, 1, whole});
  return spec;
}

static TilingSpec getSpec(RotaryTableOp op) {
  TilingSpec spec(2);
  spec.add(op.getPositionsMutable(),
           op.getSections() ? DimLoops{whole, 0, 1} : DimLoops{0, 1});
  spec.add(op.getInitsMutable(), {0, 1, whole});
  return spec;
}

static TilingSpec getSpec(RotaryOp op) {
  TilingSpec spec(3);
  spec.add(op.getInputMutable(), {0, 1, 2, whole});
  spec.add(op.getCosMutable(), {0, 2, whole});
  spec.add(op.getSinMutable(), {0, 2, whole});
  spec.add(op.getInitsMutable(), {0, 1, 2, whole});
  return spec;
}

ATTN_DEFINE_TILING(PositionsOp)
ATTN_DEFINE_TILING(LearnedPositionOp)
ATTN_DEFINE_TILING(SinusoidalOp)
ATTN_DEFINE_TILING(RotaryTableOp)
ATTN_DEFINE_TILING(RotaryOp)

FailureOr<TilingResult>
LearnedPositionOp::getTiledImplementation(OpBuilder &builder,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}

FailureOr<TilingResult>
SinusoidalOp::getTiledImplementation(OpBuilder &builder,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}

FailureOr<TilingResult>
RotaryTableOp::getTiledImplementation(OpBuilder &builder,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}

FailureOr<TilingResult>
RotaryOp::getTiledImplementation(OpBuilder &builder,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}

FailureOr<TilingResult>
PositionsOp::getTiledImplementation(OpBuilder &builder,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  FailureOr<TilingResult> result =
      tile(*this, getSpec(*this), builder, offsets, sizes);
  if (failed(result))
    return failure();
  // The tile counts from its own first token.
  auto tiled = cast<PositionsOp>(result->tiledOps.front());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(tiled);
  Value first = getValueOrCreateConstantIndexOp(builder, getLoc(), offsets[1]);
  if (getFirst())
    first = PairBuilder(builder, getLoc()).add(getFirst(), first);
  tiled.getFirstMutable().assign(first);
  return result;
}
