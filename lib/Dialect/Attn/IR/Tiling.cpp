//===- Tiling.cpp - Shared by the tiling of all ops -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the destination-style ops share of TilingInterface. All of them tile
/// along parallel loops only; what differs is which loop moves which dimension
/// of which operand, and that stands with each op (*Tiling.cpp). A dimension
/// that no loop moves (the head dimension, the keys) is never cut: a rotary
/// pair and a softmax row stay whole.
///
//===----------------------------------------------------------------------===//

#include "TilingSpec.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::attn;

SmallVector<OpFoldResult> attn::getSizes(OpBuilder &builder, Location loc,
                                         Value value) {
  if (isa<MemRefType>(value.getType()))
    return memref::getMixedSizes(builder, loc, value);
  return tensor::getMixedSizes(builder, loc, value);
}

static bool hasNoElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() && llvm::is_contained(type.getShape(), 0);
}

LogicalResult attn::refuseTile(Operation *op, const Twine &reason) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("Tile").category("attn-tile"))
      << remark::reason("{0}", reason.str());
  return failure();
}

LogicalResult attn::checkSlices(DestinationStyleOpInterface op) {
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    Type type = operand.get().getType();
    if (!hasNoElements(operand.get()) || (!isInit && !isa<MemRefType>(type)))
      continue;
    std::string name = isInit ? "'outs'" : "input " + debugString(type);
    return refuseTile(op, name + " has a dimension of size 0, of which no "
                                 "slice is legal");
  }
  return success();
}

/// The part of `value` that a tile uses. A dimension of static size 1 is
/// broadcast, so it never moves.
static Value slice(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<int64_t> loops, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes,
                   SmallVectorImpl<Operation *> &slices) {
  SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
  SmallVector<OpFoldResult> fullSizes = getSizes(builder, loc, value);
  for (auto [loop, fullSize] : llvm::zip_equal(loops, fullSizes)) {
    bool moves = loop != whole && !isConstantIntValue(fullSize, 1);
    sliceOffsets.push_back(moves ? offsets[loop] : builder.getIndexAttr(0));
    sliceSizes.push_back(moves ? sizes[loop] : fullSize);
  }
  if (hasNoElements(value))
    return tensor::EmptyOp::create(builder, loc, sliceSizes,
                                   getElementTypeOrSelf(value.getType()));
  SmallVector<OpFoldResult> strides(loops.size(), builder.getIndexAttr(1));
  Operation *op;
  if (isa<MemRefType>(value.getType()))
    op = memref::SubViewOp::create(builder, loc, value, sliceOffsets,
                                   sliceSizes, strides);
  else
    op = tensor::ExtractSliceOp::create(builder, loc, value, sliceOffsets,
                                        sliceSizes, strides);
  slices.push_back(op);
  return op->getResult(0);
}

FailureOr<TilingResult> attn::tile(DestinationStyleOpInterface op,
                                   const TilingSpec &spec, OpBuilder &builder,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes,
                                   ArrayRef<Value> symbolic) {
  if (failed(checkSlices(op)))
    return failure();
  Location loc = op.getLoc();
  TilingResult result;
  SmallVector<Value> operands;
  SmallVector<Type> resultTypes;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    auto loops = spec.operands.find(operand.getOperandNumber());
    if (loops != spec.operands.end())
      value = slice(builder, loc, value, loops->second, offsets, sizes,
                    result.generatedSlices);
    else if (isa<MaskType>(value.getType()))
      value = MaskSliceOp::create(builder, loc, value, symbolic[0], symbolic[1],
                                  symbolic[2], symbolic[3]);
    else if (isa<BiasType>(value.getType()))
      value = BiasSliceOp::create(builder, loc, value, symbolic[0], symbolic[1],
                                  symbolic[2], symbolic[3]);
    operands.push_back(value);
    if (op.isDpsInit(&operand) && isa<TensorType>(value.getType()))
      resultTypes.push_back(value.getType());
  }
  Operation *tiled = cloneWithOperands(builder, op, resultTypes, operands);
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

SmallVector<Range> attn::getDomain(DestinationStyleOpInterface op,
                                   unsigned numLoops, OpBuilder &builder) {
  SmallVector<OpFoldResult> sizes =
      getSizes(builder, op.getLoc(), op.getDpsInitOperand(0)->get());
  return llvm::map_to_vector(
      ArrayRef(sizes).take_front(numLoops), [&](OpFoldResult size) {
        return Range{builder.getIndexAttr(0), size, builder.getIndexAttr(1)};
      });
}

void attn::getResultTile(DestinationStyleOpInterface op, const TilingSpec &spec,
                         OpBuilder &builder, unsigned number,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes,
                         SmallVectorImpl<OpFoldResult> &resultOffsets,
                         SmallVectorImpl<OpFoldResult> &resultSizes) {
  OpOperand *init = op.getDpsInitOperand(number);
  SmallVector<OpFoldResult> fullSizes =
      getSizes(builder, op.getLoc(), init->get());
  for (auto [loop, fullSize] :
       llvm::zip_equal(spec.operands.at(init->getOperandNumber()), fullSizes)) {
    bool moves = loop != whole && !isConstantIntValue(fullSize, 1);
    resultOffsets.push_back(moves ? offsets[loop] : builder.getIndexAttr(0));
    resultSizes.push_back(moves ? sizes[loop] : fullSize);
  }
}

bool attn::coversDim(OpFoldResult offset, OpFoldResult size, Value value,
                     int64_t dimension) {
  if (!isConstantIntValue(offset, 0))
    return false;
  int64_t full = cast<ShapedType>(value.getType()).getDimSize(dimension);
  if (!ShapedType::isDynamic(full))
    return isConstantIntValue(size, full);
  auto sizeValue = dyn_cast<Value>(size);
  auto dim =
      sizeValue ? sizeValue.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return dim && dim.getSource() == value && dim.getConstantIndex() == dimension;
}
