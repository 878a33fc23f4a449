//===- Decoding.cpp - Caches and merges of partial attention ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Element by element, as the ops are defined.
///
//===----------------------------------------------------------------------===//

#include "PairFunctions.h"

#include "attn/Dialect/Attn/IR/Attn.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Fails unless `actual` is `expected`.
static LogicalResult checkShape(Evaluation &eval, StringRef name,
                                ArrayRef<int64_t> actual,
                                ArrayRef<int64_t> expected) {
  if (actual == expected)
    return success();
  return eval.emitError() << "expects '" << name << "' of shape "
                          << formatShape(expected) << ", got "
                          << formatShape(actual);
}

//===----------------------------------------------------------------------===//
// CacheAppendOp
//===----------------------------------------------------------------------===//

/// The starts of all batches, each of which leaves room for `rows` rows.
static FailureOr<SmallVector<int64_t>> readStarts(Evaluation &eval,
                                                  CacheAppendOp op,
                                                  int64_t batches, int64_t rows,
                                                  int64_t capacity) {
  BatchInteger start(eval, op.getStart(), "start");
  SmallVector<int64_t> starts;
  for (int64_t b = 0; b < batches; ++b) {
    FailureOr<int64_t> first = start.get(b);
    if (failed(first))
      return failure();
    if (*first < 0)
      return eval.emitError()
             << "expects a non-negative 'start', got " << *first;
    if (!op.getRing() && *first > capacity - rows)
      return eval.emitError()
             << "expects a 'start' of at most " << capacity - rows << ", for "
             << rows << " rows in a cache of " << capacity << ", got "
             << *first;
    starts.push_back(*first);
  }
  return starts;
}

static LogicalResult evaluateCacheAppend(Evaluation &eval) {
  auto op = eval.getOp<CacheAppendOp>();
  const Tensor &rows = eval.getValue(op.getNewRows()).getTensor();
  unsigned initNumber = op.getInitsMutable()[0].getOperandNumber();
  ArrayRef<int64_t> shape = eval.getTensor(initNumber).getShape();
  int64_t count = rows.getDimSize(2), capacity = shape[2];
  SmallVector<int64_t> expected(shape);
  expected[2] = count;
  if (failed(checkShape(eval, "new", rows.getShape(), expected)))
    return failure();
  if (count > capacity)
    return eval.emitError()
           << "expects length of 'new' (" << count
           << ") to be at most that of 'outs' (" << capacity << ")";
  auto starts = readStarts(eval, op, shape[0], count, capacity);
  if (failed(starts))
    return failure();
  // The init is read: what is not written stays.
  Tensor result = eval.takeOperand(initNumber).getTensor();
  auto write = [&](ArrayRef<int64_t> at) -> LogicalResult {
    SmallVector<int64_t> place(at);
    int64_t start = (*starts)[at[0]];
    place[2] =
        op.getRing() ? (start % capacity + at[2]) % capacity : start + at[2];
    result.setElement(place, rows.getElement(at));
    return success();
  };
  if (failed(forEachIndex(rows.getShape(), write)))
    return failure();
  eval.setResult(0, result);
  return success();
}

//===----------------------------------------------------------------------===//
// MergeOp
//===----------------------------------------------------------------------===//

namespace {
/// The log-sum-exp of one row, in each part and together, natural.
struct MergedRow {
  SmallVector<double> parts;
  double all;
};
} // namespace

/// `ln sum e^x`, -inf if there is nothing to sum.
static double logSumExp(ArrayRef<double> numbers) {
  double maximum = -infinity;
  for (double x : numbers)
    if (x > maximum || std::isnan(x))
      maximum = x;
  if (maximum == -infinity || std::isnan(maximum))
    return maximum;
  double sum = 0.0;
  for (double x : numbers)
    sum += std::exp(x - maximum);
  return maximum + std::log(sum);
}

static LogicalResult evaluateMerge(Evaluation &eval) {
  auto op = eval.getOp<MergeOp>();
  Tensor output = eval.getValue(op.getOutputInit()).getTensor();
  Tensor lse;
  if (op.getLseInit())
    lse = eval.getValue(op.getLseInit()).getTensor();
  SmallVector<Tensor> partials, lses;
  SmallVector<int64_t> rowShape(output.getShape().drop_back());
  for (auto [partial, partLse] : llvm::zip(op.getPartials(), op.getLses())) {
    partials.push_back(eval.getValue(partial).getTensor());
    lses.push_back(eval.getValue(partLse).getTensor());
    if (failed(checkShape(eval, "partials", partials.back().getShape(),
                          output.getShape())) ||
        failed(checkShape(eval, "lses", lses.back().getShape(), rowShape)))
      return failure();
  }
  if (op.getLseInit() &&
      failed(checkShape(eval, "lse", lse.getShape(), rowShape)))
    return failure();

  double unit = op.getLseBase() == LseBase::Two ? std::log(2.0) : 1.0;
  int64_t features = output.getDimSize(3);
  auto mergeRow = [&](ArrayRef<int64_t> at) -> LogicalResult {
    MergedRow row;
    for (const Tensor &part : lses)
      row.parts.push_back(part.getElement(at).getFloat() * unit);
    row.all = logSumExp(row.parts);
    bool isEmpty = row.all == -infinity;
    if (op.getLseInit())
      lse.setElement(at, row.all / unit);
    for (int64_t d = 0; d < features; ++d) {
      SmallVector<int64_t> place(at);
      place.push_back(d);
      double sum = 0.0;
      for (auto [number, part] : llvm::enumerate(partials))
        if (row.parts[number] != -infinity)
          sum += std::exp(row.parts[number] - row.all) *
                 part.getElement(place).getFloat();
      if (isEmpty && op.getEmptyRow() == EmptyRow::Nan)
        sum = std::numeric_limits<double>::quiet_NaN();
      output.setElement(place, sum);
    }
    return success();
  };
  if (failed(forEachIndex(rowShape, mergeRow)))
    return failure();
  eval.setResult(0, output);
  if (op.getLseInit())
    eval.setResult(1, lse);
  return success();
}

void reference::registerDecodingHandlers(HandlerRegistry &registry) {
  registry.addHandler<CacheAppendOp>(evaluateCacheAppend);
  registry.addHandler<MergeOp>(evaluateMerge);
}
