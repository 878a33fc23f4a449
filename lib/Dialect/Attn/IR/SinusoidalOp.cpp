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
  if (failed(verifyDestinations(*this, 1, 1))) // sinusoidal_c3
    return failure();
  Value init = getInits()[0], positions = getPositions();
  if (failed(verifySameDim(*this, "batch", {"outs", init, 0},
                           {"positions", positions, 0})) || // sinusoidal_c4
      failed(verifySameDim(*this, "length", {"outs", init, 1},
                           {"positions", positions, 1}))) // sinusoidal_c5
    return failure();
  double base = getBase().convertToDouble();
  if (!std::isfinite(base) || base <= 0) // sinusoidal_c6
    return emitOpError("expects a positive 'base', got ") << base;
  double scale = getPositionScale().convertToDouble();
  if (!std::isfinite(scale)) // sinusoidal_c7
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
