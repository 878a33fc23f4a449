//===- RelativeBias.cpp - Biases looked up by distance ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier of attn.bias.relative, and the index into its table that each
/// form emits. Every index is within the table whatever the positions are, so
/// that nothing is read out of bounds.
///
//===----------------------------------------------------------------------===//

#include "SymbolicOps.h"
#include "llvm/ADT/APInt.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks that an attribute is there exactly if the form has it.
static LogicalResult verifyPresence(BiasRelativeOp op, StringRef name,
                                    RelativeForm owner, bool isRequired) {
  bool isPresent = static_cast<bool>(op->getAttr(name));
  bool isOwner = op.getForm() == owner;
  if (isPresent == isOwner || (isOwner && !isRequired))
    return success();
  return op.emitOpError("expects ")
         << (isOwner ? "'" : "no '") << name << "' for form '"
         << stringifyRelativeForm(op.getForm()) << "'";
}

LogicalResult BiasRelativeOp::verify() {
  // bias_relative_c7: the attributes are those of the form.
  constexpr auto t5 = RelativeForm::T5;
  if (failed(verifyPresence(*this, "num_buckets", t5, true)) ||
      failed(verifyPresence(*this, "max_distance", t5, true)) ||
      failed(verifyPresence(*this, "bidirectional", t5, false)) ||
      failed(verifyPresence(*this, "first_distance", RelativeForm::Toeplitz,
                            true)) ||
      failed(verifyPresence(*this, "size", RelativeForm::Window, true)))
    return failure();

  if (getForm() == t5) {
    auto buckets = static_cast<int64_t>(*getNumBuckets());
    auto maxDistance = static_cast<int64_t>(*getMaxDistance());
    // bias_relative_c8: both directions have as many buckets.
    if (getBidirectional() && (buckets % 2 != 0 || buckets < 4))
      return emitOpError("expects an even 'num_buckets' of at least 4 for both "
                         "directions, got ")
             << buckets;
    // bias_relative_c9: the logarithmic buckets begin before they end.
    int64_t exact = (getBidirectional() ? buckets / 2 : buckets) / 2;
    if (maxDistance <= exact)
      return emitOpError("expects 'max_distance' (")
             << maxDistance << ") to exceed the " << exact
             << " distances that have buckets of their own";
  }
  // bias_relative_c10: so that the number of columns fits.
  constexpr int64_t largestSide = 1 << 20;
  ArrayRef<int64_t> sides = getSize().value_or(ArrayRef<int64_t>());
  for (int64_t side : sides)
    if (side > largestSide)
      return emitOpError("expects sides of 'size' of at most ")
             << largestSide << ", got " << side;

  // bias_relative_c11: the columns of the table.
  int64_t columns = cast<ShapedType>(getTable().getType()).getDimSize(1);
  int64_t expected = getExpectedColumns();
  bool isMinimum = getForm() == RelativeForm::Toeplitz;
  if (!ShapedType::isDynamic(columns) &&
      (isMinimum ? columns < expected : columns != expected))
    return emitOpError("expects dimension 1 of 'table' (")
           << columns << ") to be " << (isMinimum ? "at least " : "")
           << expected;
  return success();
}

int64_t BiasRelativeOp::getExpectedColumns() {
  switch (getForm()) {
  case RelativeForm::T5:
    return *getNumBuckets();
  case RelativeForm::Toeplitz:
    return 1;
  case RelativeForm::Window:
    return (2 * (*getSize())[0] - 1) * (2 * (*getSize())[1] - 1);
  }
  llvm_unreachable("unknown form");
}

void BiasRelativeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<DropZeroOffset<BiasRelativeOp>>(context);
}

ArrayRef<unsigned> BiasRelativeOp::getIndexedDims(OpOperand &operand) {
  // The table is [head, index], offsets are [batch].
  static constexpr unsigned dims[] = {0, 1};
  return operand.getOperandNumber() == 0 ? ArrayRef(dims).drop_front()
                                         : ArrayRef(dims).take_front();
}

//===----------------------------------------------------------------------===//
// T5
//===----------------------------------------------------------------------===//

/// `base` to the power of `exponent`, in a width that the caller made enough.
static APInt power(unsigned width, int64_t base, int64_t exponent) {
  APInt result(width, 1), square(width, base);
  for (; exponent; exponent /= 2, square *= square)
    if (exponent % 2)
      result *= square;
  return result;
}

