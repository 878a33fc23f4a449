//===- MaskSegments.cpp - Chunks, documents and prefixes --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The masks that cut the keys into segments: chunks of one size, documents
/// that ids tell apart, and a prefix. What they emit, and their folders.
///
//===----------------------------------------------------------------------===//

#include "SymbolicOps.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// MaskChunkOp
//===----------------------------------------------------------------------===//

namespace {
/// Where chunks start, for one batch.
struct Chunks {
  Value size;
  /// A multiple of `size` before or after `start`, in `[0, size)`.
  Value phase;

  Chunks(MaskChunkOp op, PairBuilder &builder, Value batch)
      : size(builder.index(op.getSize())), phase(builder.index(0)) {
    Value start = op.getStart();
    if (!start)
      return;
    // Reduced before anything is added to it, so that no sum overflows.
    if (!start.getType().isIndex())
      start = builder.toIndex(builder.load(start, {batch}));
    phase =
        builder.sub(start, builder.mul(builder.floorDiv(start, size), size));
  }

  /// The first key of the chunk that `position` is in. It does not depend on
  /// the key, so that no division is left in a loop over keys.
  Value begin(PairBuilder &builder, Value position) const {
    Value chunk = builder.floorDiv(builder.sub(position, phase), size);
    return builder.add(builder.mul(chunk, size), phase);
  }
};
} // namespace

Value MaskChunkOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  Chunks chunks(*this, builder, indices.batch);
  // An offset that was brought into bounds is further from every key than the
  // largest chunk is long.
  Value position = builder.add(indices.query,
                               builder.batchOffset(getOffset(), indices.batch));
  Value begin = chunks.begin(builder, position);
  Value keep = builder.logicalAnd(
      builder.compare(arith::CmpIPredicate::sge, indices.key, begin),
      builder.compare(arith::CmpIPredicate::slt, indices.key,
                      builder.add(begin, chunks.size)));
  return builder.broadcastLike(keep, indices.getVector());
}

KeyIntervals MaskChunkOp::emitKeyIntervals(PairBuilder &builder,
                                           const QueryRange &range) {
  // The chunk of a query starts where that of the query before it does, or
  // later: some query keeps a key between the first chunk's start and the last
  // one's end; all do if that is one chunk, and the intersection of two is
  // empty.
  Chunks chunks(*this, builder, range.batch);
  Value offset = builder.batchOffset(getOffset(), range.batch);
  Value last =
      builder.sub(builder.add(range.queryEnd, offset), builder.index(1));
  Value firstBegin =
      chunks.begin(builder, builder.add(range.queryBegin, offset));
  Value lastBegin = chunks.begin(builder, last);
  return {firstBegin, builder.add(lastBegin, chunks.size), lastBegin,
          builder.add(firstBegin, chunks.size)};
}

namespace {
/// A start at the start of a chunk is none.
struct DropStartOfChunk : OpRewritePattern<MaskChunkOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskChunkOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> start = getUniformInteger(op.getStart());
    if (!start || *start % static_cast<int64_t>(op.getSize()) != 0)
      return rewriter.notifyMatchFailure(
          op, "the start is absent, or no known multiple of the size");
    rewriter.modifyOpInPlace(op, [&] { op.getStartMutable().clear(); });
    return success();
  }
};

/// A chunk of one token is the diagonal, wherever chunks start.
struct UnitChunkToWindow : OpRewritePattern<MaskChunkOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskChunkOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getSize() != 1)
      return rewriter.notifyMatchFailure(op, "chunks have several tokens");
    IntegerAttr zero = rewriter.getI64IntegerAttr(0);
    rewriter.replaceOpWithNewOp<MaskWindowOp>(op, op.getMask().getType(),
                                              op.getOffset(), zero, zero);
    return success();
  }
};
} // namespace

void MaskChunkOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns
      .add<DropZeroOffset<MaskChunkOp>, DropStartOfChunk, UnitChunkToWindow>(
          context);
}

//===----------------------------------------------------------------------===//
// MaskDocumentOp
//===----------------------------------------------------------------------===//

ArrayRef<unsigned> MaskDocumentOp::getIndexedDims(OpOperand &operand) {
  static constexpr unsigned queryDims[] = {0, 2}, keyDims[] = {0, 3};
  return operand.getOperandNumber() == 0 ? ArrayRef(queryDims)
                                         : ArrayRef(keyDims);
}

