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
static double getAlibiSlope(int64_t head, int64_t total, AlibiSeries series) {
  if (series == AlibiSeries::Plain)
    return std::exp2(-8.0 * (head + 1) / total);
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
      : op(op), firstHead(op.getFirstHead()), total(op.getHeads()),
        series(op.getSeries()) {
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
      return getAlibiSlope(head, *total, series);
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
  AlibiSeries series;
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

/// `base` to the power of `exponent`.
static APInt power(int64_t base, int64_t exponent, unsigned width) {
  APInt result(width, 1);
  for (int64_t i = 0; i < exponent; ++i)
    result *= APInt(width, base);
  return result;
}

/// T5's bucket of a distance of `a` keys in one direction, of `n` buckets.
static Int128 getT5Bucket(Int128 a, int64_t n, int64_t maxDistance) {
  int64_t exact = n / 2;
  if (a < exact)
    return a;
  if (a >= maxDistance)
    return n - 1;
  auto distance = static_cast<int64_t>(a);
  int64_t rest = n - exact;
  double quotient = std::log(static_cast<double>(distance) / exact) /
                    std::log(static_cast<double>(maxDistance) / exact) * rest;
  auto steps = static_cast<int64_t>(std::floor(quotient));
  // Next to an integer only the definition without logarithms tells the side:
  // `nearest` steps are made if distance^rest exact^nearest is no less than
  // maxDistance^nearest exact^rest.
  auto nearest = static_cast<int64_t>(std::round(quotient));
  if (std::fabs(quotient - nearest) < 1e-6) {
    unsigned width = 64 * (rest + nearest);
    APInt reached = power(distance, rest, width) * power(exact, nearest, width);
    APInt needed =
        power(maxDistance, nearest, width) * power(exact, rest, width);
    steps = reached.uge(needed) ? nearest : nearest - 1;
  }
  return std::min(n - 1, exact + steps);
}

static Int128 clampInt(Int128 value, Int128 low, Int128 high) {
  return value < low ? low : value > high ? high : value;
}

/// The column of the table that attn.bias.relative reads for a query at
/// `position` and a key.
static Int128 getRelativeIndex(BiasRelativeOp op, Int128 position, Int128 key,
                               int64_t columns) {
  Int128 distance = key - position;
  switch (op.getForm()) {
  case RelativeForm::T5: {
    int64_t n = *op.getNumBuckets(), maxDistance = *op.getMaxDistance();
    if (!op.getBidirectional())
      return getT5Bucket(distance < 0 ? -distance : 0, n, maxDistance);
    n /= 2;
    return distance > 0 ? n + getT5Bucket(distance, n, maxDistance)
                        : getT5Bucket(-distance, n, maxDistance);
  }
  case RelativeForm::Toeplitz:
    return clampInt(distance - static_cast<int64_t>(*op.getFirstDistance()), 0,
                    columns - 1);
  case RelativeForm::Window: {
    ArrayRef<int64_t> size = *op.getSize();
    Int128 last = Int128(size[0]) * size[1] - 1;
    Int128 query = clampInt(position, 0, last);
    key = clampInt(key, 0, last);
    Int128 rows = query / size[1] - key / size[1] + size[0] - 1;
    return rows * (2 * size[1] - 1) + query % size[1] - key % size[1] +
           size[1] - 1;
  }
  }
  llvm_unreachable("unknown form");
}

static LogicalResult evaluateRelative(Evaluation &eval) {
  auto op = eval.getOp<BiasRelativeOp>();
  BroadcastTensor table(eval, op.getTable(), "table");
  BatchInteger offset(eval, op.getOffset(), "offset");
  int64_t columns = eval.getValue(op.getTable()).getTensor().getShape()[1];
  int64_t expected = op.getExpectedColumns();
  bool isMinimum = op.getForm() == RelativeForm::Toeplitz;
  if (isMinimum ? columns < expected : columns != expected)
    return eval.emitError()
           << "expects dimension 1 of 'table' (" << columns << ") to be "
           << (isMinimum ? "at least " : "") << expected;
  auto bias = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(o))
      return failure();
    Int128 index =
        getRelativeIndex(op, Int128(pair.query) + *o, pair.key, columns);
    return table.get({pair.head, static_cast<int64_t>(index)});
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
  registry.addHandler<BiasRelativeOp>(evaluateRelative);
  registry.addHandler<BiasTensorOp>(evaluateTensor);
  registry.addHandler<BiasAddOp>(evaluateBinary<sum>);
  registry.addHandler<BiasGenerateOp>(evaluateGenerated);
  registry.addHandler<BiasSliceOp>(evaluateSliced);
}
