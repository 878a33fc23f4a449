//===- EncodingOps.cpp - Positions and encodings ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification of positions and of learned position tables.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// PositionsOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(PositionsOp)

namespace {
/// Rows that are one segment do not restart.
struct FoldOneSegment : OpRewritePattern<PositionsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PositionsOp op,
                                PatternRewriter &rewriter) const override {
    DenseIntElementsAttr ids;
    if (!op.getSegments() ||
        !matchPattern(op.getSegments(), m_Constant(&ids)) || !ids.isSplat())
      return rewriter.notifyMatchFailure(op, "there may be several segments");
    if (op.getFirst() ||
        cast<ShapedType>(op.getInits()[0].getType()).isDynamicDim(1))
      return rewriter.notifyMatchFailure(op, "there may be too few segments");
    rewriter.modifyOpInPlace(op, [&] { op.getSegmentsMutable().clear(); });
    return success();
  }
};
} // namespace

void PositionsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<FoldEmptyResults<PositionsOp>, FoldOneSegment>(context);
}

void PositionsOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "positions");
}

/// Checks an operand with a number for each batch, or one for all.
static LogicalResult verifyPerBatch(PositionsOp op, StringRef name,
                                    Value value) {
  auto type = value ? dyn_cast<ShapedType>(value.getType()) : ShapedType();
  if (!type || type.getDimSize(0) == 1)
    return success();
  return verifySameDim(op, "size", {name, value, 0},
                       {"outs", op.getInits()[0], 0});
}

static LogicalResult verifySegments(PositionsOp op) {
  Value segments = op.getSegments(), init = op.getInits()[0];
  if (!segments)
    return success();
  // positions_c8
  if (op.getLeftPadding())
    return op.emitOpError("expects either 'segments' or 'left_padding', got "
                          "both");
  // positions_c9
  if (failed(verifySameDim(op, "batch", {"segments", segments, 0},
                           {"outs", init, 0}, /*allowOne=*/true)))
    return failure();
  // positions_c10: a tile lies somewhere in its row.
  if (!op.getFirst())
    return verifySameDim(op, "length", {"segments", segments, 1},
                         {"outs", init, 1});
  int64_t length = getDim(segments, 1);
  int64_t tokens = getDim(init, 1);
  if (!ShapedType::isDynamic(length) && !ShapedType::isDynamic(tokens) &&
      length < tokens)
    return op.emitOpError("expects length of 'segments' (")
           << length << ") to be at least that of 'outs' (" << tokens << ")";
  return success();
}

LogicalResult PositionsOp::verify() {
  // positions_c5
  if (failed(verifyDestinations(*this, 1, 1)) ||
      // positions_c6
      failed(verifyPerBatch(*this, "offset", getOffset())) ||
      // positions_c7
      failed(verifyPerBatch(*this, "left_padding", getLeftPadding())))
    return failure();
  return verifySegments(*this);
}

//===----------------------------------------------------------------------===//
// LearnedPositionOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_EFFECTS(LearnedPositionOp)
ATTN_DEFINE_DESTINATION_PATTERNS(LearnedPositionOp)

void LearnedPositionOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "embedding");
}

/// The range of an optional operand of `op`, of which 0 stands for none.
static std::optional<IntegerRange> getRangeOrZero(Operation *op, Value value) {
  return value ? getConstantRange(op, value) : IntegerRange(0, 0);
}

std::optional<IntegerRange> LearnedPositionOp::getPositionRange() {
  if (std::optional<IntegerRange> constant =
          getConstantRange(*this, getPositions()))
    return constant;
  auto op = getPositions().getDefiningOp<PositionsOp>();
  if (!op || !isVerifiedBefore(op, *this) || op.getLeftPadding() ||
      op.getSegments())
    return std::nullopt;
  auto type = cast<ShapedType>(getPositions().getType());
  if (type.isDynamicDim(1) || type.getDimSize(0) == 0 ||
      type.getDimSize(1) == 0)
    return std::nullopt;
  std::optional<IntegerRange> offset = getRangeOrZero(op, op.getOffset());
  std::optional<IntegerRange> first = getRangeOrZero(op, op.getFirst());
  int64_t last, low, high;
  // Tokens in front of the first one have its position.
  if (!offset || !first ||
      llvm::AddOverflow(first->second, type.getDimSize(1) - 1, last) ||
      llvm::AddOverflow<int64_t>(offset->first,
                                 std::max<int64_t>(first->first, 0), low) ||
      llvm::AddOverflow<int64_t>(offset->second, std::max<int64_t>(last, 0),
                                 high))
    return std::nullopt;
  return IntegerRange(low, high);
}

Speculation::Speculatability LearnedPositionOp::getSpeculatability() {
  // A position outside of the table is an error at run time, which must not be
  // raised where the program does not come. The verifier has compared a known
  // range with a known size.
  // A table without rows is one even if positions are clamped.
  int64_t rows = getDim(getTable(), 0);
  if (ShapedType::isDynamic(rows) ||
      (getOutOfRange() == OutOfRange::Trap && !getPositionRange()))
    return Speculation::NotSpeculatable;
  return getDestinationSpeculatability(*this);
}

/// Checks known positions, or that there is a row to clamp to.
static LogicalResult verifyRows(LearnedPositionOp op) {
  int64_t rows = getDim(op.getTable(), 0);
  if (ShapedType::isDynamic(rows))
    return success();
  if (op.getOutOfRange() == OutOfRange::Clamp) {
    auto type = cast<ShapedType>(op.getInits()[0].getType());
    // learned_position_c10
    if (rows == 0 && type.hasStaticShape() && type.getNumElements() > 0)
      return op.emitOpError("expects 'table' to have rows to clamp positions "
                            "to, got none");
    return success();
  }
  std::optional<IntegerRange> range = op.getPositionRange();
  // learned_position_c9
  if (range && (range->first < 0 || range->second >= rows))
    return op.emitOpError("expects 'positions' within the ")
           << rows << " rows of 'table', got "
           << (range->first < 0 ? range->first : range->second);
  return success();
}

LogicalResult LearnedPositionOp::verify() {
  // learned_position_c4
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  Value init = getInits()[0];
  // learned_position_c5
  if (failed(verifySameElementType(*this, "outs", init, "table", getTable())) ||
      // learned_position_c6
      failed(verifySameDim(*this, "batch", {"outs", init, 0},
                           {"positions", getPositions(), 0})) ||
      // learned_position_c7
      failed(verifySameDim(*this, "length", {"outs", init, 1},
                           {"positions", getPositions(), 1})) ||
      // learned_position_c8
      failed(verifySameDim(*this, "width", {"outs", init, 2},
                           {"table", getTable(), 1})))
    return failure();
  return verifyRows(*this);
}