SmallVector<int64_t> BiasRelativeOp::computeThresholds(int64_t n,
                                                       int64_t maxDistance) {
  // With e = n / 2 and r = n - e, distance a is at least in bucket e + k if
  // ln(a / e) / ln(maxDistance / e) * r >= k, which is
  // a^r * e^k >= maxDistance^k * e^r. Each side is a product of at most 2 r
  // numbers; squares beyond them wrap unused.
  int64_t e = n / 2, r = n - e;
  unsigned width = 2 * r * (llvm::Log2_64(maxDistance + n) + 2);
  SmallVector<int64_t> thresholds;
  for (int64_t k = 1; k < r; ++k) {
    APInt scale = power(width, e, k);
    APInt bound = power(width, maxDistance, k) * power(width, e, r);
    auto isReached = [&](int64_t distance) {
      return (power(width, distance, r) * scale).uge(bound);
    };
    // A guess in floating point is next to it at worst; it only saves time.
    int64_t distance = std::llround(
        e * std::pow(static_cast<double>(maxDistance) / e,
                     static_cast<double>(k) / static_cast<double>(r)));
    while (!isReached(distance))
      ++distance;
    while (isReached(distance - 1))
      --distance;
    thresholds.push_back(distance);
  }
  return thresholds;
}

static Value emitT5Bucket(BiasRelativeOp op, PairBuilder &builder,
                          Value distance) {
  auto n = static_cast<int64_t>(*op.getNumBuckets());
  Value zero = builder.index(0), one = builder.index(1);
  Value backward = builder.sub(zero, distance);
  Value side = zero, magnitude = builder.max(backward, zero);
  if (op.getBidirectional()) {
    n /= 2;
    Value isLater = builder.compare(arith::CmpIPredicate::sgt, distance, zero);
    side = builder.select(isLater, builder.index(n), zero);
    magnitude = builder.max(distance, backward);
  }
  // The buckets that start at or below the distance, counted: comparisons have
  // a vector form, logarithms would have to be exact.
  Value bucket = builder.min(magnitude, builder.index(n / 2));
  for (int64_t threshold : BiasRelativeOp::computeThresholds(
           n, static_cast<int64_t>(*op.getMaxDistance()))) {
    Value isReached = builder.compare(arith::CmpIPredicate::sge, magnitude,
                                      builder.index(threshold));
    bucket = builder.add(bucket, builder.select(isReached, one, zero));
  }
  return builder.add(bucket, side);
}

//===----------------------------------------------------------------------===//
// The other forms, and emission
//===----------------------------------------------------------------------===//

static Value emitClamp(PairBuilder &builder, Value value, Value largest) {
  return builder.max(builder.min(value, largest), builder.index(0));
}

static Value emitWindowIndex(BiasRelativeOp op, PairBuilder &builder,
                             Value query, Value key) {
  int64_t rows = (*op.getSize())[0], columns = (*op.getSize())[1];
  Value last = builder.index(rows * columns - 1);
  Value width = builder.index(columns);
  auto place = [&](Value position) -> std::pair<Value, Value> {
    position = emitClamp(builder, position, last);
    Value row = builder.floorDiv(position, width);
    return {row, builder.sub(position, builder.mul(row, width))};
  };
  auto [queryRow, queryColumn] = place(query);
  auto [keyRow, keyColumn] = place(key);
  Value row =
      builder.add(builder.sub(queryRow, keyRow), builder.index(rows - 1));
  Value column = builder.add(builder.sub(queryColumn, keyColumn),
                             builder.index(columns - 1));
  return builder.add(builder.mul(row, builder.index(2 * columns - 1)), column);
}

Value BiasRelativeOp::emitBias(PairBuilder &builder, const PairIndices &indices,
                               FloatType type) {
  Value position = builder.add(indices.query,
                               builder.batchOffset(getOffset(), indices.batch));
  Value distance = builder.sub(indices.key, position);
  Value index;
  switch (getForm()) {
  case RelativeForm::T5:
    index = emitT5Bucket(*this, builder, distance);
    break;
  case RelativeForm::Toeplitz:
    index = emitClamp(
        builder,
        builder.sub(distance,
                    builder.index(static_cast<int64_t>(*getFirstDistance()))),
        builder.sub(builder.dim(getTable(), 1), builder.index(1)));
    break;
  case RelativeForm::Window:
    index = emitWindowIndex(*this, builder, position, indices.key);
    break;
  }
  Value element = builder.load(getTable(), {indices.head, index});
  return builder.broadcastLike(builder.castFloat(element, type),
                               indices.getVector());
}
