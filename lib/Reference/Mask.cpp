//===- Mask.cpp - Ops that make masks ---------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every mask is the predicate that its op is defined by, as a function.
///
//===----------------------------------------------------------------------===//

#include "IntegerMath.h"
#include "PairFunctions.h"

#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static LogicalResult evaluateCausal(Evaluation &eval) {
  auto op = eval.getOp<MaskCausalOp>();
  BatchInteger offset(eval, op.getOffset(), "offset");
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(o))
      return failure();
    return Scalar::fromBool(pair.key <= Int128(pair.query) + *o);
  };
  return setPairResult(eval, keep);
}

static LogicalResult evaluateWindow(Evaluation &eval) {
  auto op = eval.getOp<MaskWindowOp>();
  BatchInteger offset(eval, op.getOffset(), "offset");
  std::optional<Int128> left, right;
  if (op.getLeft())
    left = *op.getLeft();
  if (op.getRight())
    right = *op.getRight();
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(o))
      return failure();
    Int128 position = Int128(pair.query) + *o;
    return Scalar::fromBool((!left || position - *left <= pair.key) &&
                            (!right || pair.key <= position + *right));
  };
  return setPairResult(eval, keep);
}

/// The largest integer that is at most `numerator / denominator`.
static Int128 floorDivide(Int128 numerator, Int128 denominator) {
  Int128 quotient = numerator / denominator;
  return quotient * denominator > numerator ? quotient - 1 : quotient;
}

static LogicalResult evaluateChunk(Evaluation &eval) {
  auto op = eval.getOp<MaskChunkOp>();
  BatchInteger offset(eval, op.getOffset(), "offset");
  BatchInteger start(eval, op.getStart(), "start");
  Int128 size = op.getSize();
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<int64_t> o = offset.get(pair.batch);
    FailureOr<int64_t> s = start.get(pair.batch);
    if (failed(o) || failed(s))
      return failure();
    return Scalar::fromBool(floorDivide(Int128(pair.query) + *o - *s, size) ==
                            floorDivide(Int128(pair.key) - *s, size));
  };
  return setPairResult(eval, keep);
}

static LogicalResult evaluateDocument(Evaluation &eval) {
  auto op = eval.getOp<MaskDocumentOp>();
  BroadcastTensor queryIds(eval, op.getQueryIds(), "query_ids");
  BroadcastTensor keyIds(eval, op.getKeyIds(), "key_ids");
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<Scalar> query = queryIds.get({pair.batch, pair.query});
    FailureOr<Scalar> key = keyIds.get({pair.batch, pair.key});
    if (failed(query) || failed(key))
      return failure();
    int64_t document = query->getInteger();
    return Scalar::fromBool(document >= 0 && document == key->getInteger());
  };
  return setPairResult(eval, keep);
}

static LogicalResult evaluatePrefix(Evaluation &eval) {
  BatchInteger length(eval, eval.getOp<MaskPrefixOp>().getLength(), "length");
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<int64_t> keys = length.get(pair.batch);
    if (failed(keys))
      return failure();
    return Scalar::fromBool(pair.key < *keys);
  };
  return setPairResult(eval, keep);
}

static LogicalResult evaluatePadding(Evaluation &eval) {
  auto op = eval.getOp<MaskPaddingOp>();
  BatchInteger lengths(eval, op.getLengths(), "lengths");
  bool isLeft = op.getSide() == PaddingSide::Left;
  Int128 keys = op.getKeys() ? eval.getValue(op.getKeys()).getInteger() : 0;
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<int64_t> length = lengths.get(pair.batch);
    if (failed(length))
      return failure();
    return Scalar::fromBool(isLeft ? pair.key >= keys - *length
                                   : pair.key < *length);
  };
  return setPairResult(eval, keep);
}

static LogicalResult evaluateTensor(Evaluation &eval) {
  auto op = eval.getOp<MaskTensorOp>();
  BroadcastTensor values(eval, op.getValues(), "values");
  bool keeps = op.getPolarity() == MaskPolarity::Keep;
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<Scalar> value =
        values.get({pair.batch, pair.head, pair.query, pair.key});
    if (failed(value))
      return failure();
    return Scalar::fromBool((value->getInteger() != 0) == keeps);
  };
  return setPairResult(eval, keep);
}

static Scalar both(Scalar lhs, Scalar rhs) {
  return Scalar::fromBool(lhs.getInteger() && rhs.getInteger());
}

static Scalar either(Scalar lhs, Scalar rhs) {
  return Scalar::fromBool(lhs.getInteger() || rhs.getInteger());
}

static LogicalResult evaluateNot(Evaluation &eval) {
  RuntimeValue operand = eval.getOperand(0);
  auto keep = [=](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<Scalar> value = operand.getPairFunction()(pair);
    if (failed(value))
      return failure();
    return Scalar::fromBool(!value->getInteger());
  };
  return setPairResult(eval, keep, operand.getSize());
}

void reference::registerMaskHandlers(HandlerRegistry &registry) {
  registry.addHandler<MaskCausalOp>(evaluateCausal);
  registry.addHandler<MaskWindowOp>(evaluateWindow);
  registry.addHandler<MaskChunkOp>(evaluateChunk);
  registry.addHandler<MaskPaddingOp>(evaluatePadding);
  registry.addHandler<MaskDocumentOp>(evaluateDocument);
  registry.addHandler<MaskPrefixOp>(evaluatePrefix);
  registry.addHandler<MaskTensorOp>(evaluateTensor);
  registry.addHandler<MaskAndOp>(evaluateBinary<both>);
  registry.addHandler<MaskOrOp>(evaluateBinary<either>);
  registry.addHandler<MaskNotOp>(evaluateNot);
  registry.addHandler<MaskGenerateOp>(evaluateGenerated);
  registry.addHandler<MaskSliceOp>(evaluateSliced);
}
