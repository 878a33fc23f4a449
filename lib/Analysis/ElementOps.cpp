//===- ElementOps.cpp - Elements of tensor operations -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The element of a tensor operation's result at given indices, in terms of the
/// elements of its operands, and the sizes of results.
///
//===----------------------------------------------------------------------===//

#include "ElementBuilder.h"
#include "attn/Analysis/ConstantElements.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;
using Impl = ElementExpression::Impl;

Expr Impl::getFoldResult(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return context.getInt(*constant);
  Expr result = readScalar(cast<Value>(value));
  return result ? result : context.getLoad(cast<Value>(value));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

void Impl::computeExtents(Value value, ElementMap &map) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  for (int64_t d = 0; d < type.getRank(); ++d)
    map.extents.push_back(context.getDim(value, d));
  Operation *op = value.getDefiningOp();
  if (type.hasStaticShape() || !op)
    return;

  auto take = [&](ArrayRef<Expr> extents) {
    for (auto [d, extent] : llvm::enumerate(extents))
      if (d < map.extents.size() && type.isDynamicDim(d))
        map.extents[d] = extent;
  };
  auto takeOf = [&](Value other) {
    if (const ElementMap *source = lookup(other))
      take(source->extents);
  };
  auto takeSizes = [&](ArrayRef<OpFoldResult> sizes) {
    SmallVector<Expr> extents;
    for (OpFoldResult size : sizes)
      extents.push_back(getFoldResult(size));
    take(extents);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp linalgOp) {
        takeOf(
            linalgOp.getDpsInitOperand(cast<OpResult>(value).getResultNumber())
                ->get());
      })
      .Case([&](linalg::SoftmaxOp softmax) { takeOf(softmax.getOutput()); })
      .Case([&](tensor::EmptyOp empty) { takeSizes(empty.getMixedSizes()); })
      .Case([&](tensor::CastOp cast) { takeOf(cast.getSource()); })
      .Case([&](tensor::InsertSliceOp insert) { takeOf(insert.getDest()); })
      .Case([&](tensor::InsertOp insert) { takeOf(insert.getDest()); })
      .Case([&](tensor::ExpandShapeOp expand) {
        takeSizes(expand.getMixedOutputShape());
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        const ElementMap *source = lookup(collapse.getSrc());
        SmallVector<Expr> extents;
        for (ReassociationIndices group : collapse.getReassociationIndices()) {
          Expr product = context.getInt(1);
          for (int64_t d : group)
            product = context.getMul(product, source->extents[d]);
          extents.push_back(product);
        }
        take(extents);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        SmallVector<OpFoldResult> sizes;
        for (auto [d, size] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped.test(d))
            sizes.push_back(size);
        takeSizes(sizes);
      })
      .Case([&](tensor::ConcatOp concat) {
        SmallVector<Expr> extents;
        for (Value input : concat.getInputs()) {
          ArrayRef<Expr> sizes = lookup(input)->extents;
          if (extents.empty()) {
            llvm::append_range(extents, sizes);
            continue;
          }
          int64_t dim = concat.getDim();
          extents[dim] = context.getAdd(extents[dim], sizes[dim]);
        }
        take(extents);
      })
      .Case([&](tensor::ReshapeOp reshape) {
        SmallVector<Expr> extents;
        for (unsigned d = 0; d < map.extents.size(); ++d) {
          Expr size = read(reshape.getShape(), {context.getInt(d)});
          extents.push_back(size ? size : map.extents[d]);
        }
        take(extents);
      })
      .Case([&](tensor::PadOp pad) {
        const ElementMap *source = lookup(pad.getSource());
        SmallVector<Expr> extents;
        for (auto [low, high, size] : llvm::zip_equal(
                 pad.getMixedLowPad(), pad.getMixedHighPad(), source->extents))
          extents.push_back(context.getAdd(
              size, context.getAdd(getFoldResult(low), getFoldResult(high))));
        take(extents);
      })
      .Case([&](tensor::GenerateOp generate) {
        unsigned next = 0;
        for (unsigned d = 0; d < map.extents.size(); ++d)
          if (type.isDynamicDim(d))
            map.extents[d] =
                getFoldResult(generate.getDynamicExtents()[next++]);
      })
      .Default([&](Operation *other) {
        if (other->hasTrait<OpTrait::Elementwise>())
          for (Value operand : other->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              return takeOf(operand);
      });
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The row-major position of indices.
Expr Impl::linearize(ArrayRef<Expr> indices, ArrayRef<Expr> extents) {
  Expr position = context.getInt(0);
  for (auto [index, extent] : llvm::zip_equal(indices, extents))
    position = context.getAdd(context.getMul(position, extent), index);
  return position;
}

/// The indices of a row-major position.
SmallVector<Expr> Impl::delinearize(Expr position, ArrayRef<Expr> extents) {
  SmallVector<Expr> indices(extents.size(), context.getInt(0));
  // Dimensions of size 1 in front take nothing: the first other one gets what
  // is left, without a remainder.
  unsigned first = 0;
  while (first < extents.size() && extents[first]->isConstantInt(1))
    ++first;
  for (unsigned d = extents.size(); d-- > first;) {
    if (d == first) {
      indices[d] = position;
      break;
    }
    indices[d] = context.getMod(position, extents[d]);
    position = context.getFloorDiv(position, extents[d]);
  }
  return indices;
}

SmallVector<Expr> Impl::expandedToSource(tensor::ExpandShapeOp op,
                                         ArrayRef<Expr> indices) {
  ElementMap result;
  computeExtents(op.getResult(), result);
  SmallVector<Expr> source;
  for (ReassociationIndices group : op.getReassociationIndices()) {
    SmallVector<Expr> inner, extents;
    for (int64_t d : group) {
      inner.push_back(indices[d]);
      extents.push_back(result.extents[d]);
    }
    source.push_back(linearize(inner, extents));
  }
  return source;
}

SmallVector<Expr> Impl::collapsedToSource(tensor::CollapseShapeOp op,
                                          ArrayRef<Expr> indices) {
  ArrayRef<Expr> extents = lookup(op.getSrc())->extents;
  SmallVector<Expr> source(extents.size(), context.getInt(0));
  for (auto [index, group] :
       llvm::zip_equal(indices, op.getReassociationIndices())) {
    SmallVector<Expr> inner;
    for (int64_t d : group)
      inner.push_back(extents[d]);
    for (auto [d, part] : llvm::zip_equal(group, delinearize(index, inner)))
      source[d] = part;
  }
  return source;
}

Expr Impl::elementOfReshape(tensor::ReshapeOp op, ArrayRef<Expr> indices) {
  ElementMap result;
  computeExtents(op.getResult(), result);
  ArrayRef<Expr> extents = lookup(op.getSource())->extents;
  return read(op.getSource(),
              delinearize(linearize(indices, result.extents), extents));
}

//===----------------------------------------------------------------------===//
// Slices and joins
//===----------------------------------------------------------------------===//

Expr Impl::elementOfSlice(tensor::ExtractSliceOp op, ArrayRef<Expr> indices) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Expr> source;
  unsigned next = 0;
  for (auto [d, offset, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
    Expr index = getFoldResult(offset);
    if (!dropped.test(d))
      index = context.getAdd(
          index, context.getMul(indices[next++], getFoldResult(stride)));
    source.push_back(index);
  }
  return read(op.getSource(), source);
}

Expr Impl::elementOfInsertSlice(tensor::InsertSliceOp op,
                                ArrayRef<Expr> indices) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Expr> source;
  SmallVector<Expr> conditions;
  for (auto [d, offset, size, strideValue] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    std::optional<int64_t> stride = getConstantIntValue(strideValue);
    if (!stride || *stride < 1)
      return nullptr;
    PieceDim dim = {getFoldResult(offset), *stride, getFoldResult(size)};
    Expr local = nullptr;
    Inside inside = locate(indices[d], dim, local);
    if (inside == Inside::No)
      return read(op.getDest(), indices);
    if (inside == Inside::Unknown) {
      // Cut at the edges of the slice; where it lies at a place that only the
      // data tells, both sides stay, under a condition.
      proposeCut(indices[d], dim);
      if (cut && !cut->at)
        return nullptr;
      if (cut && cut->at->isConstant())
        return nullptr;
      cut.reset();
      if (*stride != 1)
        return nullptr;
      conditions.push_back(getInsideCondition(indices[d], dim));
    }
    if (!dropped.test(d))
      source.push_back(local);
  }
  Expr inserted = read(op.getSource(), source);
  if (!inserted || conditions.empty())
    return inserted;
  Expr kept = read(op.getDest(), indices);
  if (!kept)
    return nullptr;
  return context.getSelect(context.getAnd(conditions), inserted, kept);
}

