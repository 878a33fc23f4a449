//===- RotaryOps.cpp - Rotary embedding -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// RotaryTableOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(RotaryTableOp)

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
    return emitOpError("expects either 'frequencies' or 'rule'");
  Value cos = getInits()[0], sin = getInits()[1];
  if (cos.getType() != sin.getType())
    return emitOpError("expects the destinations of cosines and sines to have "
                       "one type, got ")
           << cos.getType() << " and " << sin.getType();
  if (failed(verifySameDim(*this, "batch", {"outs", cos, 0},
                           {"positions", getPositions(), 0})) ||
      failed(verifySameDim(*this, "length", {"outs", cos, 1},
                           {"positions", getPositions(), 1})))
    return failure();
  if (getFrequencies())
    return verifySameDim(*this, "number of pairs", {"outs", cos, 2},
                         {"frequencies", getFrequencies(), 0});
  int64_t pairs = cast<ShapedType>(cos.getType()).getDimSize(2);
  if (!ShapedType::isDynamic(pairs) && pairs * 2 != getRule()->getDim())
    return emitOpError("expects 'dim' of 'rule' (")
           << getRule()->getDim() << ") to be twice the number of pairs of "
           << "'outs' (" << pairs << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// RotaryOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(RotaryOp)

void RotaryOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "rotated");
}

LogicalResult RotaryOp::verify() {
  Value init = getInits().empty() ? Value() : getInits()[0];
  if (failed(verifyDestinations(*this, 1, 1)) ||
      failed(verifySameElementType(*this, "outs", init, "input", getInput())))
    return failure();
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(*this, name, {"outs", init, d},
                             {"input", getInput(), d})))
      return failure();
  }
  if (failed(verifyRotation(*this, "input", getInput(), "cos", getCos(), "sin",
                            getSin(), getFirst())))
    return failure();
  return success();
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
  if (!ShapedType::isDynamic(pairs) && !ShapedType::isDynamic(headDim) &&
      first + 2 * pairs > headDim)
    return op->emitOpError("expects the rotated range [")
           << first << ", " << first + 2 * pairs
           << ") within the head dimension of '" << inputName << "' ("
           << headDim << ")";
  return success();
}
