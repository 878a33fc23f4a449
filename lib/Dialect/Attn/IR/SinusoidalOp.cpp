//===- SinusoidalOp.cpp - Sines and cosines of positions --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification and frequencies of sinusoidal encodings.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

ATTN_DEFINE_DESTINATION_OP(SinusoidalOp)
ATTN_DEFINE_DESTINATION_PATTERNS(SinusoidalOp)

void SinusoidalOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "encoding");
}

LogicalResult SinusoidalOp::verify() {
  // sinusoidal_c3
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  Value init = getInits()[0], positions = getPositions();
  // sinusoidal_c4
  if (failed(verifySameDim(*this, "batch", {"outs", init, 0},
                           {"positions", positions, 0})) ||
      // sinusoidal_c5
      failed(verifySameDim(*this, "length", {"outs", init, 1},
                           {"positions", positions, 1})))
    return failure();
  double base = getBase().convertToDouble();
  // sinusoidal_c6
  if (!std::isfinite(base) || base <= 0)
    return emitOpError("expects a positive finite 'base', got ") << base;
  double scale = getPositionScale().convertToDouble();
  // sinusoidal_c7
  if (!std::isfinite(scale))
    return emitOpError("expects a finite 'position_scale', got ") << scale;
  return success();
}

SmallVector<double> SinusoidalOp::evaluateFrequencies(int64_t width) {
  double denominator =
      getDenominator() == SinusoidDenominator::Full ? width : width - 2;
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < width - width / 2; ++i)
    frequencies.push_back(
        i == 0 ? 1
               : std::pow(getBase().convertToDouble(), -2 * i / denominator));
  return frequencies;
}
