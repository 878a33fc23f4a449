//===- Tensor.cpp - Ops of tensor except slices -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes, reads and reshapes tensors. Every index is checked.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static Type getResultElementType(Evaluation &eval) {
  return getElementTypeOrSelf(eval.getOperation()->getResult(0).getType());
}

static LogicalResult checkIndices(Evaluation &eval, const Tensor &tensor,
                                  ArrayRef<int64_t> indices) {
  if (tensor.isInBounds(indices))
    return success();
  return eval.emitError() << "index " << formatShape(indices)
                          << " is out of bounds of a tensor of shape "
                          << formatShape(tensor.getShape());
}

/// The shape of the result, whose dynamic sizes are the operands from `operand`
/// on.
static FailureOr<SmallVector<int64_t>> readResultShape(Evaluation &eval,
                                                       unsigned operand) {
  auto type =
      cast<RankedTensorType>(eval.getOperation()->getResult(0).getType());
  SmallVector<int64_t> shape = eval.getMixedIntegers(type.getShape(), operand);
  if (failed(eval.checkShape(shape)))
    return failure();
  return shape;
}

/// The elements of an empty tensor are undefined. NaN shows when a float among
/// them is used.
static LogicalResult evaluateEmpty(Evaluation &eval) {
  auto op = eval.getOp<tensor::EmptyOp>();
  FailureOr<SmallVector<int64_t>> shape = readResultShape(eval, /*operand=*/0);
  if (failed(shape))
    return failure();
  Type type = op.getType().getElementType();
  Tensor result = Tensor::zeros(type, *shape);
  if (result.getKind() == ElementKind::Float)
    llvm::fill(result.getMutableFloats(),
               std::numeric_limits<double>::quiet_NaN());
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluateDim(Evaluation &eval) {
  const Tensor &tensor = eval.getTensor(0);
  int64_t dim = eval.getInteger(1);
  if (dim < 0 || dim >= tensor.getRank())
    return eval.emitError()
           << "dimension " << dim << " is out of bounds of a tensor of rank "
           << tensor.getRank();
  eval.setResult(0, Scalar(tensor.getDimSize(dim)));
  return success();
}

static LogicalResult evaluateRank(Evaluation &eval) {
  eval.setResult(0, Scalar(eval.getTensor(0).getRank()));
  return success();
}

/// The sizes are checked against the result type like those of any result.
static LogicalResult evaluateCast(Evaluation &eval) {
  eval.setResult(0, eval.takeOperand(0));
  return success();
}

static LogicalResult evaluateExtract(Evaluation &eval) {
  const Tensor &tensor = eval.getTensor(0);
  SmallVector<int64_t> indices = eval.getIntegers(1, eval.getNumOperands() - 1);
  if (failed(checkIndices(eval, tensor, indices)))
    return failure();
  eval.setResult(0, tensor.getElement(indices));
  return success();
}

static LogicalResult evaluateInsert(Evaluation &eval) {
  SmallVector<int64_t> indices = eval.getIntegers(2, eval.getNumOperands() - 2);
  if (failed(checkIndices(eval, eval.getTensor(1), indices)))
    return failure();
  Scalar value = eval.getOperand(0).getScalar();
  RuntimeValue result = eval.takeOperand(1);
  result.getTensor().setElement(indices, value);
  eval.setResult(0, std::move(result));
  return success();
}

static LogicalResult evaluateFromElements(Evaluation &eval) {
  auto op = eval.getOp<tensor::FromElementsOp>();
  Tensor result =
      Tensor::zeros(op.getType().getElementType(), op.getType().getShape());
  for (unsigned i = 0, e = eval.getNumOperands(); i < e; ++i)
    result.setElement(i, eval.getOperand(i).getScalar());
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluateSplat(Evaluation &eval) {
  auto op = eval.getOp<tensor::SplatOp>();
  FailureOr<SmallVector<int64_t>> shape = readResultShape(eval, /*operand=*/1);
  if (failed(shape))
    return failure();
  eval.setResult(0, Tensor::filled(op.getType().getElementType(), *shape,
                                   eval.getOperand(0).getScalar()));
  return success();
}

/// Fills `result` with what a block yields for the indices of each element that
/// `skip` does not keep as it is.
static LogicalResult fillByBlock(Evaluation &eval, Block &block, Tensor &result,
                                 function_ref<bool(ArrayRef<int64_t>)> skip) {
  BlockRun body = eval.getBlock(block);
  return forEachIndex(
      result.getShape(), [&](ArrayRef<int64_t> indices) -> LogicalResult {
        if (skip(indices))
          return success();
        for (auto [dim, index] : llvm::enumerate(indices))
          body.setArgument(dim, Scalar(index));
        if (failed(body.run()))
          return failure();
        result.setElement(indices, body.getYield(0).getScalar());
        return success();
      });
}

static LogicalResult evaluateGenerate(Evaluation &eval) {
  auto op = eval.getOp<tensor::GenerateOp>();
  FailureOr<SmallVector<int64_t>> shape = readResultShape(eval, /*operand=*/0);
  if (failed(shape))
    return failure();
  Tensor result = Tensor::zeros(op.getType().getElementType(), *shape);
  if (failed(fillByBlock(eval, op.getBody().front(), result,
                         [](ArrayRef<int64_t>) { return false; })))
    return failure();
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluatePad(Evaluation &eval) {
  auto op = eval.getOp<tensor::PadOp>();
  Tensor source = eval.getTensor(0);
  unsigned operand = 1;
  SmallVector<int64_t> low = eval.getMixedIntegers(op.getStaticLow(), operand);
  SmallVector<int64_t> high =
      eval.getMixedIntegers(op.getStaticHigh(), operand);
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(source.getShape())) {
    if (low[dim] < 0 || high[dim] < 0)
      return eval.emitError() << "expects padding of at least 0, got "
                              << low[dim] << " and " << high[dim];
    if (failed(eval.checkShape({low[dim], high[dim]})))
      return failure();
    shape.push_back(low[dim] + size + high[dim]);
  }
  if (failed(eval.checkShape(shape)))
    return failure();

  Tensor result = Tensor::zeros(source.getElementType(), shape);
  SmallVector<int64_t> inner(shape.size());
  auto copySource = [&](ArrayRef<int64_t> indices) {
    for (size_t dim = 0; dim < indices.size(); ++dim)
      inner[dim] = indices[dim] - low[dim];
    if (!source.isInBounds(inner))
      return false;
    result.setElement(indices, source.getElement(inner));
    return true;
  };
  if (failed(fillByBlock(eval, op.getRegion().front(), result, copySource)))
    return failure();
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluateConcat(Evaluation &eval) {
  auto op = eval.getOp<tensor::ConcatOp>();
  size_t dim = op.getDim();
  SmallVector<int64_t> shape(eval.getTensor(0).getShape());
  shape[dim] = 0;
  for (unsigned i = 0, e = eval.getNumOperands(); i < e; ++i) {
    ArrayRef<int64_t> part = eval.getTensor(i).getShape();
    for (size_t other = 0; other < shape.size(); ++other)
      if (other != dim && part[other] != shape[other])
        return eval.emitError()
               << "expects dimension " << other << " of input " << i << " ("
               << part[other] << ") to equal that of input 0 (" << shape[other]
               << ")";
    shape[dim] += part[dim];
  }
  if (failed(eval.checkShape(shape)))
    return failure();

  Tensor result = Tensor::zeros(getResultElementType(eval), shape);
  int64_t start = 0;
  for (unsigned i = 0, e = eval.getNumOperands(); i < e; ++i) {
    const Tensor &part = eval.getTensor(i);
    (void)forEachIndex(part.getShape(), [&](ArrayRef<int64_t> indices) {
      SmallVector<int64_t> target(indices);
      target[dim] += start;
      result.setElement(target, part.getElement(indices));
      return success();
    });
    start += part.getDimSize(dim);
  }
  eval.setResult(0, result);
  return success();
}

/// Gives operand 0 another shape.
static LogicalResult setReshaped(Evaluation &eval, ArrayRef<int64_t> shape) {
  if (failed(eval.checkShape(shape)))
    return failure();
  const Tensor &source = eval.getTensor(0);
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  if (count != source.getNumElements())
    return eval.emitError()
           << "cannot reshape " << formatShape(source.getShape()) << " to "
           << formatShape(shape);
  eval.setResult(0, source.withShape(shape));
  return success();
}

static LogicalResult evaluateExpandShape(Evaluation &eval) {
  auto op = eval.getOp<tensor::ExpandShapeOp>();
  unsigned operand = 1;
  SmallVector<int64_t> shape =
      eval.getMixedIntegers(op.getStaticOutputShape(), operand);
  if (failed(eval.checkShape(shape)))
    return failure();
  ArrayRef<int64_t> sourceShape = eval.getTensor(0).getShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t product = 1;
    for (int64_t position : group)
      product *= shape[position];
    if (product != sourceShape[dim])
      return eval.emitError() << "expects the sizes that dimension " << dim
                              << " expands to, to have the product "
                              << sourceShape[dim] << ", got " << product;
  }
  return setReshaped(eval, shape);
}

static LogicalResult evaluateCollapseShape(Evaluation &eval) {
  auto op = eval.getOp<tensor::CollapseShapeOp>();
  ArrayRef<int64_t> sourceShape = eval.getTensor(0).getShape();
  SmallVector<int64_t> shape;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    int64_t product = 1;
    for (int64_t position : group)
      product *= sourceShape[position];
    shape.push_back(product);
  }
  return setReshaped(eval, shape);
}

static LogicalResult evaluateReshape(Evaluation &eval) {
  return setReshaped(eval, eval.getTensor(1).getIntegers());
}

void reference::registerTensorHandlers(HandlerRegistry &registry) {
  registry.addHandler<tensor::EmptyOp>(evaluateEmpty);
  registry.addHandler<tensor::DimOp>(evaluateDim);
  registry.addHandler<tensor::RankOp>(evaluateRank);
  registry.addHandler<tensor::CastOp>(evaluateCast);
  registry.addHandler<tensor::ExtractOp>(evaluateExtract);
  registry.addHandler<tensor::InsertOp>(evaluateInsert);
  registry.addHandler<tensor::FromElementsOp>(evaluateFromElements);
  registry.addHandler<tensor::SplatOp>(evaluateSplat);
  registry.addHandler<tensor::GenerateOp>(evaluateGenerate);
  registry.addHandler<tensor::PadOp>(evaluatePad);
  registry.addHandler<tensor::ConcatOp>(evaluateConcat);
  registry.addHandler<tensor::ExpandShapeOp>(evaluateExpandShape);
  registry.addHandler<tensor::CollapseShapeOp>(evaluateCollapseShape);
  registry.addHandler<tensor::ReshapeOp>(evaluateReshape);
}