Expr Impl::elementOfConcat(tensor::ConcatOp op, ArrayRef<Expr> indices) {
  unsigned along = op.getDim();
  PieceDim dim = {context.getInt(0), 1, nullptr};
  std::optional<PieceDim> undecided;
  for (Value input : op.getInputs()) {
    dim.size = lookup(input)->extents[along];
    Expr local = nullptr;
    Inside inside = locate(indices[along], dim, local);
    if (inside == Inside::Yes) {
      SmallVector<Expr> source(indices);
      source[along] = local;
      return read(input, source);
    }
    if (inside == Inside::Unknown && !undecided)
      undecided = dim;
    dim.offset = context.getAdd(dim.offset, dim.size);
  }
  if (undecided)
    proposeCut(indices[along], *undecided);
  return nullptr;
}

Expr Impl::elementOfPad(tensor::PadOp op, ArrayRef<Expr> indices) {
  SmallVector<Expr> source;
  bool outside = false;
  for (auto [index, low, size] : llvm::zip_equal(
           indices, op.getMixedLowPad(), lookup(op.getSource())->extents)) {
    PieceDim dim = {getFoldResult(low), 1, size};
    Expr local = nullptr;
    Inside inside = locate(index, dim, local);
    if (inside == Inside::Unknown) {
      proposeCut(index, dim);
      return nullptr;
    }
    outside |= inside == Inside::No;
    source.push_back(local);
  }
  if (!outside)
    return read(op.getSource(), source);
  Block &body = op.getRegion().front();
  return evaluateBody(
      body, body.getTerminator()->getOperand(0), indices,
      [&](BlockArgument argument) { return indices[argument.getArgNumber()]; });
}

