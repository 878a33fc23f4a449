//===- LossOps.cpp - The loss of a language model ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification of the cross entropy.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"

using namespace mlir;
using namespace mlir::attn;

ATTN_DEFINE_DESTINATION_EFFECTS(CrossEntropyOp)
ATTN_DEFINE_DESTINATION_PATTERNS(CrossEntropyOp)

void CrossEntropyOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "loss");
}

Speculation::Speculatability CrossEntropyOp::getSpeculatability() {
  // A wrong target is an error at run time, which must not be raised where the
  // program does not come. The verifier has looked at constants.
  if (ShapedType::isDynamic(getDim(getLogits(), 1)) ||
      !getConstantIntegers(*this, getTargets()))
    return Speculation::NotSpeculatable;
  return getDestinationSpeculatability(*this);
}

LogicalResult CrossEntropyOp::verify() {
  // cross_entropy_c3, cross_entropy_c4, cross_entropy_c5
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  // cross_entropy_c6
  Type element = getElementTypeOrSelf(getInits()[0].getType());
  if (element != getAccumulatorType())
    return emitOpError(
               "expects element type of 'outs' to be the accumulator type (")
           << getAccumulatorType() << "), got " << element;
  // cross_entropy_c7
  if (failed(verifySameDim(*this, "size", {"targets", getTargets(), 0},
                           {"logits", getLogits(), 0})))
    return failure();
  // cross_entropy_c8
  int64_t classes = getDim(getLogits(), 1);
  DenseIntElementsAttr targets = getConstantIntegers(*this, getTargets());
  if (ShapedType::isDynamic(classes) || !targets)
    return success();
  int64_t ignored = getIgnoreIndex();
  for (const APInt &element : targets.getValues<APInt>()) {
    int64_t target = element.getSExtValue();
    if (target != ignored && (target < 0 || target >= classes))
      return emitOpError("expects 'targets' within the ")
             << classes << " classes, got " << target;
  }
  return success();
}
