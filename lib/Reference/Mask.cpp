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
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(o))
      return failure();
    return pair.key <= Int128(pair.query) + *o;
  };
  return setSymbolicResult(eval, keep);
}

static LogicalResult evaluateWindow(Evaluation &eval) {
  auto op = eval.getOp<MaskWindowOp>();
  BatchInteger offset(eval, op.getOffset(), "offset");
  std::optional<Int128> left, right;
  if (op.getLeft())
    left = *op.getLeft();
  if (op.getRight())
    right = *op.getRight();
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<int64_t> o = offset.get(pair.batch);
    if (failed(o))
      return failure();
    Int128 position = Int128(pair.query) + *o;
    return (!left || position - *left <= pair.key) &&
           (!right || pair.key <= position + *right);
  };
  return setSymbolicResult(eval, keep);
}

static LogicalResult evaluatePadding(Evaluation &eval) {
  auto op = eval.getOp<MaskPaddingOp>();
  BatchInteger lengths(eval, op.getLengths(), "lengths");
  bool isLeft = op.getSide() == PaddingSide::Left;
  Int128 keys = op.getKeys() ? eval.getValue(op.getKeys()).getInteger() : 0;
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<int64_t> length = lengths.get(pair.batch);
    if (failed(length))
      return failure();
    return isLeft ? pair.key >= keys - *length : pair.key < *length;
  };
  return setSymbolicResult(eval, keep);
}

static LogicalResult evaluateTensor(Evaluation &eval) {
  auto op = eval.getOp<MaskTensorOp>();
  PairTensor values(eval, op.getValues());
  bool keeps = op.getPolarity() == MaskPolarity::Keep;
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<Scalar> value = values.get(pair);
    if (failed(value))
      return failure();
    return (value->getInteger() != 0) == keeps;
  };
  return setSymbolicResult(eval, keep);
}

/// Both operands are always asked, so that an error in one is never hidden.
template <auto fn> static LogicalResult evaluateBinary(Evaluation &eval) {
  RuntimeValue lhs = eval.getOperand(0);
  RuntimeValue rhs = eval.getOperand(1);
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<bool> left = lhs.getMask()(pair);
    FailureOr<bool> right = rhs.getMask()(pair);
    if (failed(left) || failed(right))
      return failure();
    return fn(*left, *right);
  };
  return setSymbolicResult(eval, keep, lhs.getSize() + rhs.getSize());
}

static LogicalResult evaluateNot(Evaluation &eval) {
  RuntimeValue operand = eval.getOperand(0);
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<bool> value = operand.getMask()(pair);
    if (failed(value))
      return failure();
    return !*value;
  };
  return setSymbolicResult(eval, keep, operand.getSize());
}

static LogicalResult evaluateGenerate(Evaluation &eval) {
  auto op = eval.getOp<MaskGenerateOp>();
  auto region = std::make_shared<PairRegion>(eval, op.getBody());
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    FailureOr<Scalar> value = region->evaluate(pair);
    if (failed(value))
      return failure();
    return value->getInteger() != 0;
  };
  return setSymbolicResult(eval, keep, region->getSize());
}

static LogicalResult evaluateSlice(Evaluation &eval) {
  RuntimeValue source = eval.getOperand(0);
  SmallVector<int64_t> origin = eval.getIntegers(1, 4);
  MaskFunction keep = [=](const PairIndex &pair) -> FailureOr<bool> {
    return source.getMask()(shiftPair(pair, origin));
  };
  return setSymbolicResult(eval, keep, source.getSize());
}

void reference::registerMaskHandlers(HandlerRegistry &registry) {
  registry.addHandler<MaskCausalOp>(evaluateCausal);
  registry.addHandler<MaskWindowOp>(evaluateWindow);
  registry.addHandler<MaskPaddingOp>(evaluatePadding);
  registry.addHandler<MaskTensorOp>(evaluateTensor);
  registry.addHandler<MaskAndOp>(
      evaluateBinary<[](bool a, bool b) { return a && b; }>);
  registry.addHandler<MaskOrOp>(
      evaluateBinary<[](bool a, bool b) { return a || b; }>);
  registry.addHandler<MaskNotOp>(evaluateNot);
  registry.addHandler<MaskGenerateOp>(evaluateGenerate);
  registry.addHandler<MaskSliceOp>(evaluateSlice);
}
