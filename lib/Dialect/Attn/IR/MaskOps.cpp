//===- MaskOps.cpp - What masks keep ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifiers of the mask ops and the IR that they emit: the predicate of a
/// pair, and key intervals for a range of queries. Folders and canonicalization
/// are in MaskFolds.cpp; MaskSegments.cpp has masks of segments of the keys.
///
//===----------------------------------------------------------------------===//

#include "SymbolicOps.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;

/// The interface of the op that makes `mask`; the caller has made sure that
/// there is one (isKnownMaskOrBias).
static MaskOpInterface getMaskOp(Value mask) {
  return cast<MaskOpInterface>(mask.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// MaskCausalOp
//===----------------------------------------------------------------------===//

Value MaskCausalOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  Value offset = builder.batchOffset(getOffset(), indices.batch);
  Value keep = builder.compare(arith::CmpIPredicate::sle, indices.key,
                               builder.add(indices.query, offset));
  return builder.broadcastLike(keep, indices.getVector());
}

KeyIntervals MaskCausalOp::emitKeyIntervals(PairBuilder &builder,
                                            const QueryRange &range) {
  // Query i keeps exactly the keys below i + o + 1, which grows with i: all
  // queries keep what the first one keeps, and the last one, queryEnd - 1,
  // keeps the most.
  Value zero = builder.index(0);
  Value offset = builder.batchOffset(getOffset(), range.batch);
  Value afterDiagonal = builder.add(offset, builder.index(1));
  return {zero, builder.add(range.queryEnd, offset), zero,
          builder.add(range.queryBegin, afterDiagonal)};
}

//===----------------------------------------------------------------------===//
// MaskWindowOp
//===----------------------------------------------------------------------===//

Value MaskWindowOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  Value position = builder.add(indices.query,
                               builder.batchOffset(getOffset(), indices.batch));
  Value keep = builder.boolean(true);
  if (std::optional<int64_t> left = getLeft())
    keep = builder.compare(arith::CmpIPredicate::sge, indices.key,
                           builder.sub(position, builder.index(*left)));
  if (std::optional<int64_t> right = getRight())
    keep = builder.logicalAnd(
        keep, builder.compare(arith::CmpIPredicate::sle, indices.key,
                              builder.add(position, builder.index(*right))));
  return builder.broadcastLike(keep, indices.getVector());
}

