//===- Positions.cpp - Positions and encodings added to tokens --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The positions of tokens, and rows of a table looked up by them.
///
//===----------------------------------------------------------------------===//

#include "IntegerMath.h"
#include "PairFunctions.h"

#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// Positions that start again with each run of equal ids.
static LogicalResult evaluateSegments(Evaluation &eval) {
  auto op = eval.getOp<PositionsOp>();
  BatchInteger offset(eval, op.getOffset(), "offset");
  const Tensor &ids = eval.getValue(op.getSegments()).getTensor();
  int64_t first = op.getFirst() ? eval.getValue(op.getFirst()).getInteger() : 0;
  Tensor result = eval.getValue(op.getInits().front()).getTensor();
  int64_t batches = result.getDimSize(0);
  int64_t tokens = result.getDimSize(1);
  int64_t length = ids.getDimSize(1);
  bool isShared =
      cast<ShapedType>(op.getSegments().getType()).getDimSize(0) == 1;
  if (!isShared && ids.getDimSize(0) != batches)
    return eval.emitError() << "expects segments of " << batches
                            << " rows, got " << ids.getDimSize(0);
  if (first < 0)
    return eval.emitError() << "expects a non-negative 'first', got " << first;
  bool fits = op.getFirst() ? first <= length - tokens : length == tokens;
  if (!fits)
    return eval.emitError()
           << "expects segments of " << tokens << " tokens from " << first
           << " on, got " << length << " in all";
  for (int64_t b = 0; b < batches && tokens > 0; ++b) {
    FailureOr<int64_t> before = offset.get(b);
    if (failed(before))
      return failure();
    auto getId = [&](int64_t token) {
      return ids.getElement({isShared ? 0 : b, token}).getInteger();
    };
    // The tokens of the current segment so far.
    int64_t count = 0;
    for (int64_t token = 0; token < first + tokens; ++token) {
      bool continues = token > 0 && getId(token) == getId(token - 1);
      count = continues ? count + 1 : 0;
      if (token >= first)
        result.setElement(
            {b, token - first},
            canonicalizeInteger(static_cast<int64_t>(Int128(*before) + count),
                                result.getElementType()));
    }
  }
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluatePositions(Evaluation &eval) {
  auto op = eval.getOp<PositionsOp>();
  if (op.getSegments())
    return evaluateSegments(eval);
  BatchInteger offset(eval, op.getOffset(), "offset");
  BatchInteger padding(eval, op.getLeftPadding(), "left_padding");
  int64_t first = op.getFirst() ? eval.getValue(op.getFirst()).getInteger() : 0;
  Tensor result = eval.getValue(op.getInits().front()).getTensor();
  int64_t batches = result.getDimSize(0);
  int64_t tokens = result.getDimSize(1);
  Type type = result.getElementType();
  for (int64_t b = 0; b < batches && tokens > 0; ++b) {
    FailureOr<int64_t> start = offset.get(b);
    FailureOr<int64_t> pad = padding.get(b);
    if (failed(start) || failed(pad))
      return failure();
    for (int64_t t = 0; t < tokens; ++t) {
      Int128 position = *start + std::max(Int128(first) + t - *pad, Int128(0));
      result.setElement(
          {b, t}, canonicalizeInteger(static_cast<int64_t>(position), type));
    }
  }
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluateLearnedPosition(Evaluation &eval) {
  auto op = eval.getOp<LearnedPositionOp>();
  const Tensor &table = eval.getValue(op.getTable()).getTensor();
  const Tensor &positions = eval.getValue(op.getPositions()).getTensor();
  Tensor result = eval.getValue(op.getInits().front()).getTensor();
  int64_t rows = table.getDimSize(0);
  int64_t features = table.getDimSize(1);
  SmallVector<int64_t> expected(positions.getShape());
  expected.push_back(features);
  if (result.getShape() != ArrayRef(expected))
    return eval.emitError()
           << "expects a destination of shape " << formatShape(expected)
           << ", got " << formatShape(result.getShape());
  bool clamps = op.getOutOfRange() == OutOfRange::Clamp;
  MutableArrayRef<double> out = result.getMutableFloats();
  if (clamps && rows == 0 && !out.empty())
    return eval.emitError() << "the table has no rows to clamp positions to";
  for (auto [number, given] : llvm::enumerate(positions.getIntegers())) {
    int64_t position = given;
    if (clamps)
      position =
          std::clamp<int64_t>(position, 0, std::max<int64_t>(rows - 1, 0));
    else if (position < 0 || position >= rows)
      return eval.emitError() << "expects 'positions' within the " << rows
                              << " rows of 'table', got " << position;
    llvm::copy(table.getFloats().slice(position * features, features),
               out.begin() + number * features);
  }
  eval.setResult(0, result);
  return success();
}

void reference::registerPositionHandlers(HandlerRegistry &registry) {
  registry.addHandler<PositionsOp>(evaluatePositions);
  registry.addHandler<LearnedPositionOp>(evaluateLearnedPosition);
}
