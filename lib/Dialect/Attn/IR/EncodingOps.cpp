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
#include "mlir/IR/RegionKindInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// PositionsOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(PositionsOp)
ATTN_DEFINE_DESTINATION_PATTERNS(PositionsOp)

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
  if (op.getLeftPadding()) // positions_c8
    return op.emitOpError("expects either 'segments' or 'left_padding', got "
                          "both");
  if (failed(verifySameDim(op, "batch", {"segments", segments, 0},
                           {"outs", init, 0},
                           /*allowOne=*/true))) // positions_c9
    return failure();
  if (!op.getFirst())
    return verifySameDim(op, "length", {"segments", segments, 1},
                         {"outs", init, 1}); // positions_c10
  // A tile lies somewhere in its row.
  int64_t length = cast<ShapedType>(segments.getType()).getDimSize(1);
  int64_t tokens = cast<ShapedType>(init.getType()).getDimSize(1);
  if (!ShapedType::isDynamic(length) && !ShapedType::isDynamic(tokens) &&
      length < tokens) // positions_c10
    return op.emitOpError("expects length of 'segments' (")
           << length << ") to be at least that of 'outs' (" << tokens << ")";
  return success();
}

LogicalResult PositionsOp::verify() {
  if (failed(verifyDestinations(*this, 1, 1)) ||              // positions_c5
      failed(verifyPerBatch(*this, "offset", getOffset())) || // positions_c6
      failed(verifyPerBatch(*this, "left_padding",
                            getLeftPadding()))) // positions_c7
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

/// The least and the greatest position.
using PositionRange = std::pair<int64_t, int64_t>;

/// The range of constant positions.
static std::optional<PositionRange>
getConstantRange(DenseIntElementsAttr positions) {
  if (positions.empty())
    return std::nullopt;
  auto [low, high] = PositionRange(std::numeric_limits<int64_t>::max(),
                                   std::numeric_limits<int64_t>::min());
  for (const APInt &position : positions.getValues<APInt>()) {
    low = std::min(low, position.getSExtValue());
    high = std::max(high, position.getSExtValue());
  }
  return PositionRange(low, high);
}

/// The value of an optional operand: 0 if it is absent, std::nullopt if it is
/// not constant.
static std::optional<int64_t> getConstantOrZero(Value value) {
  APInt constant(64, 0);
  if (value && !matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

std::optional<PositionRange> attn::getPositionRange(Value positions) {
  DenseIntElementsAttr constant;
  if (matchPattern(positions, m_Constant(&constant)))
    return getConstantRange(constant);
  auto op = positions.getDefiningOp<PositionsOp>();
  // Without dominance the op may not be verified yet: do not look into it.
  if (!op || mayBeGraphRegion(*op->getParentRegion()) || op.getLeftPadding() ||
      op.getSegments())
    return std::nullopt;
  auto type = cast<ShapedType>(positions.getType());
  if (type.isDynamicDim(1) || type.getDimSize(0) == 0 ||
      type.getDimSize(1) == 0)
    return std::nullopt;
  std::optional<int64_t> offset = getConstantOrZero(op.getOffset());
  std::optional<int64_t> first = getConstantOrZero(op.getFirst());
  if (!offset || !first)
    return std::nullopt;
  int64_t low, high;
  if (llvm::AddOverflow(*offset, *first, low) ||
      llvm::AddOverflow(low, type.getDimSize(1) - 1, high))
    return std::nullopt;
  return PositionRange{low, high};
}

Speculation::Speculatability LearnedPositionOp::getSpeculatability() {
  // A position outside of the table is an error at run time, which must not be
  // raised where the program does not come. The verifier has compared a known
  // range with a known size.
  // A table without rows is one even if positions are clamped.
  int64_t rows = cast<ShapedType>(getTable().getType()).getDimSize(0);
  if (ShapedType::isDynamic(rows) || (getOutOfRange() == OutOfRange::Trap &&
                                      !getPositionRange(getPositions())))
    return Speculation::NotSpeculatable;
  return getDestinationSpeculatability(*this);
}

/// Checks known positions, or that there is a row to clamp to.
static LogicalResult verifyRows(LearnedPositionOp op) {
  int64_t rows = cast<ShapedType>(op.getTable().getType()).getDimSize(0);
  if (ShapedType::isDynamic(rows))
    return success();
  if (op.getOutOfRange() == OutOfRange::Clamp) {
    auto type = cast<ShapedType>(op.getInits()[0].getType());
    if (rows == 0 && type.hasStaticShape() &&
        type.getNumElements() > 0) // learned_position_c10
      return op.emitOpError("expects 'table' to have rows to clamp positions "
                            "to, got none");
    return success();
  }
  std::optional<PositionRange> range = getPositionRange(op.getPositions());
  if (range &&
      (range->first < 0 || range->second >= rows)) // learned_position_c9
    return op.emitOpError("expects 'positions' within the ")
           << rows << " rows of 'table', got "
           << (range->first < 0 ? range->first : range->second);
  return success();
}

LogicalResult LearnedPositionOp::verify() {
  if (failed(verifyDestinations(*this, 1, 1))) // learned_position_c4
    return failure();
  Value init = getInits()[0];
  if (failed(verifySameElementType(*this, "outs", init, "table",
                                   getTable())) || // learned_position_c5
      failed(verifySameDim(
          *this, "batch", {"outs", init, 0},
          {"positions", getPositions(), 0})) || // learned_position_c6
      failed(verifySameDim(
          *this, "length", {"outs", init, 1},
          {"positions", getPositions(), 1})) || // learned_position_c7
      failed(verifySameDim(*this, "width", {"outs", init, 2},
                           {"table", getTable(), 1}))) // learned_position_c8
    return failure();
  return verifyRows(*this);
}
