//===- RaiseRotarySearch.cpp - Values that hold given elements --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Raised ops take values of the graph where some value has the elements that
/// are wanted: nothing is computed twice, and checks of the graph stay.
///
//===----------------------------------------------------------------------===//

#include "RaiseRotary.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

void attn::visitSources(ElementExpression &elements, Value value,
                        function_ref<bool(Value)> visit) {
  // Graphs without end are no business of one rotation.
  constexpr size_t maxValues = 512;
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size() && next < maxValues; ++next) {
    Value current = seen[next];
    if (next > 0 && visit(current))
      return;
    Operation *op = current.getDefiningOp();
    if (!op || !isa<RankedTensorType>(current.getType()) ||
        elements.getMap(current).leaf)
      continue;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        seen.insert(operand);
    // Tensors that a body reads.
    op->walk([&](tensor::ExtractOp extract) {
      if (!op->isAncestor(extract.getTensor().getParentBlock()->getParentOp()))
        seen.insert(extract.getTensor());
    });
  }
}

bool attn::isSafeToEmit(ExpressionContext &context, Expr element) {
  switch (element->getKind()) {
  case ExprKind::Index:
  case ExprKind::Dim:
  case ExprKind::Constant:
    return true;
  case ExprKind::Bound:
  case ExprKind::Reduce:
  case ExprKind::Opaque:
  case ExprKind::Complex:
  case ExprKind::Re:
  case ExprKind::Im:
    return false;
  case ExprKind::Load: {
    auto type = dyn_cast<RankedTensorType>(element->getValue().getType());
    for (auto [dimension, index] : llvm::enumerate(element->getOperands())) {
      Expr size = type.isDynamicDim(dimension)
                      ? context.getDim(element->getValue(), dimension)
                      : context.getInt(type.getDimSize(dimension));
      if (!context.proveNonNegative(index) || !context.proveLess(index, size))
        return false;
    }
    break;
  }
  default:
    break;
  }
  return llvm::all_of(element->getOperands(), [&](Expr operand) {
    return isSafeToEmit(context, operand);
  });
}

/// Indices at which `value` may hold a tensor over `variables`: dimensions of
/// size one are at 0, the others are the variables in order; the last dimension
/// may be longer. Empty if it cannot.
static SmallVector<Expr> getSliceIndices(ExpressionContext &context,
                                         ArrayRef<Expr> extents,
                                         ArrayRef<Expr> variables) {
  SmallVector<Expr> wanted;
  for (Expr variable : variables)
    if (variable->is(ExprKind::Index))
      wanted.push_back(variable);
  SmallVector<Expr> indices(extents.size(), context.getInt(0));
  for (auto [dimension, extent] : llvm::enumerate(extents)) {
    bool last = dimension + 1 == extents.size();
    if (wanted.empty() || (extent->isConstantInt(1) && !last))
      continue;
    Expr size = wanted.front()->getExtent();
    if (extent != size && !(last && context.proveAtMost(size, extent)))
      return {};
    indices[dimension] = wanted.front();
    wanted.erase(wanted.begin());
  }
  if (!wanted.empty())
    return {};
  return indices;
}

/// Gives `slice` the dimensions of size one that the variables have and it has
/// not.
static Value expandUnits(OpBuilder &builder, Location loc, Value slice,
                         ArrayRef<Expr> variables) {
  auto type = cast<RankedTensorType>(slice.getType());
  if (type.getRank() == static_cast<int64_t>(variables.size()))
    return slice;
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  bool full = false;
  for (auto [dimension, variable] : llvm::enumerate(variables)) {
    bool unit = !variable->is(ExprKind::Index);
    // A group has one dimension of the slice, and units.
    if (groups.empty() || (!unit && full)) {
      groups.emplace_back();
      full = false;
    }
    groups.back().push_back(dimension);
    full |= !unit;
    sizes.push_back(unit ? OpFoldResult(builder.getIndexAttr(1))
                         : tensor::getMixedSize(builder, loc, slice, next));
    shape.push_back(unit ? 1 : type.getDimSize(next));
    next += !unit;
  }
  if (type.getRank() == 0)
    groups.clear();
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), slice,
      groups, sizes);
}

/// The slice of `source` from its start whose indices are the variables among
/// `indices`; the other indices are 0.
static Value makeSlice(OpBuilder &builder, Location loc, Value source,
                       ArrayRef<Expr> indices) {
  auto type = cast<RankedTensorType>(source.getType());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(type.getRank(), zero);
  SmallVector<OpFoldResult> strides(type.getRank(), one);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, source);
  SmallVector<int64_t> shape;
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    if (!index->is(ExprKind::Index)) {
      sizes[dimension] = one;
      continue;
    }
    if (auto size = index->getExtent()->getConstantInt())
      sizes[dimension] = builder.getIndexAttr(*size);
    shape.push_back(
        getConstantIntValue(sizes[dimension]).value_or(ShapedType::kDynamic));
  }
  auto sliceType = RankedTensorType::get(shape, type.getElementType());
  if (sliceType == type)
    return source;
  return tensor::ExtractSliceOp::create(builder, loc, sliceType, source,
                                        offsets, sizes, strides);
}

FailureOr<Value> attn::findSlice(OpBuilder &builder, Location loc,
                                 ElementExpression &elements, Expr element,
                                 ArrayRef<Expr> variables, Value near) {
  ExpressionContext &context = elements.getContext();
  Value found;
  SmallVector<Expr> at;
  visitSources(elements, near, [&](Value candidate) {
    auto type = dyn_cast<RankedTensorType>(candidate.getType());
    Type elementType =
        element->isInteger() ? builder.getI64Type() : element->getType();
    if (!type || type.getElementType() != elementType || type.getRank() == 0)
      return false;
    at = getSliceIndices(context, elements.getExtents(candidate), variables);
    if (at.empty() || elements.getElement(candidate, at) != element)
      return false;
    found = candidate;
    return true;
  });
  if (!found)
    return failure();
  return expandUnits(builder, loc, makeSlice(builder, loc, found, at),
                     variables);
}