Expr Impl::elementOfInsert(tensor::InsertOp op, ArrayRef<Expr> indices) {
  SmallVector<Expr> conditions;
  for (auto [index, position] : llvm::zip_equal(indices, op.getIndices()))
    conditions.push_back(
        context.getEq0(context.getSub(index, getFoldResult(position))));
  Expr kept = read(op.getDest(), indices);
  Expr inserted = readScalar(op.getScalar());
  if (!kept || !inserted)
    return nullptr;
  return context.getSelect(context.getAnd(conditions), inserted, kept);
}

Expr Impl::elementOfFromElements(tensor::FromElementsOp op,
                                 ArrayRef<Expr> indices) {
  auto shape = cast<ShapedType>(op.getType()).getShape();
  SmallVector<Expr> extents;
  for (int64_t size : shape)
    extents.push_back(context.getInt(size));
  Expr position = linearize(indices, extents);
  if (auto constant = position->getConstantInt())
    if (*constant >= 0 && *constant < static_cast<int64_t>(op.getNumOperands()))
      return readScalar(op.getOperand(*constant));
  if (op.getNumOperands() > options.maxPieces)
    return nullptr;
  for (int64_t i = 0, e = op.getNumOperands(); i < e && !cut; ++i)
    proposeCut(position, {context.getInt(i), 1, context.getInt(1)});
  return nullptr;
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

Expr Impl::elementOf(OpResult result, ArrayRef<Expr> indices) {
  return llvm::TypeSwitch<Operation *, Expr>(result.getOwner())
      .Case([&](linalg::LinalgOp op) {
        return elementOfLinalg(op, result.getResultNumber(), indices);
      })
      .Case([&](arith::ConstantOp op) -> Expr {
        if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
          return integer.getType().isInteger(1)
                     ? context.getBool(!integer.getValue().isZero())
                     : context.getInt(integer.getValue().getSExtValue());
        if (auto number = dyn_cast<FloatAttr>(op.getValue()))
          return context.getFloat(number.getValue(), number.getType());
        return context.getLoad(result, indices);
      })
      .Case([&](tensor::CastOp op) { return read(op.getSource(), indices); })
      .Case([&](tensor::ExpandShapeOp op) {
        return read(op.getSrc(), expandedToSource(op, indices));
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return read(op.getSrc(), collapsedToSource(op, indices));
      })
      .Case([&](tensor::ReshapeOp op) { return elementOfReshape(op, indices); })
      .Case([&](tensor::ExtractSliceOp op) {
        return elementOfSlice(op, indices);
      })
      .Case([&](tensor::InsertSliceOp op) {
        return elementOfInsertSlice(op, indices);
      })
      .Case([&](tensor::ConcatOp op) { return elementOfConcat(op, indices); })
      .Case([&](tensor::PadOp op) { return elementOfPad(op, indices); })
      .Case([&](tensor::InsertOp op) { return elementOfInsert(op, indices); })
      .Case([&](tensor::SplatOp op) { return readScalar(op.getInput()); })
      .Case([&](tensor::FromElementsOp op) {
        return elementOfFromElements(op, indices);
      })
      .Case([&](tensor::GenerateOp op) {
        Block &body = op.getBody().front();
        return evaluateBody(body, body.getTerminator()->getOperand(0), indices,
                            [&](BlockArgument argument) {
                              return indices[argument.getArgNumber()];
                            });
      })
      .Default([&](Operation *op) -> Expr {
        if (!indices.empty() && !op->hasTrait<OpTrait::Elementwise>())
          return nullptr;
        SmallVector<Expr> operands;
        for (Value operand : op->getOperands()) {
          // Operands of a scalar operation that are tensors are read by it.
          if (indices.empty() && isa<TensorType>(operand.getType())) {
            operands.push_back(nullptr);
            continue;
          }
          bool scalar = !isa<TensorType>(operand.getType());
          Expr element = read(operand, scalar ? ArrayRef<Expr>() : indices);
          if (!element)
            return nullptr;
          operands.push_back(element);
        }
        return evaluateBodyOp(op, operands, /*loops=*/{});
      });
}