Value MaskDocumentOp::emitKeep(PairBuilder &builder,
                               const PairIndices &indices) {
  auto load = [&](Value ids, Value position) {
    return builder.toIndex(builder.load(ids, {indices.batch, position}));
  };
  Value query = load(getQueryIds(), indices.query);
  Value keep = builder.logicalAnd(
      builder.compare(arith::CmpIPredicate::eq, query,
                      load(getKeyIds(), indices.key)),
      builder.compare(arith::CmpIPredicate::sge, query, builder.index(0)));
  return builder.broadcastLike(keep, indices.getVector());
}

/// A loop over the elements `[begin, end)` of a row of `ids` that carries
/// numbers: `step` makes the next ones of an element's index and id.
static SmallVector<Value>
scanIds(PairBuilder &builder, Value ids, Value batch, Value begin, Value end,
        ArrayRef<Value> inits,
        llvm::function_ref<SmallVector<Value>(PairBuilder &, Value, Value,
                                              ValueRange)>
            step) {
  auto loop = scf::ForOp::create(
      builder.getBuilder(), builder.getLoc(), begin, end, builder.index(1),
      inits,
      [&](OpBuilder &bodyBuilder, Location loc, Value at, ValueRange state) {
        PairBuilder body(bodyBuilder, loc);
        Value id = body.toIndex(body.load(ids, {batch, at}));
        scf::YieldOp::create(bodyBuilder, loc, step(body, at, id, state));
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

KeyIntervals MaskDocumentOp::emitKeyIntervals(PairBuilder &builder,
                                              const QueryRange &range) {
  // One pass over the queries for their smallest and largest id, with padding
  // taken for the smallest, and one over the keys: a key with an id beyond both
  // is kept by no query, and where both are the same, all keys with that id are
  // kept by all queries, surely from the first to the last one if no other key
  // is between. Nothing depends on the order of the ids; sorted ones, which is
  // how documents are packed, give the exact bounds.
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  Value zero = builder.index(0), one = builder.index(1);
  SmallVector<Value> ends =
      scanIds(builder, getQueryIds(), range.batch, range.queryBegin,
              range.queryEnd, {builder.index(largest), builder.index(-1)},
              [](PairBuilder &body, Value, Value id,
                 ValueRange state) -> SmallVector<Value> {
                return {body.min(state[0], id), body.max(state[1], id)};
              });
  // Padded keys are never kept.
  Value smallestId = builder.max(ends[0], zero), largestId = ends[1];
  SmallVector<Value> found =
      scanIds(builder, getKeyIds(), range.batch, zero, range.keyCount,
              {range.keyCount, zero, zero},
              [&](PairBuilder &body, Value key, Value id,
                  ValueRange state) -> SmallVector<Value> {
                Value within = body.logicalAnd(
                    body.compare(arith::CmpIPredicate::sge, id, smallestId),
                    body.compare(arith::CmpIPredicate::sle, id, largestId));
                return {body.select(within, body.min(state[0], key), state[0]),
                        body.select(within, body.add(key, one), state[1]),
                        body.select(within, body.add(state[2], one), state[2])};
              });
  Value first = found[0], end = found[1];
  Value isSure = builder.logicalAnd(
      builder.compare(arith::CmpIPredicate::eq, ends[0], largestId),
      builder.compare(arith::CmpIPredicate::eq, found[2],
                      builder.sub(end, first)));
  return {first, end, first, builder.select(isSure, end, first)};
}

std::optional<bool> MaskDocumentOp::getConstantKeep() {
  std::optional<int64_t> query = getUniformInteger(getQueryIds());
  std::optional<int64_t> key = getUniformInteger(getKeyIds());
  if ((query && *query < 0) || (key && *key < 0))
    return false;
  if (query && key)
    return *query == *key;
  return std::nullopt;
}

void MaskDocumentOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<FullToWindow<MaskDocumentOp>>(context);
}

//===----------------------------------------------------------------------===//
// MaskPrefixOp
//===----------------------------------------------------------------------===//

Value MaskPrefixOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  Value length = builder.batchOffset(getLength(), indices.batch);
  return builder.broadcastLike(
      builder.compare(arith::CmpIPredicate::slt, indices.key, length),
      indices.getVector());
}

KeyIntervals MaskPrefixOp::emitKeyIntervals(PairBuilder &builder,
                                            const QueryRange &range) {
  // No query matters, so what may be kept surely is.
  KeyIntervals result = KeyIntervals::all(builder, range);
  result.mayEnd = result.sureEnd =
      builder.batchOffset(getLength(), range.batch);
  return result;
}

std::optional<bool> MaskPrefixOp::getConstantKeep() {
  std::optional<int64_t> length = getUniformInteger(getLength());
  if (length && *length <= 0)
    return false;
  return std::nullopt;
}
