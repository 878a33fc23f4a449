//===- LowerSegments.cpp - Positions in packed rows -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A walk along each row remembers where the current segment began. A tile
/// walks the tokens in front of it too.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
struct LowerSegments : OpRewritePattern<PositionsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PositionsOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

static void emitSegmentAsserts(PositionsOp op, PairBuilder &builder) {
  Value segments = op.getSegments(), init = op.getInits()[0];
  Value offset = op.getOffset();
  auto checkBatch = [&](StringRef what, StringRef name, Value value) {
    if (cast<ShapedType>(value.getType()).getDimSize(0) != 1)
      emitSameDimAssert(builder, op, what, {name, value, 0}, {"outs", init, 0});
  };
  checkBatch("batch", "segments", segments);
  if (offset && isa<ShapedType>(offset.getType()))
    checkBatch("size", "offset", offset);
  if (!op.getFirst())
    return emitSameDimAssert(builder, op, "length", {"segments", segments, 1},
                             {"outs", init, 1});
  emitAssert(builder, op,
             builder.compare(arith::CmpIPredicate::sge, op.getFirst(),
                             builder.index(0)),
             "expects a non-negative 'first'");
  // Compared without a sum, which could overflow.
  Value room = builder.sub(builder.dim(segments, 1), builder.dim(init, 1));
  emitAssert(builder, op,
             builder.compare(arith::CmpIPredicate::sle, op.getFirst(), room),
             "expects the tokens from 'first' on to have 'segments'");
}

/// `start`, or `token` if a segment begins there: if its id differs from that
/// of the token before.
static Value emitStart(PairBuilder &body, Value segments, Value batch,
                       Value token, Value start) {
  Value before = body.max(body.sub(token, body.index(1)), body.index(0));
  Value differs =
      body.compare(arith::CmpIPredicate::ne,
                   body.toIndex(body.load(segments, {batch, token})),
                   body.toIndex(body.load(segments, {batch, before})));
  return body.select(differs, token, start);
}

/// Writes the positions of one row.
static Value emitRow(PositionsOp op, OpBuilder &builder, Value batch,
                     Value dest) {
  Location loc = op.getLoc();
  PairBuilder outer(builder, loc);
  Value zero = outer.index(0), one = outer.index(1);
  Value segments = op.getSegments();
  Value first = op.getFirst() ? op.getFirst() : zero;
  Value offset = zero;
  if (op.getOffset())
    offset = isa<ShapedType>(op.getOffset().getType())
                 ? outer.toIndex(outer.load(op.getOffset(), batch))
                 : op.getOffset();
  Value start = zero;
  if (op.getFirst())
    start =
        scf::ForOp::create(
            builder, loc, one, first, one, zero,
            [&](OpBuilder &b, Location, Value token, ValueRange carried) {
              PairBuilder body(b, loc);
              scf::YieldOp::create(
                  b, loc, emitStart(body, segments, batch, token, carried[0]));
            })
            .getResult(0);
  Type type = getElementTypeOrSelf(dest.getType());
  return scf::ForOp::create(
             builder, loc, zero, outer.dim(dest, 1), one,
             ValueRange{start, dest},
             [&](OpBuilder &b, Location, Value t, ValueRange carried) {
               PairBuilder body(b, loc);
               Value token = body.add(first, t);
               Value begin =
                   emitStart(body, segments, batch, token, carried[0]);
               Value position = body.add(offset, body.sub(token, begin));
               if (!type.isIndex())
                 position = arith::IndexCastOp::create(b, loc, type, position);
               Value row = tensor::InsertOp::create(b, loc, position,
                                                    carried[1], {batch, t});
               scf::YieldOp::create(b, loc, ValueRange{begin, row});
             })
      .getResult(1);
}

LogicalResult LowerSegments::matchAndRewrite(PositionsOp op,
                                             PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  if (!op.getSegments())
    return rewriter.notifyMatchFailure(op, "there are no segments");
  Location loc = op.getLoc();
  Value init = op.getInits()[0];
  PairBuilder builder(rewriter, loc);
  emitSegmentAsserts(op, builder);
  auto rows = scf::ForOp::create(
      rewriter, loc, builder.index(0), builder.dim(init, 0), builder.index(1),
      init, [&](OpBuilder &b, Location, Value batch, ValueRange carried) {
        scf::YieldOp::create(b, loc, emitRow(op, b, batch, carried[0]));
      });
  rewriter.replaceOp(op, rows);
  return success();
}

void attn::populateLowerSegmentsPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerSegments>(patterns.getContext());
}
