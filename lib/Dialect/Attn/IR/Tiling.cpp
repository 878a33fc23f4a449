//===- Tiling.cpp - Tiling of the attn ops ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// TilingInterface for the destination-style ops. All of them tile along
/// parallel loops only; what differs is which loop moves which dimension of
/// which operand. A dimension that no loop moves (the head dimension, the keys)
/// is never cut: a rotary pair and a softmax row stay whole.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// For each dimension of an operand the loop that moves it, or `whole`.
using DimLoops = SmallVector<int64_t, 4>;
constexpr int64_t whole = -1;

/// How an op tiles. The loops are the leading `numLoops` dimensions of its
/// first destination.
struct TilingSpec {
  explicit TilingSpec(unsigned numLoops) : numLoops(numLoops) {}

  unsigned numLoops;
  /// By operand number; shaped operands that are absent stay whole.
  llvm::SmallDenseMap<unsigned, DimLoops> operands;

  void add(OpOperand &operand, DimLoops loops) {
    operands[operand.getOperandNumber()] = std::move(loops);
  }
  void add(MutableOperandRange optional, DimLoops loops) {
    for (OpOperand &operand : optional)
      add(operand, loops);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// One spec per op
//===----------------------------------------------------------------------===//

static TilingSpec getSpec(PositionsOp op) {
  TilingSpec spec(2);
  if (op.getOffset() && isa<ShapedType>(op.getOffset().getType()))
    spec.add(op.getOffsetMutable(), {0});
  spec.add(op.getLeftPaddingMutable(), {0});
  spec.add(op.getInitsMutable(), {0, 1});
  return spec;
}

static TilingSpec getSpec(LearnedPositionOp op) {
  TilingSpec spec(2);
  spec.add(op.getPositionsMutable(), {0, 1});
  spec.add(op.getInitsMutable(), {0, 1, whole});
  return spec;
}

static TilingSpec getSpec(RotaryTableOp op) {
  TilingSpec spec(2);
  spec.add(op.getPositionsMutable(), {0, 1});
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

static TilingSpec getSpec(MaterializeOp op) {
  TilingSpec spec(4);
  spec.add(op.getInitsMutable(), {0, 1, 2, 3});
  return spec;
}

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
  for (auto [number, operand] : llvm::enumerate(op.getInitsMutable()))
    spec.add(operand,
             number == 0 ? DimLoops{0, 1, 2, whole} : DimLoops{0, 1, 2});
  return spec;
}

//===----------------------------------------------------------------------===//
// Shared by all ops
//===----------------------------------------------------------------------===//

static SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                          Value value) {
  if (isa<MemRefType>(value.getType()))
    return memref::getMixedSizes(builder, loc, value);
  return tensor::getMixedSizes(builder, loc, value);
}

static bool hasNoElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() && llvm::is_contained(type.getShape(), 0);
}

/// Whether slices of the operands of `op` are legal: upstream, the offset of a
/// slice lies within each dimension, so none of a dimension of static size 0
/// is. Results without elements need no tiles, and inputs can be made anew,
/// except memrefs.
static bool canBeSliced(DestinationStyleOpInterface op) {
  return llvm::none_of(op->getOpOperands(), [&](OpOperand &operand) {
    return hasNoElements(operand.get()) &&
           (op.isDpsInit(&operand) || isa<MemRefType>(operand.get().getType()));
  });
}

