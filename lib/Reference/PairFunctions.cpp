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

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

//===----------------------------------------------------------------------===//
// BatchInteger
//===----------------------------------------------------------------------===//

BatchInteger::BatchInteger(Evaluation &eval, Value operand, StringRef name)
    : op(eval.getOperation()), name(name),
      value(operand ? eval.getValue(operand) : Scalar(int64_t(0))) {
  auto type = operand ? dyn_cast<ShapedType>(operand.getType()) : ShapedType();
  isBroadcast = type && type.getDimSize(0) == 1;
}

FailureOr<int64_t> BatchInteger::get(int64_t batch) const {
  if (value.isScalar())
    return value.getInteger();
  ArrayRef<int64_t> numbers = value.getTensor().getIntegers();
  if (isBroadcast)
    return numbers.front();
  if (batch < 0 || batch >= static_cast<int64_t>(numbers.size()))
    return op->emitError() << "batch " << batch << " is out of bounds of '"
                           << name << "' of size " << numbers.size();
  return numbers[batch];
}

//===----------------------------------------------------------------------===//
// PairTensor
//===----------------------------------------------------------------------===//

PairTensor::PairTensor(Evaluation &eval, Value operand)
    : op(eval.getOperation()), values(eval.getValue(operand).getTensor()) {
  for (int64_t size : cast<RankedTensorType>(operand.getType()).getShape())
    broadcast.push_back(size == 1);
}

FailureOr<Scalar> PairTensor::get(const PairIndex &pair) const {
  SmallVector<int64_t, 4> indices = {pair.batch, pair.head, pair.query,
                                     pair.key};
  for (auto [index, isBroadcast] : llvm::zip_equal(indices, broadcast))
    if (isBroadcast)
      index = 0;
  if (!values.isInBounds(indices))
    return op->emitError() << "the pair " << formatShape(indices)
                           << " is out of bounds of 'values' of shape "
                           << formatShape(values.getShape());
  return values.getElement(indices);
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

PairIndex reference::shiftPair(const PairIndex &pair,
                               ArrayRef<int64_t> origin) {
  return {addWrapping(pair.batch, origin[0]), addWrapping(pair.head, origin[1]),
          addWrapping(pair.query, origin[2]), addWrapping(pair.key, origin[3])};
}
