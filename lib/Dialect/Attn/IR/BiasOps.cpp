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
  // bias_alibi_c5: one of both says what the slopes are.
  if (static_cast<bool>(getSlopes()) == getHeads().has_value())
    return emitOpError("expects either 'heads' or 'slopes', got ")
           << (getSlopes() ? "both" : "none");
  // bias_alibi_c6: given slopes follow no rule.
  if (getSlopes() && getFirstHead() != 0)
    return emitOpError("expects no 'first_head' with 'slopes', got ")
           << getFirstHead();
  if (getSlopes() && getSeries() != AlibiSeries::Standard)
    return emitOpError("expects no 'series' with 'slopes', got '")
           << stringifyAlibiSeries(getSeries()) << "'";
  // bias_alibi_c7: the first head is one of them.
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

ArrayRef<unsigned> BiasAlibiOp::getIndexedDims(OpOperand &operand) {
  // Slopes are [head] or [batch, head], offsets are [batch].
  static constexpr unsigned dims[] = {0, 1};
  auto type = cast<ShapedType>(operand.get().getType());
  if (isa<FloatType>(type.getElementType()) && type.getRank() == 1)
    return ArrayRef(dims).drop_front();
  return ArrayRef(dims).take_front(std::min<int64_t>(type.getRank(), 2));
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

/// `2^(-8 (head + 1) / heads)`. The exponent is split into an integer, whose
/// power is exact, and a rest below 1, whose rounding hardly matters.
static Value emitPlainSlope(PairBuilder &builder, Value head, int64_t heads,
                            FloatType type) {
  Value numerator =
      builder.mul(builder.add(head, builder.index(1)), builder.index(8));
  Value divisor = builder.index(heads);
  Value whole = builder.floorDiv(numerator, divisor);
  Value rest = builder.sub(numerator, builder.mul(whole, divisor));
  Value fraction = builder.mulFloat(
      builder.toFloat(rest, type),
      builder.floating(type, -1.0 / static_cast<double>(heads)));
  return builder.mulFloat(
      builder.exp2(builder.negateFloat(builder.toFloat(whole, type))),
      builder.exp2(fraction));
}

/// The slope of a head: an element of `slopes`, or a power of two.
static Value emitSlope(BiasAlibiOp op, PairBuilder &builder,
                       const PairIndices &indices, FloatType type) {
  if (Value slopes = op.getSlopes()) {
    SmallVector<Value> slopeIndices = {indices.head};
    if (cast<ShapedType>(slopes.getType()).getRank() == 2)
      slopeIndices = {indices.batch, indices.head};
    return builder.castFloat(builder.load(slopes, slopeIndices), type);
  }
  // The slopes are two geometric series: the exponent is linear in the head.
  // 2^(-8 (h + 1) / n) below n, then 2^(-4 (2 (h - n) + 1) / n). As n is a
  // power of two, the exponents are exact.
  int64_t heads = *op.getHeads();
  int64_t power = llvm::bit_floor(static_cast<uint64_t>(heads));
  Value head = builder.add(indices.head, builder.index(op.getFirstHead()));
  if (op.getSeries() == AlibiSeries::Plain && power != heads)
    return emitPlainSlope(builder, head, heads, type);
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
  if (auto relative = bias.getDefiningOp<BiasRelativeOp>())
    return matchPattern(relative.getTable(), m_AnyZeroFloat());
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
  // bias_generate_c2 to bias_generate_c4 are checked there.
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
