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

LogicalResult RotaryTableOp::verify() {
  if (failed(verifyDestinations(*this, 2, 2)))
    return failure();
  if (static_cast<bool>(getFrequencies()) == getRule().has_value())
    return emitOpError("expects either 'frequencies' or 'rule', got ")
           << (getFrequencies() ? "both" : "none");
  Value cos = getInits()[0], sin = getInits()[1];
  if (failed(verifySameElementType(*this, "sin", sin, "cos", cos)) ||
      failed(verifySameDim(*this, "batch", {"cos", cos, 0},
                           {"positions", getPositions(), 0})) ||
      failed(verifySameDim(*this, "length", {"cos", cos, 1},
                           {"positions", getPositions(), 1})) ||
      failed(verifySameDim(*this, "batch", {"sin", sin, 0}, {"cos", cos, 0})) ||
      failed(
          verifySameDim(*this, "length", {"sin", sin, 1}, {"cos", cos, 1})) ||
      failed(verifySameDim(*this, "number of pairs", {"sin", sin, 2},
                           {"cos", cos, 2})))
    return failure();
  if (!getMagnitude().isFinite())
    return emitOpError("expects a finite 'magnitude', got ")
           << getMagnitude().convertToDouble();
  if (getFrequencies())
    return verifySameDim(*this, "number of pairs", {"cos", cos, 2},
                         {"frequencies", getFrequencies(), 0});
  int64_t pairs = cast<ShapedType>(cos.getType()).getDimSize(2);
  if (!ShapedType::isDynamic(pairs) && pairs != getRule()->getDim() / 2)
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
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  Value init = getInits()[0];
  if (failed(verifySameElementType(*this, "outs", init, "input", getInput())))
    return failure();
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(*this, name, {"outs", init, d},
                             {"input", getInput(), d})))
      return failure();
  }
  return verifyRotation(*this, "input", getInput(), "cos", getCos(), "sin",
                        getSin(), getFirst());
}

LogicalResult attn::verifyRotation(Operation *op, StringRef inputName,
                                   Value input, StringRef cosName, Value cos,
                                   StringRef sinName, Value sin,
                                   int64_t first) {
  if (failed(verifySameElementType(op, sinName, sin, cosName, cos)) ||
      failed(verifySameDim(op, "batch", {cosName, cos, 0},
                           {inputName, input, 0}, /*allowOne=*/true)) ||
      failed(verifySameDim(op, "length", {cosName, cos, 1},
                           {inputName, input, 2})))
    return failure();
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(op, name, {sinName, sin, d}, {cosName, cos, d})))
      return failure();
  }
  if (first < 0)
    return op->emitOpError("expects the first rotated element to be "
                           "non-negative, got ")
           << first;
  int64_t pairs = cast<ShapedType>(cos.getType()).getDimSize(2);
  int64_t headDim = cast<ShapedType>(input.getType()).getDimSize(3);
  // Compared without sums, which could overflow.
  if (!ShapedType::isDynamic(pairs) && !ShapedType::isDynamic(headDim) &&
      (pairs > headDim / 2 || first > headDim - 2 * pairs))
    return op->emitOpError("expects ")
           << pairs << " rotated pairs from element " << first
           << " to be within the head dimension of '" << inputName << "' ("
           << headDim << ")";
  return success();
}
