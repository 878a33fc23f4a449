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
    slopes.emplace(eval, op.getSlopes(), "slopes");
    isPerBatch = cast<ShapedType>(op.getSlopes().getType()).getRank() == 2;
  }

  FailureOr<double> get(const PairIndex &pair) const {
    if (!slopes) {
      int64_t head = addWrapping(pair.head, firstHead);
      if (head < 0 || head >= static_cast<int64_t>(*total))
        return op->emitError() << "head " << head << " is out of bounds of "
                               << *total << " heads";
      return getAlibiSlope(head, *total);
    }
    FailureOr<Scalar> slope = isPerBatch ? slopes->get({pair.batch, pair.head})
                                         : slopes->get(pair.head);
    if (failed(slope))
      return failure();
    return slope->getFloat();
  }

private:
  Operation *op;
  int64_t firstHead;
  std::optional<uint64_t> total;
  std::optional<BroadcastTensor> slopes;
  bool isPerBatch = false;
};
} // namespace

static LogicalResult evaluateAlibi(Evaluation &eval) {
  auto op = eval.getOp<BiasAlibiOp>();
  AlibiSlope slopes(eval, op);
  BatchInteger offset(eval, op.getOffset(), "offset");
  bool isAbsolute = op.getDistance() == AlibiDistance::Absolute;
  auto bias = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<double> slope = slopes.get(pair);
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(slope) || failed(o))
      return failure();
    double distance = static_cast<double>(Int128(pair.query) + *o - pair.key);
    return Scalar(-*slope * (isAbsolute ? std::fabs(distance) : distance));
  };
  return setPairResult(eval, bias);
}

static LogicalResult evaluateTensor(Evaluation &eval) {
  BroadcastTensor values(eval, eval.getOp<BiasTensorOp>().getValues(),
                         "values");
  auto bias = [=](const PairIndex &pair) {
    return values.get({pair.batch, pair.head, pair.query, pair.key});
  };
  return setPairResult(eval, bias);
}

static Scalar sum(Scalar lhs, Scalar rhs) {
  return lhs.getFloat() + rhs.getFloat();
}

void reference::registerBiasHandlers(HandlerRegistry &registry) {
  registry.addHandler<BiasAlibiOp>(evaluateAlibi);
  registry.addHandler<BiasTensorOp>(evaluateTensor);
  registry.addHandler<BiasAddOp>(evaluateBinary<sum>);
  registry.addHandler<BiasGenerateOp>(evaluateGenerated);
  registry.addHandler<BiasSliceOp>(evaluateSliced);
}
