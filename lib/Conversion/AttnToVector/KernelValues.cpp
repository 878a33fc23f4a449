//===- KernelValues.cpp - Product with a block of values --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Adds the values of a block of keys, weighted by their exponentials. Values
/// that are not finite must not reach rows that removed their key.
///
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "TilePacking.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

using arith::CmpFPredicate;

Value KernelEmitter::loadValue(Value firstKey, Value row, Value element) {
  if (wideValues)
    return memref::LoadOp::create(b, wideValues, ValueRange{row, element});
  return memref::LoadOp::create(
      b, kernel.value, ValueRange{addIndex(b, firstKey, row), element});
}

/// Adds `rows` elements of the head dimension from `element` on.
void KernelEmitter::emitValueRows(Value element, int64_t rows, Value firstKey,
                                  Value keys, Value alpha) {
  auto tileType = VectorType::get({rows, lanes}, accType);
  auto columnType = VectorType::get({rows}, accType);
  SmallVector<Value> elements;
  Value tile = ub::PoisonOp::create(b, tileType);
  for (int64_t i = 0; i < rows; ++i) {
    elements.push_back(addIndex(b, element, i));
    Value old = loadLanes(output, elements.back());
    tile = vector::InsertOp::create(b, arith::MulFOp::create(b, old, alpha),
                                    tile, i);
  }
  tile = emitFor(b, zero, keys, 1, tile, [&](Value row, ValueRange args) {
    SmallVector<Value> column;
    for (Value at : elements)
      column.push_back(loadValue(firstKey, row, at));
    Value lhs = vector::FromElementsOp::create(b, columnType, column);
    Value rhs = loadLanes(scores, row);
    return SmallVector<Value>{vector::OuterProductOp::create(
        b, tileType, lhs, rhs, args[0], vector::CombiningKind::ADD)};
  })[0];
  for (auto [i, at] : llvm::enumerate(elements))
    storeLanes(vector::ExtractOp::create(b, tile, i), output, at);
}

/// Whether all values of block rows [lower, upper) are finite.
Value KernelEmitter::allFinite(Value firstKey, Value lower, Value upper) {
  // Several vectors of a row at once, as the sums are a chain.
  int64_t width = transposeWidth;
  std::optional<int64_t> size = getConstantIntValue(valueSize);
  while (size && width < 4 * transposeWidth && *size % (2 * width) == 0)
    width *= 2;

  // x * 0 is NaN exactly where x is not finite, and NaN stays in the sum.
  auto wideType = VectorType::get({width}, accType);
  Value wideZero = floatConstant(b, wideType, 0);
  Value none = floatConstant(b, accType, 0);
  Value source = wideValues ? wideValues : kernel.value;
  Value offset = wideValues ? zero : firstKey;
  Value whole = roundDown(b, valueSize, width);
  SmallVector<Value> sums = emitFor(
      b, lower, upper, 1, ValueRange{wideZero, none},
      [&](Value row, ValueRange args) {
        Value at = addIndex(b, offset, row);
        Value wide = emitFor(
            b, zero, whole, width, args[0], [&](Value column, ValueRange sum) {
              Value x = loadRow(b, source, ValueRange{at, column}, width);
              return SmallVector<Value>{
                  vector::FMAOp::create(b, x, wideZero, sum[0])};
            })[0];
        Value one = emitFor(
            b, whole, valueSize, 1, args[1], [&](Value column, ValueRange sum) {
              Value x =
                  memref::LoadOp::create(b, source, ValueRange{at, column});
              x = arith::MulFOp::create(b, x, none);
              return SmallVector<Value>{arith::AddFOp::create(b, x, sum[0])};
            })[0];
        return SmallVector<Value>{wide, one};
      });
  Value sum = vector::ReductionOp::create(b, vector::CombiningKind::ADD,
                                          sums[0], sums[1]);
  return arith::CmpFOp::create(b, CmpFPredicate::ORD, sum, sum);
}

/// The product with values of which some are not finite: a removed pair must
/// not meet them even with probability zero.
void KernelEmitter::emitGuardedValues(Value firstKey, Value keys, Value alpha) {
  Value none = laneConstant(0);
  emitFor(b, zero, valueSize, 1, [&](Value element) {
    Value old = loadLanes(output, element);
    Value init = arith::MulFOp::create(b, old, alpha);
    Value sum =
        emitFor(b, zero, keys, 1, init, [&](Value row, ValueRange args) {
          Value keep = keepLanes(addIndex(b, firstKey, row));
          Value value = broadcast(loadValue(firstKey, row, element));
          value = arith::SelectOp::create(b, keep, value, none);
          return SmallVector<Value>{
              vector::FMAOp::create(b, value, loadLanes(scores, row), args[0])};
        })[0];
    storeLanes(sum, output, element);
  });
}

void KernelEmitter::emitValues(const KeyBlock &block, Value alpha) {
  if (wideValues)
    widenRows(kernel.value, block.first, wideValues, block.count);
  auto product = [&] {
    emitForWithTail(b, zero, valueSize, rowGroup, ValueRange{},
                    [&](Value element, int64_t rows, ValueRange) {
                      emitValueRows(element, rows, block.first, block.count,
                                    alpha);
                      return SmallVector<Value>();
                    });
    return SmallVector<Value>();
  };
  if (!hasMask()) {
    product();
    return;
  }
  Value finite = allFinite(block.first, block.sureEnd, block.count);
  if (hasPrefix)
    finite = arith::AndIOp::create(
        b, allFinite(block.first, zero, block.sureBegin), finite);
  emitIf(b, finite, product, [&] {
    emitGuardedValues(block.first, block.count, alpha);
    return SmallVector<Value>();
  });
}