/// The part of `value` that a tile uses. A dimension of static size 1 is
/// broadcast, so it never moves.
static Value slice(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<int64_t> loops, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes,
                   SmallVectorImpl<Operation *> &slices) {
  SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
  SmallVector<OpFoldResult> fullSizes = getSizes(builder, loc, value);
  for (auto [loop, fullSize] : llvm::zip_equal(loops, fullSizes)) {
    bool moves = loop != whole && !isConstantIntValue(fullSize, 1);
    sliceOffsets.push_back(moves ? offsets[loop] : builder.getIndexAttr(0));
    sliceSizes.push_back(moves ? sizes[loop] : fullSize);
  }
  if (hasNoElements(value))
    return tensor::EmptyOp::create(builder, loc, sliceSizes,
                                   getElementTypeOrSelf(value.getType()));
  SmallVector<OpFoldResult> strides(loops.size(), builder.getIndexAttr(1));
  Operation *op;
  if (isa<MemRefType>(value.getType()))
    op = memref::SubViewOp::create(builder, loc, value, sliceOffsets,
                                   sliceSizes, strides);
  else
    op = tensor::ExtractSliceOp::create(builder, loc, value, sliceOffsets,
                                        sliceSizes, strides);
  slices.push_back(op);
  return op->getResult(0);
}

/// Clones `op` for the tile given by `offsets` and `sizes` of its loops (and
/// of the loops beyond them that `spec` mentions). `symbolic` are the offsets
/// (batch, head, query, key) of masks and biases.
static FailureOr<TilingResult> tile(DestinationStyleOpInterface op,
                                    const TilingSpec &spec, OpBuilder &builder,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes,
                                    ArrayRef<Value> symbolic = {}) {
  if (!canBeSliced(op))
    return failure();
  Location loc = op.getLoc();
  TilingResult result;
  SmallVector<Value> operands;
  SmallVector<Type> resultTypes;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    auto loops = spec.operands.find(operand.getOperandNumber());
    if (loops != spec.operands.end())
      value = slice(builder, loc, value, loops->second, offsets, sizes,
                    result.generatedSlices);
    else if (isa<MaskType>(value.getType()))
      value = MaskSliceOp::create(builder, loc, value, symbolic[0], symbolic[1],
                                  symbolic[2], symbolic[3]);
    else if (isa<BiasType>(value.getType()))
      value = BiasSliceOp::create(builder, loc, value, symbolic[0], symbolic[1],
                                  symbolic[2], symbolic[3]);
    operands.push_back(value);
    if (op.isDpsInit(&operand) && isa<TensorType>(value.getType()))
      resultTypes.push_back(value.getType());
  }
  Operation *tiled = cloneWithOperands(builder, op, resultTypes, operands);
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

static SmallVector<Range> getDomain(DestinationStyleOpInterface op,
                                    unsigned numLoops, OpBuilder &builder) {
  SmallVector<OpFoldResult> sizes =
      getSizes(builder, op.getLoc(), op.getDpsInitOperand(0)->get());
  return llvm::map_to_vector(
      ArrayRef(sizes).take_front(numLoops), [&](OpFoldResult size) {
        return Range{builder.getIndexAttr(0), size, builder.getIndexAttr(1)};
      });
}

/// The position of result `number` for a tile. It follows the slice of the
/// destination: a dimension of static size 1 has that one tile, whose size must
/// not be said to be dynamic.
static void getResultTile(DestinationStyleOpInterface op,
                          const TilingSpec &spec, OpBuilder &builder,
                          unsigned number, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes,
                          SmallVectorImpl<OpFoldResult> &resultOffsets,
                          SmallVectorImpl<OpFoldResult> &resultSizes) {
  OpOperand *init = op.getDpsInitOperand(number);
  SmallVector<OpFoldResult> fullSizes =
      getSizes(builder, op.getLoc(), init->get());
  for (auto [loop, fullSize] :
       llvm::zip_equal(spec.operands.at(init->getOperandNumber()), fullSizes)) {
    bool moves = loop != whole && !isConstantIntValue(fullSize, 1);
    resultOffsets.push_back(moves ? offsets[loop] : builder.getIndexAttr(0));
    resultSizes.push_back(moves ? sizes[loop] : fullSize);
  }
}

