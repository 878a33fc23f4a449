//===- TensorSlices.cpp - Slices, gather and scatter of tensor --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads and writes parts of tensors. Every slice is checked as a whole before
/// an element moves.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "IntegerMath.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

namespace {
/// The part of a tensor that a slice op names.
struct Slice {
  SmallVector<int64_t> offsets;
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> strides;

  SmallVector<int64_t> map(ArrayRef<int64_t> indices) const {
    SmallVector<int64_t> result(offsets);
    for (size_t dim = 0; dim < result.size(); ++dim)
      result[dim] += indices[dim] * strides[dim];
    return result;
  }

  SmallVector<int64_t>
  getReducedShape(const llvm::SmallBitVector &dropped) const {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!dropped.test(dim))
        shape.push_back(size);
    return shape;
  }
};
} // namespace

/// Reads the slice of an op, whose offsets start at operand `operand`, and
/// checks that it lies in a tensor of `shape`.
template <typename OpT>
static FailureOr<Slice> readSlice(Evaluation &eval, OpT op, unsigned operand,
                                  ArrayRef<int64_t> shape) {
  Slice slice;
  slice.offsets = eval.getMixedIntegers(op.getStaticOffsets(), operand);
  slice.sizes = eval.getMixedIntegers(op.getStaticSizes(), operand);
  slice.strides = eval.getMixedIntegers(op.getStaticStrides(), operand);
  if (failed(eval.checkShape(slice.sizes)))
    return failure();
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    Int128 first = slice.offsets[dim];
    Int128 last = first + Int128(slice.sizes[dim] - 1) * slice.strides[dim];
    bool inBounds =
        slice.sizes[dim] == 0
            ? first >= 0 && first <= shape[dim]
            : std::min(first, last) >= 0 && std::max(first, last) < shape[dim];
    if (!inBounds)
      return op->emitError()
             << "the slice with offset " << slice.offsets[dim] << ", size "
             << slice.sizes[dim] << " and stride " << slice.strides[dim]
             << " is out of bounds of dimension " << dim << " of size "
             << shape[dim];
  }
  return slice;
}

static LogicalResult evaluateExtractSlice(Evaluation &eval) {
  auto op = eval.getOp<tensor::ExtractSliceOp>();
  const Tensor &source = eval.getTensor(0);
  FailureOr<Slice> slice = readSlice(eval, op, 1, source.getShape());
  if (failed(slice))
    return failure();
  Tensor result = Tensor::zeros(source.getElementType(), slice->sizes);
  int64_t position = 0;
  (void)forEachIndex(slice->sizes, [&](ArrayRef<int64_t> indices) {
    result.setElement(position++, source.getElement(slice->map(indices)));
    return success();
  });
  eval.setResult(0,
                 result.withShape(slice->getReducedShape(op.getDroppedDims())));
  return success();
}

/// Writes `source` into the slice of `dest` that `op` names.
template <typename OpT>
static LogicalResult insertSlice(Evaluation &eval, OpT op, const Tensor &source,
                                 Tensor &dest) {
  FailureOr<Slice> slice = readSlice(eval, op, 2, dest.getShape());
  if (failed(slice))
    return failure();
  SmallVector<int64_t> expected = slice->getReducedShape(op.getDroppedDims());
  if (source.getShape() != ArrayRef(expected))
    return op->emitError() << "expects a source of shape "
                           << formatShape(expected) << ", got "
                           << formatShape(source.getShape());
  int64_t position = 0;
  return forEachIndex(slice->sizes, [&](ArrayRef<int64_t> indices) {
    dest.setElement(slice->map(indices), source.getElement(position++));
    return success();
  });
}

static LogicalResult evaluateInsertSlice(Evaluation &eval) {
  Tensor source = eval.getTensor(0);
  RuntimeValue dest = eval.takeOperand(1);
  if (failed(insertSlice(eval, eval.getOp<tensor::InsertSliceOp>(), source,
                         dest.getTensor())))
    return failure();
  eval.setResult(0, std::move(dest));
  return success();
}

