//===- Rotary.cpp - Rotary tables and rotation ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cosines and sines of rotary angles, and the rotation by them.
///
//===----------------------------------------------------------------------===//

#include "Rotation.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// The place of both elements of a pair within the rotated range.
static std::pair<int64_t, int64_t> getPair(RotaryLayout layout, int64_t pair,
                                           int64_t pairs) {
  if (layout == RotaryLayout::Interleaved)
    return {2 * pair, 2 * pair + 1};
  return {pair, pair + pairs};
}

FailureOr<Tensor> reference::rotate(Operation *op, const Tensor &input,
                                    const Tensor &cos, const Tensor &sin,
                                    const Rotation &rotation) {
  int64_t tableBatches = cos.getDimSize(0);
  int64_t pairs = cos.getDimSize(2);
  if (cos.getShape() != sin.getShape())
    return op->emitError() << "expects tables of one shape, got "
                           << formatShape(cos.getShape()) << " and "
                           << formatShape(sin.getShape());
  if ((tableBatches != 1 && tableBatches != input.getDimSize(0)) ||
      cos.getDimSize(1) != input.getDimSize(2))
    return op->emitError() << "expects tables of shape [" << input.getDimSize(0)
                           << " or 1, " << input.getDimSize(2) << ", R/2], got "
                           << formatShape(cos.getShape());
  if (rotation.first < 0 || rotation.first > input.getDimSize(3) ||
      pairs > (input.getDimSize(3) - rotation.first) / 2)
    return op->emitError() << "expects " << 2 * pairs
                           << " rotated elements from " << rotation.first
                           << " on to fit the head dimension "
                           << input.getDimSize(3);

  Tensor result = input;
  ArrayRef<int64_t> shape = input.getShape();
  for (int64_t b = 0; b < shape[0]; ++b)
    for (int64_t h = 0; h < shape[1]; ++h)
      for (int64_t t = 0; t < shape[2]; ++t)
        for (int64_t i = 0; i < pairs; ++i) {
          int64_t batch = tableBatches == 1 ? 0 : b;
          double c = cos.getElement({batch, t, i}).getFloat();
          double s = sin.getElement({batch, t, i}).getFloat();
          if (rotation.inverse)
            s = -s;
          auto [inFirst, inSecond] = getPair(rotation.layoutIn, i, pairs);
          auto [outFirst, outSecond] = getPair(rotation.layoutOut, i, pairs);
          double x =
              input.getElement({b, h, t, rotation.first + inFirst}).getFloat();
          double y =
              input.getElement({b, h, t, rotation.first + inSecond}).getFloat();
          result.setElement({b, h, t, rotation.first + outFirst},
                            x * c - y * s);
          result.setElement({b, h, t, rotation.first + outSecond},
                            x * s + y * c);
        }
  return result;
}

static LogicalResult evaluateRotary(Evaluation &eval) {
  auto op = eval.getOp<RotaryOp>();
  const Tensor &input = eval.getValue(op.getInput()).getTensor();
  const Tensor &init = eval.getValue(op.getInits().front()).getTensor();
  if (init.getShape() != input.getShape())
    return eval.emitError()
           << "expects a destination of shape " << formatShape(input.getShape())
           << ", got " << formatShape(init.getShape());
  Rotation rotation;
  rotation.layoutIn = op.getLayout();
  rotation.layoutOut = op.getLayoutOut().value_or(op.getLayout());
  rotation.first = op.getFirst();
  rotation.inverse = op.getInverse();
  FailureOr<Tensor> result =
      rotate(op, input, eval.getValue(op.getCos()).getTensor(),
             eval.getValue(op.getSin()).getTensor(), rotation);
  if (failed(result))
    return failure();
  eval.setResult(0, *result);
  return success();
}

static SmallVector<double> getFrequencies(Evaluation &eval, RotaryTableOp op) {
  if (op.getRule()) {
    int64_t length =
        op.getLength() ? eval.getValue(op.getLength()).getInteger() : 0;
    return computeFrequencies(*op.getRule(), op.getSectionsAttr(), length);
  }
  return SmallVector<double>(
      eval.getValue(op.getFrequencies()).getTensor().getFloats());
}

static LogicalResult evaluateRotaryTable(Evaluation &eval) {
  auto op = eval.getOp<RotaryTableOp>();
  const Tensor &positions = eval.getValue(op.getPositions()).getTensor();
  SmallVector<double> frequencies = getFrequencies(eval, op);
  int64_t pairs = frequencies.size();
  SectionsAttr sections = op.getSectionsAttr();
  ArrayRef<int64_t> shape = positions.getShape();
  if (sections && shape[0] != sections.getNumAxes())
    return eval.emitError()
           << "expects 'positions' of " << sections.getNumAxes()
           << " axes, those of 'sections', got " << shape[0];
  if (sections && pairs != sections.getNumPairs())
    return eval.emitError()
           << "expects 'frequencies' of " << sections.getNumPairs()
           << " pairs, those of 'sections', got " << pairs;
  SmallVector<int64_t> expected(shape.take_back(2));
  expected.push_back(pairs);
  Tensor cos = eval.getValue(op.getInits()[0]).getTensor();
  Tensor sin = eval.getValue(op.getInits()[1]).getTensor();
  for (const auto &[name, table] :
       {std::pair("cos", &cos), std::pair("sin", &sin)})
    if (table->getShape() != ArrayRef(expected))
      return eval.emitError()
             << "expects '" << name << "' of shape " << formatShape(expected)
             << ", by 'positions' and '"
             << (op.getRule() ? "rule" : "frequencies") << "', got "
             << formatShape(table->getShape());

  bool roundsAngles = op.getAngles() == AngleType::F32;
  double magnitude = op.getMagnitude().convertToDouble();
  int64_t tokens = expected[0] * expected[1];
  for (int64_t token = 0; token < tokens; ++token)
    for (int64_t pair = 0; pair < pairs; ++pair) {
      int64_t axis = sections ? getAxisOfPair(sections, pair) : 0;
      int64_t position = positions.getIntegers()[axis * tokens + token];
      double angle = position * frequencies[pair];
      if (roundsAngles)
        angle = static_cast<float>(position) *
                static_cast<float>(frequencies[pair]);
      cos.setElement(token * pairs + pair, magnitude * std::cos(angle));
      sin.setElement(token * pairs + pair, magnitude * std::sin(angle));
    }
  eval.setResult(0, cos);
  eval.setResult(1, sin);
  return success();
}

void reference::registerRotaryHandlers(HandlerRegistry &registry) {
  registry.addHandler<RotaryTableOp>(evaluateRotaryTable);
  registry.addHandler<RotaryOp>(evaluateRotary);
}