/// Whether a slice covers dimension `dimension` of `value`, as far as can be
/// seen: from constants, or because the size is a `dim` of that dimension.
static bool coversDim(OpFoldResult offset, OpFoldResult size, Value value,
                      int64_t dimension) {
  if (!isConstantIntValue(offset, 0))
    return false;
  int64_t full = cast<ShapedType>(value.getType()).getDimSize(dimension);
  if (!ShapedType::isDynamic(full))
    return isConstantIntValue(size, full);
  auto sizeValue = dyn_cast<Value>(size);
  auto dim =
      sizeValue ? sizeValue.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return dim && dim.getSource() == value && dim.getConstantIndex() == dimension;
}

template <typename Op>
static FailureOr<TilingResult>
generateTile(Op op, OpBuilder &builder, unsigned number,
             ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  TilingSpec spec = getSpec(op);
  OpOperand *init = op.getDpsInitOperand(number);
  const DimLoops &loops = spec.operands.at(init->getOperandNumber());
  for (int64_t d = 0, rank = loops.size(); d < rank; ++d)
    if (loops[d] == whole && !coversDim(offsets[d], sizes[d], init->get(), d))
      return failure();
  FailureOr<TilingResult> result =
      op.getTiledImplementation(builder, offsets.take_front(spec.numLoops),
                                sizes.take_front(spec.numLoops));
  if (failed(result) || result->tiledValues.empty())
    return failure();
  return TilingResult{
      result->tiledOps, {result->tiledValues[number]}, result->generatedSlices};
}

/// Defines the interface methods that do not depend on the op's meaning.
#define ATTN_DEFINE_TILING(Op)                                                 \
  SmallVector<utils::IteratorType> Op::getLoopIteratorTypes() {                \
    return SmallVector<utils::IteratorType>(getSpec(*this).numLoops,           \
                                            utils::IteratorType::parallel);    \
  }                                                                            \
  SmallVector<Range> Op::getIterationDomain(OpBuilder &builder) {              \
    return getDomain(*this, getSpec(*this).numLoops, builder);                 \
  }                                                                            \
  LogicalResult Op::getResultTilePosition(                                     \
      OpBuilder &builder, unsigned number, ArrayRef<OpFoldResult> offsets,     \
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,  \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    getResultTile(*this, getSpec(*this), builder, number, offsets, sizes,      \
                  resultOffsets, resultSizes);                                 \
    return success();                                                          \
  }                                                                            \
  FailureOr<TilingResult> Op::generateResultTileValue(                         \
      OpBuilder &builder, unsigned number, ArrayRef<OpFoldResult> offsets,     \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return generateTile(*this, builder, number, offsets, sizes);               \
  }

ATTN_DEFINE_TILING(PositionsOp)
ATTN_DEFINE_TILING(LearnedPositionOp)
ATTN_DEFINE_TILING(RotaryTableOp)
ATTN_DEFINE_TILING(RotaryOp)
ATTN_DEFINE_TILING(MaterializeOp)
ATTN_DEFINE_TILING(AttentionOp)

//===----------------------------------------------------------------------===//
// Tiles of each op
//===----------------------------------------------------------------------===//

FailureOr<TilingResult>
LearnedPositionOp::getTiledImplementation(OpBuilder &builder,
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

FailureOr<TilingResult>
MaterializeOp::getTiledImplementation(OpBuilder &builder,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> symbolic =
      getValueOrCreateConstantIndexOp(builder, getLoc(), offsets);
  return tile(*this, getSpec(*this), builder, offsets, sizes, symbolic);
}

/// The key/value heads of a tile of query heads, if one of three holds: there
/// are as many of both, the tile is one head, or it is all heads. Other tiles
/// may start inside a group, which the op cannot express.
static FailureOr<std::pair<OpFoldResult, OpFoldResult>>
getKeyHeads(AttentionOp op, OpBuilder &builder, OpFoldResult offset,
            OpFoldResult size) {
  if (op.getStaticGroupSize() == 1)
    return std::pair(offset, size);
  bool isWhole = coversDim(offset, size, op.getOutputInit(), 1);
  if (!isWhole && !isConstantIntValue(size, 1))
    return failure();
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
  if (!canBeSliced(*this))
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
