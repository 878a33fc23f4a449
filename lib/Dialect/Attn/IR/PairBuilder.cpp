//===- PairBuilder.cpp - Emits values per query/key pair --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Emission for one pair or for a vector of pairs, and arithmetic of key
/// intervals.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/PairBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

Value PairIndices::getVector() const {
  for (Value value : {batch, head, query, key})
    if (isa<VectorType>(value.getType()))
      return value;
  return Value();
}

//===----------------------------------------------------------------------===//
// KeyIntervals
//===----------------------------------------------------------------------===//

KeyIntervals KeyIntervals::unknown(PairBuilder &builder,
                                   const QueryRange &range) {
  Value zero = builder.index(0);
  return {zero, range.keyCount, zero, zero};
}

KeyIntervals KeyIntervals::all(PairBuilder &builder, const QueryRange &range) {
  Value zero = builder.index(0);
  return {zero, range.keyCount, zero, range.keyCount};
}

KeyIntervals KeyIntervals::normalize(PairBuilder &builder,
                                     Value keyCount) const {
  Value zero = builder.index(0);
  KeyIntervals result;
  result.mayEnd = builder.max(builder.min(mayEnd, keyCount), zero);
  result.mayBegin = builder.min(builder.max(mayBegin, zero), result.mayEnd);
  result.sureBegin =
      builder.min(builder.max(sureBegin, result.mayBegin), result.mayEnd);
  result.sureEnd =
      builder.max(builder.min(sureEnd, result.mayEnd), result.sureBegin);
  return result;
}

//===----------------------------------------------------------------------===//
// PairBuilder
//===----------------------------------------------------------------------===//

Value PairBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value PairBuilder::boolean(bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

Value PairBuilder::floating(FloatType type, double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value PairBuilder::broadcastLike(Value value, Value like) {
  auto vector = like ? dyn_cast<VectorType>(like.getType()) : VectorType();
  if (!vector || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(builder, loc,
                                     vector.clone(value.getType()), value);
}

void PairBuilder::unify(Value &lhs, Value &rhs) {
  lhs = broadcastLike(lhs, rhs);
  rhs = broadcastLike(rhs, lhs);
}

/// Emits an op of two operands, both vectors if one of them is.
template <typename Op>
static Value createBinary(PairBuilder &builder, Value lhs, Value rhs) {
  lhs = builder.broadcastLike(lhs, rhs);
  rhs = builder.broadcastLike(rhs, lhs);
  return builder.getBuilder().createOrFold<Op>(builder.getLoc(), lhs, rhs);
}

Value PairBuilder::add(Value lhs, Value rhs) {
  return createBinary<arith::AddIOp>(*this, lhs, rhs);
}

Value PairBuilder::sub(Value lhs, Value rhs) {
  return createBinary<arith::SubIOp>(*this, lhs, rhs);
}

Value PairBuilder::mul(Value lhs, Value rhs) {
  return createBinary<arith::MulIOp>(*this, lhs, rhs);
}

Value PairBuilder::floorDiv(Value lhs, Value rhs) {
  return createBinary<arith::FloorDivSIOp>(*this, lhs, rhs);
}

Value PairBuilder::min(Value lhs, Value rhs) {
  return createBinary<arith::MinSIOp>(*this, lhs, rhs);
}

Value PairBuilder::max(Value lhs, Value rhs) {
  return createBinary<arith::MaxSIOp>(*this, lhs, rhs);
}

Value PairBuilder::compare(arith::CmpIPredicate predicate, Value lhs,
                           Value rhs) {
  unify(lhs, rhs);
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
}

Value PairBuilder::logicalAnd(Value lhs, Value rhs) {
  return createBinary<arith::AndIOp>(*this, lhs, rhs);
}

Value PairBuilder::logicalOr(Value lhs, Value rhs) {
  return createBinary<arith::OrIOp>(*this, lhs, rhs);
}

Value PairBuilder::logicalNot(Value operand) {
  Value one = boolean(true);
  return builder.createOrFold<arith::XOrIOp>(loc, operand,
                                             broadcastLike(one, operand));
}

Value PairBuilder::select(Value condition, Value ifTrue, Value ifFalse) {
  unify(ifTrue, ifFalse);
  ifTrue = broadcastLike(ifTrue, condition);
  ifFalse = broadcastLike(ifFalse, condition);
  return builder.createOrFold<arith::SelectOp>(loc, condition, ifTrue, ifFalse);
}

Value PairBuilder::addFloat(Value lhs, Value rhs) {
  return createBinary<arith::AddFOp>(*this, lhs, rhs);
}

Value PairBuilder::mulFloat(Value lhs, Value rhs) {
  return createBinary<arith::MulFOp>(*this, lhs, rhs);
}

Value PairBuilder::negateFloat(Value operand) {
  return builder.createOrFold<arith::NegFOp>(loc, operand);
}

Value PairBuilder::absFloat(Value operand) {
  return builder.createOrFold<math::AbsFOp>(loc, operand);
}

Value PairBuilder::exp2(Value operand) {
  return math::Exp2Op::create(builder, loc, operand);
}

/// `type`, or a vector of it if `like` is a vector.
static Type withElementType(Type like, Type type) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(type);
  return type;
}

Value PairBuilder::toFloat(Value integer, FloatType type) {
  Type source = getElementTypeOrSelf(integer.getType());
  if (source.isIndex())
    integer = arith::IndexCastOp::create(
        builder, loc, withElementType(integer.getType(), builder.getI64Type()),
        integer);
  return arith::SIToFPOp::create(
      builder, loc, withElementType(integer.getType(), type), integer);
}

Value PairBuilder::castFloat(Value operand, FloatType type) {
  auto source = cast<FloatType>(getElementTypeOrSelf(operand.getType()));
  if (source == type)
    return operand;
  Type result = withElementType(operand.getType(), type);
  // There is no op that casts between f16 and bf16.
  if (source.getWidth() == type.getWidth())
    return castFloat(castFloat(operand, builder.getF32Type()), type);
  if (source.getWidth() < type.getWidth())
    return arith::ExtFOp::create(builder, loc, result, operand);
  return arith::TruncFOp::create(builder, loc, result, operand);
}

Value PairBuilder::toIndex(Value integer) {
  Type source = getElementTypeOrSelf(integer.getType());
  if (source.isIndex())
    return integer;
  return arith::IndexCastOp::create(
      builder, loc, withElementType(integer.getType(), builder.getIndexType()),
      integer);
}

Value PairBuilder::dim(Value source, int64_t dimension) {
  auto type = cast<ShapedType>(source.getType());
  if (!type.isDynamicDim(dimension))
    return index(type.getDimSize(dimension));
  if (isa<MemRefType>(type))
    return memref::DimOp::create(builder, loc, source, dimension);
  return tensor::DimOp::create(builder, loc, source, dimension);
}

Value PairBuilder::loadScalar(Value source, ArrayRef<Value> indices) {
  if (isa<MemRefType>(source.getType()))
    return memref::LoadOp::create(builder, loc, source, indices);
  return tensor::ExtractOp::create(builder, loc, source, indices);
}

Value PairBuilder::load(Value source, ArrayRef<Value> indices) {
  auto type = cast<ShapedType>(source.getType());
  SmallVector<Value> used;
  VectorType lanes;
  for (auto [dimension, value] : llvm::enumerate(indices)) {
    bool broadcast = type.getDimSize(dimension) == 1;
    used.push_back(broadcast ? index(0) : value);
    if (auto vector = dyn_cast<VectorType>(used.back().getType()))
      lanes = vector;
  }
  if (!lanes)
    return loadScalar(source, used);

  // Lane by lane: `vector.gather` needs contiguous rows and, for i1, packed
  // bits, neither of which a strided memref of bytes has.
  assert(lanes.getRank() == 1 && "vectors of pairs have one dimension");
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanes.getNumElements(); ++lane) {
    SmallVector<Value> laneIndices;
    for (Value value : used)
      laneIndices.push_back(
          isa<VectorType>(value.getType())
              ? vector::ExtractOp::create(builder, loc, value, lane).getResult()
              : value);
    elements.push_back(loadScalar(source, laneIndices));
  }
  return vector::FromElementsOp::create(
      builder, loc, lanes.clone(type.getElementType()), elements);
}

Value PairBuilder::inlineScalar(Region &region, ArrayRef<Value> args) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), args);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

