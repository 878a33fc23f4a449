//===- BiasOps.cpp - Bias ops -----------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifiers of the bias ops, the values that they emit for a pair, and
/// their folders.
///
//===----------------------------------------------------------------------===//

#include "SymbolicOps.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// The interface of the op that makes `bias`; the caller has made sure that
/// there is one (isKnownMaskOrBias).
static BiasOpInterface getBiasOp(Value bias) {
  return cast<BiasOpInterface>(bias.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// BiasAlibiOp
//===----------------------------------------------------------------------===//

LogicalResult BiasAlibiOp::verify() {
  if (static_cast<bool>(getSlopes()) == getHeads().has_value())
    return emitOpError("expects either 'heads' or 'slopes', got ")
           << (getSlopes() ? "both" : "none");
  if (getSlopes() && getFirstHead() != 0)
    return emitOpError("expects no 'first_head' with 'slopes', got ")
           << getFirstHead();
  if (getHeads() &&
      static_cast<int64_t>(getFirstHead()) >= static_cast<int64_t>(*getHeads()))
    return emitOpError("expects 'first_head' (")
           << getFirstHead() << ") below 'heads' (" << *getHeads() << ")";
  return success();
}

void BiasAlibiOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropZeroOffset<BiasAlibiOp>>(context);
}

ArrayRef<unsigned> BiasAlibiOp::getIndexedDims(ShapedType type) {
  // Slopes are [head] or [batch, head], offsets are [batch].
  static constexpr unsigned dims[] = {0, 1};
  if (isa<FloatType>(type.getElementType()) && type.getRank() == 1)
    return ArrayRef(dims).drop_front();
  return ArrayRef(dims).take_front(type.getRank());
}

SmallVector<double> BiasAlibiOp::computeSlopes(int64_t heads) {
  int64_t power = llvm::bit_floor(static_cast<uint64_t>(heads));
  SmallVector<double> slopes;
  for (int64_t a = 1; a <= power; ++a)
    slopes.push_back(std::exp2(-8.0 * a / power));
  for (int64_t a = 1; static_cast<int64_t>(slopes.size()) < heads; a += 2)
    slopes.push_back(std::exp2(-8.0 * a / (2 * power)));
  return slopes;
}

/// The slope of a head: an element of `slopes`, or of a constant table.
static Value emitSlope(BiasAlibiOp op, PairBuilder &builder,
                       const PairIndices &indices, FloatType type) {
  if (Value slopes = op.getSlopes()) {
    SmallVector<Value> slopeIndices = {indices.head};
    if (cast<ShapedType>(slopes.getType()).getRank() == 2)
      slopeIndices = {indices.batch, indices.head};
    return builder.castFloat(builder.load(slopes, slopeIndices), type);
  }
  // The slopes are two geometric series: the exponent is linear in the head.
  // 2^(-8 (h + 1) / n) below n, then 2^(-4 (2 (h - n) + 1) / n).
  int64_t heads = *op.getHeads();
  int64_t power = llvm::bit_floor(static_cast<uint64_t>(heads));
  Value head = builder.add(indices.head, builder.index(op.getFirstHead()));
  auto exponent = [&](double perHead, double constant) {
    return builder.addFloat(builder.mulFloat(builder.toFloat(head, type),
                                             builder.floating(type, perHead)),
                            builder.floating(type, constant));
  };
  Value value = exponent(-8.0 / power, -8.0 / power);
  if (power != heads) {
    Value beyond = exponent(-8.0 / power, 8.0 - 4.0 / power);
    Value isFirst =
        builder.compare(arith::CmpIPredicate::slt, head, builder.index(power));
    value = builder.select(isFirst, value, beyond);
  }
  return builder.exp2(value);
}

Value BiasAlibiOp::emitBias(PairBuilder &builder, const PairIndices &indices,
                            FloatType type) {
  // Positions are subtracted as integers: floats lose their low bits.
  Value position = builder.add(indices.query,
                               builder.batchOffset(getOffset(), indices.batch));
  Value distance = builder.toFloat(builder.sub(position, indices.key), type);
  if (getDistance() == AlibiDistance::Absolute)
    distance = builder.absFloat(distance);
  Value slope = emitSlope(*this, builder, indices, type);
  return builder.broadcastLike(
      builder.mulFloat(builder.negateFloat(slope), distance),
      indices.getVector());
}

//===----------------------------------------------------------------------===//
// BiasTensorOp, BiasAddOp
//===----------------------------------------------------------------------===//

Value BiasTensorOp::emitBias(PairBuilder &builder, const PairIndices &indices,
                             FloatType type) {
  Value element = builder.load(
      getValues(), {indices.batch, indices.head, indices.query, indices.key});
  return builder.broadcastLike(builder.castFloat(element, type),
                               indices.getVector());
}

bool attn::isZeroBias(Value bias) {
  if (auto tensor = bias.getDefiningOp<BiasTensorOp>())
    return matchPattern(tensor.getValues(), m_AnyZeroFloat());
  auto generate = bias.getDefiningOp<BiasGenerateOp>();
  if (!generate)
    return false;
  auto yield = cast<YieldOp>(generate.getBody().front().getTerminator());
  return matchPattern(yield.getValue(), m_AnyZeroFloat());
}

// Adding a zero changes at most the sign of a zero, and no score cares.
OpFoldResult BiasAddOp::fold(FoldAdaptor) {
  if (isZeroBias(getLhs()))
    return foldTo(getRhs(), *this);
  if (isZeroBias(getRhs()))
    return foldTo(getLhs(), *this);
  return {};
}

Value BiasAddOp::emitBias(PairBuilder &builder, const PairIndices &indices,
                          FloatType type) {
  return builder.addFloat(getBiasOp(getLhs()).emitBias(builder, indices, type),
                          getBiasOp(getRhs()).emitBias(builder, indices, type));
}

//===----------------------------------------------------------------------===//
// BiasGenerateOp
//===----------------------------------------------------------------------===//

LogicalResult BiasGenerateOp::verifyRegions() {
  return verifyPairRegion(*this, getBody(), "a float",
                          [](Type type) { return isa<FloatType>(type); });
}

Value BiasGenerateOp::emitBias(PairBuilder &builder, const PairIndices &indices,
                               FloatType type) {
  Value value = builder.inlineRegion(
      getBody(), {indices.batch, indices.head, indices.query, indices.key});
  return builder.castFloat(value, type);
}

//===----------------------------------------------------------------------===//
// BiasSliceOp
//===----------------------------------------------------------------------===//

Value BiasSliceOp::emitBias(PairBuilder &builder, const PairIndices &indices,
                            FloatType type) {
  return getBiasOp(getSource())
      .emitBias(builder,
                {builder.add(indices.batch, getBatch()),
                 builder.add(indices.head, getHead()),
                 builder.add(indices.query, getQuery()),
                 builder.add(indices.key, getKey())},
                type);
}

OpFoldResult BiasSliceOp::fold(FoldAdaptor) {
  if (isAtOrigin(*this) || isZeroBias(getSource()))
    return foldTo(getSource(), *this);
  return {};
}

void BiasSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeSlices<BiasSliceOp>>(context);
}
