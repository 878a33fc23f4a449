//===- Loss.cpp - The cross entropy -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// The negative log-likelihood of class `target`.
static double getRowLoss(ArrayRef<double> logits, int64_t target) {
  double maximum = logits.front();
  for (double x : logits)
    maximum = std::fmax(maximum, x);
  // Of logits that are all -inf none is likely: 0 / 0.
  if (std::isinf(maximum))
    return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  for (double x : logits)
    sum += std::exp(x - maximum);
  return std::log(sum) - (logits[target] - maximum);
}

static LogicalResult evaluateCrossEntropy(Evaluation &eval) {
  auto op = eval.getOp<CrossEntropyOp>();
  const Tensor &logits = eval.getValue(op.getLogits()).getTensor();
  const Tensor &targets = eval.getValue(op.getTargets()).getTensor();
  int64_t rows = logits.getDimSize(0), classes = logits.getDimSize(1);
  if (targets.getDimSize(0) != rows)
    return eval.emitError()
           << "expects size of 'targets' (" << targets.getDimSize(0)
           << ") to equal that of 'logits' (" << rows << ")";
  int64_t ignored = op.getIgnoreIndex();
  double sum = 0.0;
  int64_t count = 0;
  for (int64_t n = 0; n < rows; ++n) {
    int64_t target = targets.getIntegers()[n];
    if (target == ignored)
      continue;
    if (target < 0 || target >= classes)
      return eval.emitError() << "expects 'targets' within the " << classes
                              << " classes, got " << target;
    sum += getRowLoss(logits.getFloats().slice(n * classes, classes), target);
    ++count;
  }
  if (count == 0)
    sum = op.getAllIgnored() == AllIgnored::Zero
              ? 0.0
              : std::numeric_limits<double>::quiet_NaN();
  else
    sum /= count;
  Tensor result = eval.getValue(op.getInits().front()).getTensor();
  result.setElement(int64_t(0), sum);
  eval.setResult(0, result);
  return success();
}

void reference::registerLossHandlers(HandlerRegistry &registry) {
  registry.addHandler<CrossEntropyOp>(evaluateCrossEntropy);
}
