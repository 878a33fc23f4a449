//===- LowerPositions.cpp - Positions and learned positions -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Positions are arithmetic on the index of a token. Learned positions read
/// rows of a table, checked unless the range of the positions is known.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

/// `value`, of type index, as an integer of `type`.
static Value castIndex(PairBuilder &builder, Value value, Type type) {
  if (type.isIndex())
    return value;
  return arith::IndexCastOp::create(builder.getBuilder(), builder.getLoc(),
                                    type, value);
}

static Value emitLoopIndex(PairBuilder &body, int64_t loop) {
  return linalg::IndexOp::create(body.getBuilder(), body.getLoc(), loop);
}

namespace {
struct LowerPositions : OpRewritePattern<PositionsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PositionsOp op,
                                PatternRewriter &rewriter) const override;
};

struct LowerLearnedPosition : OpRewritePattern<LearnedPositionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LearnedPositionOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult LowerPositions::matchAndRewrite(PositionsOp op,
                                              PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  if (op.getSegments())
    return rewriter.notifyMatchFailure(op, "positions restart");
  Value init = op.getInits()[0];
  PairBuilder builder(rewriter, op.getLoc());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  auto addPerBatch = [&](StringRef name, Value value) {
    if (cast<ShapedType>(value.getType()).getDimSize(0) != 1)
      emitSameDimAssert(builder, op, "size", {name, value, 0},
                        {"outs", init, 0});
    inputs.push_back(value);
    maps.push_back(getBroadcastMap(value, /*numLoops=*/2, /*loops=*/{0}));
  };
  bool batchOffset =
      op.getOffset() && isa<ShapedType>(op.getOffset().getType());
  if (batchOffset)
    addPerBatch("offset", op.getOffset());
  if (op.getLeftPadding())
    addPerBatch("left_padding", op.getLeftPadding());

  auto generic = createParallelGeneric(
      rewriter, op.getLoc(), inputs, maps, init,
      [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        Value position = emitLoopIndex(body, 1);
        if (op.getFirst())
          position = body.add(position, op.getFirst());
        if (op.getLeftPadding())
          position = body.sub(position, body.toIndex(args[batchOffset]));
        if (op.getFirst() || op.getLeftPadding())
          position = body.max(position, body.index(0));
        if (op.getOffset())
          position = body.add(position, batchOffset ? body.toIndex(args[0])
                                                    : op.getOffset());
        return {
            castIndex(body, position, getElementTypeOrSelf(init.getType()))};
      });
  rewriter.replaceOp(op, generic.getResults());
  return success();
}

/// Whether the verifier has checked all positions against the table, or that
/// there are rows to clamp them to.
static bool isKnownInside(LearnedPositionOp op) {
  if (op.getOutOfRange() == OutOfRange::Clamp)
    return cast<ShapedType>(op.getTable().getType()).getDimSize(0) > 0;
  return !cast<ShapedType>(op.getTable().getType()).isDynamicDim(0) &&
         op.getPositionRange().has_value();
}

/// The element `[row, column]` of the table if `inside`, else 0. Even a build
/// without assertions reads nothing out of bounds.
static Value emitGuardedRead(PairBuilder &body, Value table, Value inside,
                             Value row, Value column) {
  auto branch = scf::IfOp::create(
      body.getBuilder(), body.getLoc(), inside,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc,
                             PairBuilder(b, loc).load(table, {row, column}));
      },
      [&](OpBuilder &b, Location loc) {
        auto type = cast<FloatType>(getElementTypeOrSelf(table.getType()));
        scf::YieldOp::create(b, loc, PairBuilder(b, loc).floating(type, 0));
      });
  return branch.getResult(0);
}

LogicalResult
LowerLearnedPosition::matchAndRewrite(LearnedPositionOp op,
                                      PatternRewriter &rewriter) const {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not on tensors");
  Value table = op.getTable(), positions = op.getPositions();
  Value init = op.getInits()[0];
  PairBuilder builder(rewriter, op.getLoc());
  emitSameDimAssert(builder, op, "batch", {"outs", init, 0},
                    {"positions", positions, 0});
  emitSameDimAssert(builder, op, "length", {"outs", init, 1},
                    {"positions", positions, 1});
  emitSameDimAssert(builder, op, "width", {"outs", init, 2},
                    {"table", table, 1});
  bool inside = isKnownInside(op);
  bool clamps = op.getOutOfRange() == OutOfRange::Clamp;
  Value rows = builder.dim(table, 0);
  int64_t staticRows = cast<ShapedType>(table.getType()).getDimSize(0);
  std::string message = "expects 'positions' within the rows of 'table'";
  if (clamps)
    message = "expects 'table' to have rows to clamp positions to";
  else if (!ShapedType::isDynamic(staticRows))
    message = "expects 'positions' within the " + std::to_string(staticRows) +
              " rows of 'table'";

  AffineMap positionMap = AffineMap::get(
      3, 0, {rewriter.getAffineDimExpr(0), rewriter.getAffineDimExpr(1)},
      getContext());
  auto generic = createParallelGeneric(
      rewriter, op.getLoc(), positions, positionMap, init,
      [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        Value row = body.toIndex(args[0]);
        if (clamps)
          row = body.max(body.min(row, body.sub(rows, body.index(1))),
                         body.index(0));
        Value column = emitLoopIndex(body, 2);
        if (inside)
          return {body.load(table, {row, column})};
        // Negative positions are big unsigned numbers. A clamped one is outside
        // of a table without rows only.
        Value valid =
            clamps
                ? body.compare(arith::CmpIPredicate::sge, rows, body.index(1))
                : body.compare(arith::CmpIPredicate::ult, row, rows);
        emitAssert(body, op, valid, message);
        return {emitGuardedRead(body, table, valid, row, column)};
      });
  rewriter.replaceOp(op, generic.getResults());
  return success();
}

void attn::populateLowerLearnedPositionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerLearnedPosition>(patterns.getContext());
}

void attn::populateLowerPositionsPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerPositions>(patterns.getContext());
}