/// Writes into the slot of the forall's output, which it has no result for.
static LogicalResult evaluateParallelInsertSlice(Evaluation &eval) {
  Tensor source = eval.getTensor(0);
  return insertSlice(eval, eval.getOp<tensor::ParallelInsertSliceOp>(), source,
                     eval.getOperandSlot(1).getTensor());
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// Calls `move` with the place of each element in the whole tensor, for every
/// coordinate in `coordinates` over the dimensions `dims`. The places come in
/// the order of the elements of the gathered tensor.
static LogicalResult
forEachGathered(Evaluation &eval, ArrayRef<int64_t> wholeShape,
                const Tensor &coordinates, ArrayRef<int64_t> dims,
                function_ref<void(ArrayRef<int64_t>)> move) {
  // The dimensions that are not gathered run through; the others stand still.
  SmallVector<int64_t> inner(wholeShape);
  for (int64_t dim : dims)
    inner[dim] = 1;
  ArrayRef<int64_t> values = coordinates.getIntegers();
  for (size_t start = 0; start + dims.size() <= values.size();
       start += dims.size()) {
    ArrayRef<int64_t> coordinate = values.slice(start, dims.size());
    for (auto [dim, index] : llvm::zip_equal(dims, coordinate))
      if (index < 0 || index >= wholeShape[dim])
        return eval.emitError()
               << "coordinate " << index << " is out of bounds of dimension "
               << dim << " of size " << wholeShape[dim];
    (void)forEachIndex(inner, [&](ArrayRef<int64_t> indices) {
      SmallVector<int64_t> place(indices);
      for (auto [dim, index] : llvm::zip_equal(dims, coordinate))
        place[dim] = index;
      move(place);
      return success();
    });
  }
  return success();
}

/// The shape of the gathered tensor, of the given rank: with or without a 1 for
/// each gathered dimension.
static SmallVector<int64_t> getGatheredShape(ArrayRef<int64_t> wholeShape,
                                             const Tensor &coordinates,
                                             ArrayRef<int64_t> dims,
                                             int64_t rank) {
  SmallVector<int64_t> shape(coordinates.getShape().drop_back());
  bool keepsDims =
      rank == static_cast<int64_t>(shape.size() + wholeShape.size());
  for (auto [dim, size] : llvm::enumerate(wholeShape)) {
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      shape.push_back(size);
    else if (keepsDims)
      shape.push_back(1);
  }
  return shape;
}

static LogicalResult evaluateGather(Evaluation &eval) {
  auto op = eval.getOp<tensor::GatherOp>();
  const Tensor &source = eval.getTensor(0);
  const Tensor &coordinates = eval.getTensor(1);
  ArrayRef<int64_t> dims = op.getGatherDims();
  SmallVector<int64_t> shape = getGatheredShape(source.getShape(), coordinates,
                                                dims, op.getType().getRank());
  if (failed(eval.checkShape(shape)))
    return failure();
  Tensor result = Tensor::zeros(source.getElementType(), shape);
  int64_t position = 0;
  auto move = [&](ArrayRef<int64_t> place) {
    result.setElement(position++, source.getElement(place));
  };
  if (failed(forEachGathered(eval, source.getShape(), coordinates, dims, move)))
    return failure();
  eval.setResult(0, result);
  return success();
}

static LogicalResult evaluateScatter(Evaluation &eval) {
  auto op = eval.getOp<tensor::ScatterOp>();
  Tensor source = eval.getTensor(0);
  Tensor coordinates = eval.getTensor(2);
  ArrayRef<int64_t> dims = op.getScatterDims();
  RuntimeValue result = eval.takeOperand(1);
  Tensor &dest = result.getTensor();
  SmallVector<int64_t> wholeShape(dest.getShape());
  SmallVector<int64_t> expected =
      getGatheredShape(wholeShape, coordinates, dims, source.getRank());
  if (source.getShape() != ArrayRef(expected))
    return eval.emitError()
           << "expects a source of shape " << formatShape(expected) << ", got "
           << formatShape(source.getShape());
  int64_t position = 0;
  auto move = [&](ArrayRef<int64_t> place) {
    dest.setElement(place, source.getElement(position++));
  };
  if (failed(forEachGathered(eval, wholeShape, coordinates, dims, move)))
    return failure();
  eval.setResult(0, std::move(result));
  return success();
}

void reference::registerTensorSliceHandlers(HandlerRegistry &registry) {
  registry.addHandler<tensor::ExtractSliceOp>(evaluateExtractSlice);
  registry.addHandler<tensor::InsertSliceOp>(evaluateInsertSlice);
  registry.addHandler<tensor::ParallelInsertSliceOp>(
      evaluateParallelInsertSlice);
  registry.addHandler<tensor::GatherOp>(evaluateGather);
  registry.addHandler<tensor::ScatterOp>(evaluateScatter);
}