KeyIntervals MaskWindowOp::emitKeyIntervals(PairBuilder &builder,
                                            const QueryRange &range) {
  // Query i keeps [i + o - left, i + o + right], and both bounds grow with i.
  // Some query keeps a key: the union starts with the first query and ends with
  // the last. All keep it: the intersection starts with the last query and ends
  // with the first, and is empty if the range is longer than the window.
  KeyIntervals result = KeyIntervals::all(builder, range);
  Value offset = builder.batchOffset(getOffset(), range.batch);
  Value first = builder.add(range.queryBegin, offset);
  Value last =
      builder.sub(builder.add(range.queryEnd, offset), builder.index(1));
  if (std::optional<int64_t> left = getLeft()) {
    Value distance = builder.index(*left);
    result.mayBegin = builder.sub(first, distance);
    result.sureBegin = builder.sub(last, distance);
  }
  if (std::optional<int64_t> right = getRight()) {
    Value afterRight = builder.index(*right + 1);
    result.mayEnd = builder.add(last, afterRight);
    result.sureEnd = builder.add(first, afterRight);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// MaskPaddingOp
//===----------------------------------------------------------------------===//

LogicalResult MaskPaddingOp::verify() {
  // mask_padding_c2: `keys` for left padding.
  if (getSide() == PaddingSide::Left && !getKeys())
    return emitOpError("expects 'keys' for left padding");
  // mask_padding_c3: no `keys` for right padding.
  if (getSide() == PaddingSide::Right && getKeys())
    return emitOpError("expects no 'keys' for right padding");
  return success();
}

/// The first kept key (left padding) or the first removed key (right).
static Value emitPaddingBoundary(MaskPaddingOp op, PairBuilder &builder,
                                 Value batch) {
  // Fewer than no tokens are none; what is left makes no difference overflow.
  Value length = builder.max(
      builder.index(0),
      builder.min(builder.toIndex(builder.load(op.getLengths(), {batch})),
                  builder.index(PairBuilder::maxPosition)));
  if (op.getSide() == PaddingSide::Right)
    return length;
  return builder.sub(builder.bounded(op.getKeys()), length);
}

Value MaskPaddingOp::emitKeep(PairBuilder &builder,
                              const PairIndices &indices) {
  Value boundary = emitPaddingBoundary(*this, builder, indices.batch);
  auto predicate = getSide() == PaddingSide::Right ? arith::CmpIPredicate::slt
                                                   : arith::CmpIPredicate::sge;
  return builder.broadcastLike(
      builder.compare(predicate, indices.key, boundary), indices.getVector());
}

KeyIntervals MaskPaddingOp::emitKeyIntervals(PairBuilder &builder,
                                             const QueryRange &range) {
  // No query matters, so what may be kept surely is.
  KeyIntervals result = KeyIntervals::all(builder, range);
  Value boundary = emitPaddingBoundary(*this, builder, range.batch);
  if (getSide() == PaddingSide::Right)
    result.mayEnd = result.sureEnd = boundary;
  else
    result.mayBegin = result.sureBegin = boundary;
  return result;
}

//===----------------------------------------------------------------------===//
// MaskTensorOp
//===----------------------------------------------------------------------===//

Value MaskTensorOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  Value keep = builder.load(
      getValues(), {indices.batch, indices.head, indices.query, indices.key});
  if (getPolarity() == MaskPolarity::Block)
    keep = builder.logicalNot(keep);
  return builder.broadcastLike(keep, indices.getVector());
}

KeyIntervals MaskTensorOp::emitKeyIntervals(PairBuilder &builder,
                                            const QueryRange &range) {
  auto type = cast<ShapedType>(getValues().getType());
  if (type.getDimSize(2) != 1 || type.getDimSize(3) == 1)
    return KeyIntervals::unknown(builder, range);

  // All queries share one row: find its first and last kept key, and whether
  // there is a hole between them, in one pass over the row. A row that keeps
  // nothing gives [keyCount, 0), which is empty.
  OpBuilder &b = builder.getBuilder();
  Location loc = builder.getLoc();
  Value zero = builder.index(0), one = builder.index(1);
  auto loop = scf::ForOp::create(
      b, loc, zero, range.keyCount, one, ValueRange{range.keyCount, zero, zero},
      [&](OpBuilder &bodyBuilder, Location bodyLoc, Value key,
          ValueRange state) {
        PairBuilder body(bodyBuilder, bodyLoc);
        Value keep =
            emitKeep(body, {range.batch, range.head, range.queryBegin, key});
        Value next = body.add(key, one);
        scf::YieldOp::create(
            bodyBuilder, bodyLoc,
            ValueRange{body.select(keep, body.min(state[0], key), state[0]),
                       body.select(keep, next, state[1]),
                       body.select(keep, body.add(state[2], one), state[2])});
      });
  Value first = loop.getResult(0), end = loop.getResult(1);
  Value noHole = builder.compare(arith::CmpIPredicate::eq, loop.getResult(2),
                                 builder.sub(end, first));
  return {first, end, first, builder.select(noHole, end, first)};
}

//===----------------------------------------------------------------------===//
// MaskAndOp, MaskOrOp, MaskNotOp
//===----------------------------------------------------------------------===//

Value MaskAndOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  return builder.logicalAnd(getMaskOp(getLhs()).emitKeep(builder, indices),
                            getMaskOp(getRhs()).emitKeep(builder, indices));
}

KeyIntervals MaskAndOp::emitKeyIntervals(PairBuilder &builder,
                                         const QueryRange &range) {
  KeyIntervals lhs = getMaskOp(getLhs()).emitKeyIntervals(builder, range);
  KeyIntervals rhs = getMaskOp(getRhs()).emitKeyIntervals(builder, range);
  // The intersections; that of an empty interval, whatever its bounds, is
  // empty.
  return {builder.max(lhs.mayBegin, rhs.mayBegin),
          builder.min(lhs.mayEnd, rhs.mayEnd),
          builder.max(lhs.sureBegin, rhs.sureBegin),
          builder.min(lhs.sureEnd, rhs.sureEnd)};
}

Value MaskOrOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  return builder.logicalOr(getMaskOp(getLhs()).emitKeep(builder, indices),
                           getMaskOp(getRhs()).emitKeep(builder, indices));
}

