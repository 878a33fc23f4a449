//===- TilingSpec.h - How the attn ops tile ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the tiling of one op says, and what follows from it for all of them.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_TILINGSPEC_H
#define ATTN_LIB_DIALECT_ATTN_IR_TILINGSPEC_H

#include "DestinationOps.h"

namespace mlir::attn {

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

SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                   Value value);

/// Fails, and says in a remark (category `attn-tile`) why `op` has no such
/// tile.
LogicalResult refuseTile(Operation *op, const Twine &reason);

/// Fails, and says why, if slices of the operands of `op` are not legal:
/// upstream, the offset of a slice lies within each dimension, so none of a
/// dimension of static size 0 is. Results without elements need no tiles, and
/// inputs can be made anew, except memrefs.
LogicalResult checkSlices(DestinationStyleOpInterface op);

/// Clones `op` for the tile given by `offsets` and `sizes` of its loops (and
/// of the loops beyond them that `spec` mentions). `symbolic` are the offsets
/// (batch, head, query, key) of masks and biases.
FailureOr<TilingResult> tile(DestinationStyleOpInterface op,
                             const TilingSpec &spec, OpBuilder &builder,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             ArrayRef<Value> symbolic = {});

/// The loops: the leading dimensions of the first destination.
SmallVector<Range> getDomain(DestinationStyleOpInterface op, unsigned numLoops,
                             OpBuilder &builder);

/// The position of result `number` for a tile. It follows the slice of the
/// destination: a dimension of static size 1 has that one tile, whose size must
/// not be said to be dynamic.
void getResultTile(DestinationStyleOpInterface op, const TilingSpec &spec,
                   OpBuilder &builder, unsigned number,
                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                   SmallVectorImpl<OpFoldResult> &resultOffsets,
                   SmallVectorImpl<OpFoldResult> &resultSizes);

/// Whether a slice covers dimension `dimension` of `value`, as far as can be
/// seen: from constants, or because the size is a `dim` of that dimension.
bool coversDim(OpFoldResult offset, OpFoldResult size, Value value,
               int64_t dimension);

/// The tile that computes a slice of result `number`.
template <typename Op>
FailureOr<TilingResult>
generateTile(Op op, const TilingSpec &spec, OpBuilder &builder, unsigned number,
             ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  OpOperand *init = op.getDpsInitOperand(number);
  const DimLoops &loops = spec.operands.at(init->getOperandNumber());
  for (int64_t d = 0, rank = loops.size(); d < rank; ++d)
    if (loops[d] == whole && !coversDim(offsets[d], sizes[d], init->get(), d))
      return refuseTile(op, "a tile of result " + Twine(number) +
                                " cuts dimension " + Twine(d) +
                                ", which stays whole");
  FailureOr<TilingResult> result =
      op.getTiledImplementation(builder, offsets.take_front(spec.numLoops),
                                sizes.take_front(spec.numLoops));
  if (failed(result))
    return failure();
  assert(number < result->tiledValues.size() &&
         "an op with results is one on tensors");
  return TilingResult{
      result->tiledOps, {result->tiledValues[number]}, result->generatedSlices};
}

} // namespace mlir::attn

/// Defines the interface methods that do not depend on the op's meaning, from
/// `getSpec(op)`.
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
    return generateTile(*this, getSpec(*this), builder, number, offsets,       \
                        sizes);                                                \
  }

#endif // ATTN_LIB_DIALECT_ATTN_IR_TILINGSPEC_H