/// Whether `op` can be cloned with its scalar operands and result turned into
/// vectors. Elementwise ops on captured vectors or tensors cannot: there is no
/// vector of vectors.
static bool isVectorizable(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return true;
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return op.getNumResults() == 1 && op.getNumRegions() == 0 &&
         OpTrait::hasElementwiseMappableTraits(&op) &&
         llvm::all_of(op.getOperandTypes(), isScalar) &&
         llvm::all_of(op.getResultTypes(), isScalar);
}

Value PairBuilder::inlineRegion(Region &region, ArrayRef<Value> args) {
  Block &block = region.front();
  auto firstVector = llvm::find_if(
      args, [](Value arg) { return isa<VectorType>(arg.getType()); });
  if (firstVector == args.end())
    return inlineScalar(region, args);
  auto lanes = cast<VectorType>(firstVector->getType());

  if (!llvm::all_of(block.without_terminator(), isVectorizable)) {
    SmallVector<Value> results;
    for (int64_t lane = 0; lane < lanes.getNumElements(); ++lane) {
      SmallVector<Value> laneArgs;
      for (Value arg : args)
        laneArgs.push_back(
            isa<VectorType>(arg.getType())
                ? vector::ExtractOp::create(builder, loc, arg, lane).getResult()
                : arg);
      results.push_back(inlineScalar(region, laneArgs));
    }
    return vector::FromElementsOp::create(
        builder, loc, lanes.clone(results.front().getType()), results);
  }

  IRMapping mapping;
  mapping.map(block.getArguments(), args);
  for (Operation &op : block.without_terminator()) {
    bool anyVector = llvm::any_of(op.getOperands(), [&](Value operand) {
      return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
    });
    if (!anyVector) {
      builder.clone(op, mapping);
      continue;
    }
    OperationState state(loc, op.getName());
    for (Value operand : op.getOperands())
      state.operands.push_back(
          broadcastLike(mapping.lookupOrDefault(operand), *firstVector));
    state.addAttributes(op.getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op.getPropertiesAsAttribute();
    state.addTypes(lanes.clone(op.getResult(0).getType()));
    mapping.map(op.getResult(0), builder.create(state)->getResult(0));
  }
  return broadcastLike(
      mapping.lookupOrDefault(block.getTerminator()->getOperand(0)),
      *firstVector);
}

Value PairBuilder::bounded(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant == std::clamp(*constant, -maxPosition, maxPosition)
               ? value
               : index(*constant < 0 ? -maxPosition : maxPosition);
  return max(index(-maxPosition), min(value, index(maxPosition)));
}

Value PairBuilder::batchOffset(Value offset, Value batch) {
  if (!offset)
    return index(0);
  if (offset.getType().isIndex())
    return bounded(offset);
  return bounded(toIndex(load(offset, {batch})));
}
