//===- AttentionTiling.cpp - Tiling of attention ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Attention tiles along batches, query heads and queries. A tile of query
/// heads has its key/value heads with it, and masks, biases and the score
/// region keep seeing the indices of the whole. So do masks and biases that are
/// materialized, which tile along all four dimensions.
///
//===----------------------------------------------------------------------===//

#include "TilingSpec.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn;

/// The loop behind the last one stands for key/value heads.
static TilingSpec getSpec(AttentionOp op) {
  TilingSpec spec(3);
  spec.add(op.getQueryMutable(), {0, 1, 2, whole});
  spec.add(op.getKeyMutable(), {0, 3, whole, whole});
  spec.add(op.getValueMutable(), {0, 3, whole, whole});
  spec.add(op.getQueryCosMutable(), {0, 2, whole});
  spec.add(op.getQuerySinMutable(), {0, 2, whole});
  spec.add(op.getKeyCosMutable(), {0, whole, whole});
  spec.add(op.getKeySinMutable(), {0, whole, whole});
  spec.add(op.getSinksMutable(), {1});
  for (auto [number, operand] : llvm::enumerate(op.getInitsMutable()))
    spec.add(operand,
             number == 0 ? DimLoops{0, 1, 2, whole} : DimLoops{0, 1, 2});
  return spec;
}

static TilingSpec getSpec(MaterializeOp op) {
  TilingSpec spec(4);
  spec.add(op.getInitsMutable(), {0, 1, 2, 3});
  return spec;
}

ATTN_DEFINE_TILING(AttentionOp)
ATTN_DEFINE_TILING(MaterializeOp)

/// Whether an index is known to be a multiple of `factor`: a constant, an
/// affine expression, or the index of a loop whose lower bound and step are.
static bool isMultipleOf(OpFoldResult index, int64_t factor) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant % factor == 0;
  auto value = cast<Value>(index);
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return apply.getAffineMap().getResult(0).isMultipleOf(factor);
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
          : LoopLikeOpInterface();
  if (!loop)
    return false;
  std::optional<SmallVector<Value>> indices = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> begins = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!indices || !begins || !steps)
    return false;
  for (auto [candidate, begin, step] : llvm::zip(*indices, *begins, *steps)) {
    std::optional<int64_t> first = getConstantIntValue(begin);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (candidate == value)
      return first && by && *first % factor == 0 && *by % factor == 0;
  }
  return false;
}

/// The key/value heads of a tile of query heads, if one of these holds: there
/// are as many of both, the tile is one head, it is all heads, or it is whole
/// groups. Other tiles may start inside a group, which the op cannot express.
static FailureOr<std::pair<OpFoldResult, OpFoldResult>>
getKeyHeads(AttentionOp op, OpBuilder &builder, OpFoldResult offset,
            OpFoldResult size) {
  std::optional<int64_t> group = op.getStaticGroupSize();
  if (group == 1)
    return std::pair(offset, size);
  bool isWhole = coversDim(offset, size, op.getOutputInit(), 1);
  std::optional<int64_t> heads = getConstantIntValue(size);
  if (!isWhole && group && *group > 0 && heads && *heads % *group == 0 &&
      isMultipleOf(offset, *group)) {
    AffineExpr head = getAffineSymbolExpr(0, builder.getContext());
    return std::pair<OpFoldResult, OpFoldResult>(
        affine::makeComposedFoldedAffineApply(builder, op.getLoc(),
                                              head.floorDiv(*group), {offset}),
        builder.getIndexAttr(*heads / *group));
  }
  if (!isWhole && heads != 1)
    return refuseTile(op, "a tile of query heads may start inside a group of "
                          "those that share a key head");
  Location loc = op.getLoc();
  OpFoldResult queryHeads = getSizes(builder, loc, op.getQuery())[1];
  OpFoldResult keyHeads = getSizes(builder, loc, op.getKey())[1];
  if (isWhole)
    return std::pair<OpFoldResult, OpFoldResult>(builder.getIndexAttr(0),
                                                 keyHeads);
  AffineExpr head, numQueryHeads, numKeyHeads;
  bindSymbols(builder.getContext(), head, numQueryHeads, numKeyHeads);
  OpFoldResult keyHead = affine::makeComposedFoldedAffineApply(
      builder, loc, head.floorDiv(numQueryHeads.floorDiv(numKeyHeads)),
      {offset, queryHeads, keyHeads});
  return std::pair<OpFoldResult, OpFoldResult>(keyHead,
                                               builder.getIndexAttr(1));
}

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &builder,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  if (failed(checkSlices(*this)))
    return failure();
  auto keyHeads = getKeyHeads(*this, builder, offsets[1], sizes[1]);
  if (failed(keyHeads))
    return failure();
  SmallVector<OpFoldResult> allOffsets(offsets), allSizes(sizes);
  allOffsets.push_back(keyHeads->first);
  allSizes.push_back(keyHeads->second);
  SmallVector<Value> symbolic =
      getValueOrCreateConstantIndexOp(builder, getLoc(), offsets);
  symbolic.push_back(arith::ConstantIndexOp::create(builder, getLoc(), 0));
  FailureOr<TilingResult> result =
      tile(*this, getSpec(*this), builder, allOffsets, allSizes, symbolic);
  if (failed(result))
    return failure();
  auto tiled = cast<AttentionOp>(result->tiledOps.front());
  if (tiled.getScore().empty())
    return result;
  // The score region keeps seeing the indices of the whole attention.
  OpBuilder::InsertionGuard guard(builder);
  Block &block = tiled.getScore().front();
  builder.setInsertionPointToStart(&block);
  PairBuilder pairs(builder, getLoc());
  for (auto [argument, offset] :
       llvm::zip(block.getArguments().drop_front().take_front(3), symbolic)) {
    if (isConstantIntValue(offset, 0))
      continue;
    Value shifted = pairs.add(argument, offset);
    argument.replaceAllUsesExcept(shifted, shifted.getDefiningOp());
  }
  return result;
}

FailureOr<TilingResult>
MaterializeOp::getTiledImplementation(OpBuilder &builder,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> symbolic =
      getValueOrCreateConstantIndexOp(builder, getLoc(), offsets);
  return tile(*this, getSpec(*this), builder, offsets, sizes, symbolic);
}
