//===- EncodingOps.cpp - Positions and encodings -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// PositionsOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(PositionsOp)

void PositionsOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "positions");
}

LogicalResult PositionsOp::verify() {
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  Value init = getInits()[0];
  if (getOffset() && isa<ShapedType>(getOffset().getType()) &&
      failed(verifySameDim(*this, "size", {"offset", getOffset(), 0},
                           {"outs", init, 0})))
    return failure();
  if (getLeftPadding() &&
      failed(verifySameDim(*this, "size", {"left_padding", getLeftPadding(), 0},
                           {"outs", init, 0})))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// LearnedPositionOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(LearnedPositionOp)

void LearnedPositionOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "embedding");
}

/// The range of the positions, if it is known: of a constant, or of
/// `attn.positions` without padding whose length and offset are.
static std::optional<std::pair<int64_t, int64_t>>
getPositionRange(Value positions) {
  DenseIntElementsAttr constant;
  if (matchPattern(positions, m_Constant(&constant))) {
    if (constant.empty())
      return std::nullopt;
    int64_t low = std::numeric_limits<int64_t>::max();
    int64_t high = std::numeric_limits<int64_t>::min();
    for (const APInt &position : constant.getValues<APInt>()) {
      low = std::min(low, position.getSExtValue());
      high = std::max(high, position.getSExtValue());
    }
    return std::pair(low, high);
  }
  auto op = positions.getDefiningOp<PositionsOp>();
  if (!op || op.getLeftPadding())
    return std::nullopt;
  APInt offset(64, 0), first(64, 0);
  if ((op.getOffset() &&
       !matchPattern(op.getOffset(), m_ConstantInt(&offset))) ||
      (op.getFirst() && !matchPattern(op.getFirst(), m_ConstantInt(&first))))
    return std::nullopt;
  int64_t length = cast<ShapedType>(positions.getType()).getDimSize(1);
  int64_t start = offset.getSExtValue() + first.getSExtValue();
  if (ShapedType::isDynamic(length) || length == 0)
    return std::nullopt;
  return std::pair(start, start + length - 1);
}

LogicalResult LearnedPositionOp::verify() {
  Value init = getInits().empty() ? Value() : getInits()[0];
  if (failed(verifyDestinations(*this, 1, 1)) ||
      failed(verifySameElementType(*this, "outs", init, "table", getTable())) ||
      failed(verifySameDim(*this, "batch", {"outs", init, 0},
                           {"positions", getPositions(), 0})) ||
      failed(verifySameDim(*this, "length", {"outs", init, 1},
                           {"positions", getPositions(), 1})) ||
      failed(verifySameDim(*this, "width", {"outs", init, 2},
                           {"table", getTable(), 1})))
    return failure();
  int64_t rows = cast<ShapedType>(getTable().getType()).getDimSize(0);
  if (ShapedType::isDynamic(rows))
    return success();
  if (auto range = getPositionRange(getPositions()))
    if (range->first < 0 || range->second >= rows)
      return emitOpError("expects 'positions' within the ")
             << rows << " rows of 'table', got "
             << (range->first < 0 ? range->first : range->second);
  return success();
}
