//===- Sinusoidal.cpp - Sines and cosines of positions ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sinusoidal encodings, element by element.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// An element of an encoding of `width` elements at `position`, which is scaled
/// already.
static double computeElement(SinusoidalOp op, double position, int64_t d,
                             int64_t width) {
  int64_t firsts = (width + 1) / 2;
  int64_t frequency = d / 2;
  bool isFirst = d % 2 == 0;
  if (op.getLayout() == SinusoidLayout::Concatenated) {
    isFirst = d < firsts;
    frequency = isFirst ? d : d - firsts;
  }
  double denominator = width;
  if (op.getDenominator() == SinusoidDenominator::MinusTwo)
    denominator -= 2.0;
  double w = 1.0;
  if (frequency > 0)
    w = std::pow(op.getBase().convertToDouble(),
                 -2.0 * frequency / denominator);
  double angle = position * w;
  if (op.getAngles() == AngleType::F32)
    angle = static_cast<float>(position) * static_cast<float>(w);
  return isFirst == op.getCosineFirst() ? std::cos(angle) : std::sin(angle);
}

static LogicalResult evaluateSinusoidal(Evaluation &eval) {
  auto op = eval.getOp<SinusoidalOp>();
  const Tensor &positions = eval.getValue(op.getPositions()).getTensor();
  Tensor result = eval.getValue(op.getInits().front()).getTensor();
  int64_t width = result.getDimSize(2);
  SmallVector<int64_t> expected(positions.getShape());
  expected.push_back(width);
  if (result.getShape() != ArrayRef(expected))
    return eval.emitError()
           << "expects a destination of shape " << formatShape(expected)
           << ", got " << formatShape(result.getShape());
  double scale = op.getPositionScale().convertToDouble();
  bool isFloat = isa<FloatType>(positions.getElementType());
  int64_t tokens = expected[0] * expected[1];
  for (int64_t token = 0; token < tokens; ++token) {
    double position =
        isFloat ? positions.getFloats()[token] : positions.getIntegers()[token];
    for (int64_t d = 0; d < width; ++d)
      result.setElement(token * width + d,
                        computeElement(op, position * scale, d, width));
  }
  eval.setResult(0, result);
  return success();
}

void reference::registerSinusoidalHandlers(HandlerRegistry &registry) {
  registry.addHandler<SinusoidalOp>(evaluateSinusoidal);
}
