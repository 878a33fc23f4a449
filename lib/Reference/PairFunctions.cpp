//===- PairFunctions.cpp - Parts of masks and biases ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads what masks and biases are made of, with every index checked.
///
//===----------------------------------------------------------------------===//

#include "PairFunctions.h"
#include "IntegerMath.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

//===----------------------------------------------------------------------===//
// BroadcastTensor and BatchInteger
//===----------------------------------------------------------------------===//

BroadcastTensor::BroadcastTensor(Evaluation &eval, Value operand,
                                 StringRef name)
    : op(eval.getOperation()), name(name),
      values(eval.getValue(operand).getTensor()) {
  for (int64_t size : cast<RankedTensorType>(operand.getType()).getShape())
    broadcast.push_back(size == 1);
}

FailureOr<Scalar> BroadcastTensor::get(ArrayRef<int64_t> indices) const {
  SmallVector<int64_t, 4> place(indices);
  for (auto [index, isBroadcast] : llvm::zip_equal(place, broadcast))
    if (isBroadcast)
      index = 0;
  if (!values.isInBounds(place))
    return op->emitError() << "index " << formatShape(place)
                           << " is out of bounds of '" << name << "' of shape "
                           << formatShape(values.getShape());
  return values.getElement(place);
}

BatchInteger::BatchInteger(Evaluation &eval, Value operand, StringRef name) {
  if (operand && isa<RankedTensorType>(operand.getType()))
    tensor.emplace(eval, operand, name);
  else if (operand)
    scalar = eval.getValue(operand).getInteger();
}

FailureOr<int64_t> BatchInteger::get(int64_t batch) const {
  if (!tensor)
    return scalar;
  FailureOr<Scalar> number = tensor->get(batch);
  if (failed(number))
    return failure();
  return number->getInteger();
}

//===----------------------------------------------------------------------===//
// PairRegion
//===----------------------------------------------------------------------===//

PairRegion::PairRegion(Evaluation &eval, Region &region)
    : interpreter(eval.getInterpreter()), frame(eval.getFrame().program),
      body(interpreter, frame, region.front()) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region, captured);
  for (Value value : captured) {
    const RuntimeValue &current = eval.getValue(value);
    size += current.getSize();
    frame.slots[frame.program.slots.lookup(value)] = current;
  }
}

FailureOr<Scalar> PairRegion::evaluate(const PairIndex &pair,
                                       ArrayRef<Scalar> leading) {
  unsigned number = 0;
  for (Scalar value : leading)
    body.setArgument(number++, value);
  for (int64_t index : {pair.batch, pair.head, pair.query, pair.key})
    body.setArgument(number++, Scalar(index));
  if (failed(body.run()))
    return failure();
  return body.getYield(0).getScalar();
}

//===----------------------------------------------------------------------===//
// Masks and biases made of others
//===----------------------------------------------------------------------===//

double reference::roundTo(double value, Type type) {
  if (!type)
    return value;
  APFloat number(value);
  bool losesInfo;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

/// A bias with its values rounded.
static PairFunction getRounded(PairFunction bias) {
  return [bias = std::move(bias)](const PairIndex &pair) -> FailureOr<Scalar> {
    FailureOr<Scalar> value = bias(pair);
    if (failed(value))
      return failure();
    return Scalar(roundTo(value->getFloat(), pair.accumulator));
  };
}

LogicalResult reference::setPairResult(Evaluation &eval, PairFunction function,
                                       unsigned size) {
  unsigned limit = eval.getOptions().maxSymbolicSize;
  if (size >= limit)
    return eval.emitError()
           << "a mask or bias is made of more than " << limit << " others";
  if (isa<BiasType>(eval.getOperation()->getResult(0).getType()))
    function = getRounded(std::move(function));
  eval.setResult(0, RuntimeValue(std::move(function), size + 1));
  return success();
}

LogicalResult reference::evaluateGenerated(Evaluation &eval) {
  auto region =
      std::make_shared<PairRegion>(eval, eval.getOperation()->getRegion(0));
  auto generate = [=](const PairIndex &pair) { return region->evaluate(pair); };
  return setPairResult(eval, generate, region->getSize());
}

LogicalResult reference::evaluateSliced(Evaluation &eval) {
  RuntimeValue source = eval.getOperand(0);
  SmallVector<int64_t> origin = eval.getIntegers(1, 4);
  auto shift = [=](const PairIndex &pair) {
    return source.getPairFunction()(
        {addWrapping(pair.batch, origin[0]), addWrapping(pair.head, origin[1]),
         addWrapping(pair.query, origin[2]), addWrapping(pair.key, origin[3]),
         pair.accumulator});
  };
  return setPairResult(eval, shift, source.getSize());
}
