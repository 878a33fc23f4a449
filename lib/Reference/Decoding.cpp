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
/// What the parts of one row weigh, and the natural log-sum-exp of all.
struct MergedRow {
  SmallVector<double> weights;
  double lse = -infinity;
};
} // namespace

/// Weights are relative to the greatest part and divided by their sum at last:
/// `e^(part - lse)` would lose the sum in an `lse` of large magnitude.
static MergedRow mergeRow(ArrayRef<double> parts) {
  double maximum = -infinity;
  for (double part : parts)
    if (part > maximum || std::isnan(part))
      maximum = part;
  MergedRow row;
  if (maximum == -infinity) {
    row.weights.assign(parts.size(), 0.0);
    return row;
  }
  double sum = 0.0;
  for (double part : parts) {
    row.weights.push_back(std::exp(part - maximum));
    sum += row.weights.back();
  }
  for (double &weight : row.weights)
    weight /= sum;
  row.lse = std::isnan(maximum) ? maximum : maximum + std::log(sum);
  return row;
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
  auto merge = [&](ArrayRef<int64_t> at) -> LogicalResult {
    SmallVector<double> parts;
    for (const Tensor &part : lses)
      parts.push_back(part.getElement(at).getFloat() * unit);
    MergedRow row = mergeRow(parts);
    if (op.getLseInit())
      lse.setElement(at, row.lse / unit);
    for (int64_t d = 0; d < features; ++d) {
      SmallVector<int64_t> place(at);
      place.push_back(d);
      double sum = 0.0;
      for (auto [number, part] : llvm::enumerate(partials))
        if (parts[number] != -infinity)
          sum += row.weights[number] * part.getElement(place).getFloat();
      if (row.lse == -infinity && op.getEmptyRow() == EmptyRow::Nan)
        sum = std::numeric_limits<double>::quiet_NaN();
      output.setElement(place, sum);
    }
    return success();
  };
  if (failed(forEachIndex(rowShape, merge)))
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
