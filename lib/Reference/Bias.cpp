//===- Bias.cpp - Ops that make biases --------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every bias is the value that its op is defined by, as a function.
///
//===----------------------------------------------------------------------===//

#include "IntegerMath.h"
#include "PairFunctions.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// ALiBi's slope of one of `total` heads.
static double getAlibiSlope(int64_t head, int64_t total) {
  int64_t power = 1;
  while (power <= total / 2)
    power *= 2;
  if (head < power)
    return std::exp2(-8.0 * (head + 1) / power);
  // The heads beyond a power of two take every other slope of the next one.
  int64_t odd = 2 * (head - power) + 1;
  return std::exp2(-8.0 * odd / (2.0 * power));
}

namespace {
/// The slope of a head: from an operand `[H]` or `[B, H]`, whose dimensions of
/// static size 1 are broadcast, or from the number of heads.
class AlibiSlope {
public:
  AlibiSlope(Evaluation &eval, BiasAlibiOp op)
      : op(op), firstHead(op.getFirstHead()), total(op.getHeads()) {
    if (!op.getSlopes())
      return;
    slopes = eval.getValue(op.getSlopes()).getTensor();
    for (int64_t size : cast<ShapedType>(op.getSlopes().getType()).getShape())
      broadcast.push_back(size == 1);
  }

  FailureOr<double> get(const PairIndex &pair) const {
    if (!slopes) {
      int64_t head = addWrapping(pair.head, firstHead);
      if (head < 0 || head >= static_cast<int64_t>(*total))
        return op->emitError() << "head " << head << " is out of bounds of "
                               << *total << " heads";
      return getAlibiSlope(head, *total);
    }
    SmallVector<int64_t, 2> indices = {pair.head};
    if (slopes->getRank() == 2)
      indices = {pair.batch, pair.head};
    for (auto [index, isBroadcast] : llvm::zip_equal(indices, broadcast))
      if (isBroadcast)
        index = 0;
    if (!slopes->isInBounds(indices))
      return op->emitError() << "index " << formatShape(indices)
                             << " is out of bounds of 'slopes' of shape "
                             << formatShape(slopes->getShape());
    return slopes->getElement(indices).getFloat();
  }

private:
  Operation *op;
  int64_t firstHead;
  std::optional<uint64_t> total;
  std::optional<Tensor> slopes;
  SmallVector<bool, 2> broadcast;
};
} // namespace

static LogicalResult evaluateAlibi(Evaluation &eval) {
  auto op = eval.getOp<BiasAlibiOp>();
  AlibiSlope slopes(eval, op);
  BatchInteger offset(eval, op.getOffset(), "offset");
  bool isAbsolute = op.getDistance() == AlibiDistance::Absolute;
  BiasFunction bias = [=](const PairIndex &pair) -> FailureOr<double> {
    FailureOr<double> slope = slopes.get(pair);
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(slope) || failed(o))
      return failure();
    double distance = static_cast<double>(Int128(pair.query) + *o - pair.key);
    return -*slope * (isAbsolute ? std::fabs(distance) : distance);
  };
  return setSymbolicResult(eval, bias);
}

static LogicalResult evaluateTensor(Evaluation &eval) {
  PairTensor values(eval, eval.getOp<BiasTensorOp>().getValues());
  BiasFunction bias = [=](const PairIndex &pair) -> FailureOr<double> {
    FailureOr<Scalar> value = values.get(pair);
    if (failed(value))
      return failure();
    return value->getFloat();
  };
  return setSymbolicResult(eval, bias);
}

static LogicalResult evaluateAdd(Evaluation &eval) {
  RuntimeValue lhs = eval.getOperand(0);
  RuntimeValue rhs = eval.getOperand(1);
  BiasFunction bias = [=](const PairIndex &pair) -> FailureOr<double> {
    FailureOr<double> left = lhs.getBias()(pair);
    FailureOr<double> right = rhs.getBias()(pair);
    if (failed(left) || failed(right))
      return failure();
    return *left + *right;
  };
  return setSymbolicResult(eval, bias, lhs.getSize() + rhs.getSize());
}

static LogicalResult evaluateGenerate(Evaluation &eval) {
  auto op = eval.getOp<BiasGenerateOp>();
  auto region = std::make_shared<PairRegion>(eval, op.getBody());
  BiasFunction bias = [=](const PairIndex &pair) -> FailureOr<double> {
    FailureOr<Scalar> value = region->evaluate(pair);
    if (failed(value))
      return failure();
    return value->getFloat();
  };
  return setSymbolicResult(eval, bias, region->getSize());
}

static LogicalResult evaluateSlice(Evaluation &eval) {
  RuntimeValue source = eval.getOperand(0);
  SmallVector<int64_t> origin = eval.getIntegers(1, 4);
  BiasFunction bias = [=](const PairIndex &pair) -> FailureOr<double> {
    return source.getBias()(shiftPair(pair, origin));
  };
  return setSymbolicResult(eval, bias, source.getSize());
}

void reference::registerBiasHandlers(HandlerRegistry &registry) {
  registry.addHandler<BiasAlibiOp>(evaluateAlibi);
  registry.addHandler<BiasTensorOp>(evaluateTensor);
  registry.addHandler<BiasAddOp>(evaluateAdd);
  registry.addHandler<BiasGenerateOp>(evaluateGenerate);
  registry.addHandler<BiasSliceOp>(evaluateSlice);
}
