//===- RotaryOps.cpp - Rotary embedding -------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification of rotary tables and rotations.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// RotaryTableOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(RotaryTableOp)
ATTN_DEFINE_DESTINATION_PATTERNS(RotaryTableOp)

void RotaryTableOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (!getNumResults())
    return;
  setNameFn(getResult(0), "cos");
  setNameFn(getResult(1), "sin");
}

/// The parts that fit together or not, whatever the sizes.
static LogicalResult verifyTableParts(RotaryTableOp op) {
  if (static_cast<bool>(op.getFrequencies()) ==
      op.getRule().has_value()) // rotary_table_c5
    return op.emitOpError("expects either 'frequencies' or 'rule', got ")
           << (op.getFrequencies() ? "both" : "none");
  int64_t rank = cast<ShapedType>(op.getPositions().getType()).getRank();
  if (rank != op.getBatchDim() + 2) // rotary_table_c6
    return op.emitOpError("expects 'positions' of rank ")
           << op.getBatchDim() + 2 << (op.getSections() ? " with" : " without")
           << " 'sections', got rank " << rank;
  bool needsLength = op.getRule() && op.getRule()->isOfRunTime();
  if (needsLength != static_cast<bool>(op.getLength())) { // rotary_table_c7
    if (needsLength)
      return op.emitOpError("expects 'length' for frequency rule '")
             << stringifyFrequencyRule(op.getRule()->getRule()) << "'";
    return op.emitOpError("expects no 'length' where the frequencies do not "
                          "depend on it");
  }
  if (!op.getMagnitude().isFinite()) // rotary_table_c12
    return op.emitOpError("expects a finite 'magnitude', got ")
           << op.getMagnitude().convertToDouble();
  return success();
}

/// The axes of the positions and the pairs that they turn.
static LogicalResult verifySections(RotaryTableOp op) {
  std::optional<SectionsAttr> sections = op.getSections();
  if (!sections)
    return success();
  int64_t axes = cast<ShapedType>(op.getPositions().getType()).getDimSize(0);
  if (!ShapedType::isDynamic(axes) &&
      axes != sections->getNumAxes()) // rotary_table_c15
    return op.emitOpError("expects number of axes of 'positions' (")
           << axes << ") to equal that of 'sections' ("
           << sections->getNumAxes() << ")";
  int64_t pairs = cast<ShapedType>(op.getInits()[0].getType()).getDimSize(2);
  if (op.getRule())
    pairs = op.getRule()->getDim() / 2;
  if (!ShapedType::isDynamic(pairs) &&
      pairs != sections->getNumPairs()) // rotary_table_c16
    return op.emitOpError("expects the sum of 'sections' (")
           << sections->getNumPairs() << ") to be the number of pairs ("
           << pairs << ")";
  if (sections->getOrder() == SectionOrder::Axial &&
      !op.getRule()) // rotary_table_c17
    return op.emitOpError("expects a 'rule' with axial 'sections', which "
                          "restart its frequencies");
  return success();
}

LogicalResult RotaryTableOp::verify() {
  if (failed(verifyDestinations(*this, 2, 2)) || // rotary_table_c4
      failed(verifyTableParts(*this)))
    return failure();
  Value cos = getInits()[0], sin = getInits()[1];
  int64_t batchDim = getBatchDim();
  if (failed(verifySameElementType(*this, "sin", sin, "cos",
                                   cos)) || // rotary_table_c8
      failed(verifySameDim(
          *this, "batch", {"cos", cos, 0},
          {"positions", getPositions(), batchDim})) || // rotary_table_c9
      failed(verifySameDim(
          *this, "length", {"cos", cos, 1},
          {"positions", getPositions(), batchDim + 1}))) // rotary_table_c10
    return failure();
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(*this, name, {"sin", sin, d},
                             {"cos", cos, d}))) // rotary_table_c11
      return failure();
  }
  if (failed(verifySections(*this)))
    return failure();
  if (getFrequencies())
    return verifySameDim(
        *this, "number of pairs", {"cos", cos, 2},
        {"frequencies", getFrequencies(), 0}); // rotary_table_c13
  int64_t pairs = cast<ShapedType>(cos.getType()).getDimSize(2);
  if (!ShapedType::isDynamic(pairs) &&
      pairs != getRule()->getDim() / 2) // rotary_table_c14
    return emitOpError("expects 'dim' of 'rule' (")
           << getRule()->getDim() << ") to be twice the number of pairs of "
           << "'cos' (" << pairs << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// RotaryOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(RotaryOp)
ATTN_DEFINE_DESTINATION_PATTERNS(RotaryOp)

void RotaryOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "rotated");
}

LogicalResult RotaryOp::verify() {
  if (failed(verifyDestinations(*this, 1, 1))) // rotary_c4
    return failure();
  Value init = getInits()[0];
  if (failed(verifySameElementType(*this, "outs", init, "input",
                                   getInput()))) // rotary_c5
    return failure();
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(*this, name, {"outs", init, d},
                             {"input", getInput(), d}))) // rotary_c6
      return failure();
  }
  return verifyRotation(*this, "input", getInput(), "cos", getCos(), "sin",
                        getSin(), getFirst());
}

LogicalResult attn::verifyRotation(Operation *op, StringRef inputName,
                                   Value input, StringRef cosName, Value cos,
                                   StringRef sinName, Value sin,
                                   int64_t first) {
  if (failed(
          verifySameElementType(op, sinName, sin, cosName, cos)) || // rotary_c7
      failed(verifySameDim(op, "batch", {cosName, cos, 0},
                           {inputName, input, 0},
                           /*allowOne=*/true)) || // rotary_c8
      failed(verifySameDim(op, "length", {cosName, cos, 1},
                           {inputName, input, 2}))) // rotary_c9
    return failure();
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(op, name, {sinName, sin, d},
                             {cosName, cos, d}))) // rotary_c10
      return failure();
  }
  if (first < 0) // rotary_c11
    return op->emitOpError("expects the first rotated element to be "
                           "non-negative, got ")
           << first;
  int64_t pairs = cast<ShapedType>(cos.getType()).getDimSize(2);
  int64_t headDim = cast<ShapedType>(input.getType()).getDimSize(3);
  // Compared without sums, which could overflow.
  if (!ShapedType::isDynamic(pairs) && !ShapedType::isDynamic(headDim) &&
      (pairs > headDim / 2 || first > headDim - 2 * pairs)) // rotary_c12
    return op->emitOpError("expects ")
           << pairs << " rotated pairs from element " << first
           << " to be within the head dimension of '" << inputName << "' ("
           << headDim << ")";
  return success();
}