KeyIntervals MaskOrOp::emitKeyIntervals(PairBuilder &builder,
                                        const QueryRange &range) {
  KeyIntervals lhs = getMaskOp(getLhs())
                         .emitKeyIntervals(builder, range)
                         .normalize(builder, range.keyCount);
  KeyIntervals rhs = getMaskOp(getRhs())
                         .emitKeyIntervals(builder, range)
                         .normalize(builder, range.keyCount);
  // The hull of what may be kept; the bounds of an empty interval may enlarge
  // it, never shrink it. Of what is surely kept, the longer interval: the union
  // has a hole if they do not touch.
  Value lhsLonger = builder.compare(arith::CmpIPredicate::sge,
                                    builder.sub(lhs.sureEnd, lhs.sureBegin),
                                    builder.sub(rhs.sureEnd, rhs.sureBegin));
  return {builder.min(lhs.mayBegin, rhs.mayBegin),
          builder.max(lhs.mayEnd, rhs.mayEnd),
          builder.select(lhsLonger, lhs.sureBegin, rhs.sureBegin),
          builder.select(lhsLonger, lhs.sureEnd, rhs.sureEnd)};
}

Value MaskNotOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  return builder.logicalNot(getMaskOp(getOperand()).emitKeep(builder, indices));
}

KeyIntervals MaskNotOp::emitKeyIntervals(PairBuilder &builder,
                                         const QueryRange &range) {
  KeyIntervals inner = getMaskOp(getOperand())
                           .emitKeyIntervals(builder, range)
                           .normalize(builder, range.keyCount);
  // The operand keeps nothing outside its `may`: of the prefix and the suffix
  // beside it the longer one is surely kept here. The operand keeps everything
  // inside its `sure`: if that starts at the first (ends at the last) key,
  // nothing is kept before its end (after its start). An empty `sure` there
  // cuts nothing off.
  Value zero = builder.index(0);
  Value prefixLonger =
      builder.compare(arith::CmpIPredicate::sge, inner.mayBegin,
                      builder.sub(range.keyCount, inner.mayEnd));
  Value startsAtFirst =
      builder.compare(arith::CmpIPredicate::eq, inner.sureBegin, zero);
  Value endsAtLast =
      builder.compare(arith::CmpIPredicate::eq, inner.sureEnd, range.keyCount);
  return {builder.select(startsAtFirst, inner.sureEnd, zero),
          builder.select(endsAtLast, inner.sureBegin, range.keyCount),
          builder.select(prefixLonger, zero, inner.mayEnd),
          builder.select(prefixLonger, inner.mayBegin, range.keyCount)};
}

//===----------------------------------------------------------------------===//
// MaskGenerateOp
//===----------------------------------------------------------------------===//

LogicalResult MaskGenerateOp::verifyRegions() {
  // mask_generate_c2 to mask_generate_c4 are checked there.
  return verifyPairRegion(*this, getBody(), "'i1'",
                          [](Type type) { return type.isInteger(1); });
}

Value MaskGenerateOp::emitKeep(PairBuilder &builder,
                               const PairIndices &indices) {
  return builder.inlineRegion(
      getBody(), {indices.batch, indices.head, indices.query, indices.key});
}

//===----------------------------------------------------------------------===//
// MaskSliceOp
//===----------------------------------------------------------------------===//

Value MaskSliceOp::emitKeep(PairBuilder &builder, const PairIndices &indices) {
  return getMaskOp(getSource())
      .emitKeep(builder, {builder.add(indices.batch, getBatch()),
                          builder.add(indices.head, getHead()),
                          builder.add(indices.query, getQuery()),
                          builder.add(indices.key, getKey())});
}

KeyIntervals MaskSliceOp::emitKeyIntervals(PairBuilder &builder,
                                           const QueryRange &range) {
  QueryRange shifted = {builder.add(range.batch, getBatch()),
                        builder.add(range.head, getHead()),
                        builder.add(range.queryBegin, getQuery()),
                        builder.add(range.queryEnd, getQuery()),
                        builder.add(range.keyCount, getKey())};
  // Key j here is key j + key of the source, which is one of its `keyCount +
  // key` keys because offsets are not negative.
  KeyIntervals inner =
      getMaskOp(getSource()).emitKeyIntervals(builder, shifted);
  return {builder.sub(inner.mayBegin, getKey()),
          builder.sub(inner.mayEnd, getKey()),
          builder.sub(inner.sureBegin, getKey()),
          builder.sub(inner.sureEnd, getKey())};
}
