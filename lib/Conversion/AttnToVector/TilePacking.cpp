//===- TilePacking.cpp - Transposing rows into lanes and back ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// See TilePacking.h. Whole blocks of 16 x 16 go through registers; what is
/// left at the edges goes element by element.
///
//===----------------------------------------------------------------------===//

#include "TilePacking.h"

#include "EmissionHelpers.h"
#include "VectorMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;

/// Transposes `rows`, as many vectors as each has elements (a power of two), by
/// exchanging halves, then quarters within halves, and so on.
static void transposeInRegisters(ImplicitLocOpBuilder &b,
                                 MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t half = size / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t i = 0; i < size; ++i) {
      bool second = (i / half) % 2 != 0;
      low.push_back(second ? size + i - half : i);
      high.push_back(second ? size + i : i + half);
    }
    for (int64_t i = 0; i < size; ++i) {
      if ((i / half) % 2 != 0)
        continue;
      Value a = rows[i], c = rows[i + half];
      rows[i] = vector::ShuffleOp::create(b, a, c, low);
      rows[i + half] = vector::ShuffleOp::create(b, a, c, high);
    }
  }
}

namespace {

/// Packs the query rows. One instance emits everything, segment of the row by
/// segment of the row.
class QueryPacker {
public:
  QueryPacker(ImplicitLocOpBuilder &b, const AttentionKernel &kernel,
              Value factor, Value packed)
      : b(b), kernel(kernel), factor(factor), packed(packed),
        accType(factor.getType()),
        wideFactor(vector::BroadcastOp::create(b, vectorType(), factor)) {}

  void emit();

private:
  VectorType vectorType() { return VectorType::get({transposeWidth}, accType); }

  Value loadWide(Value source, Value row, Value column);
  Value loadOne(Value source, Value row, Value column);
  void storeWide(ArrayRef<Value> columns, Value query,
                 llvm::function_ref<Value(int64_t)> element);

  /// Element of the row that holds the first or second half of pair `pair`.
  Value pairElement(Value pair, bool second);
  Value halfRange();

  /// (x cos - y sin, x sin + y cos), times the scale.
  std::pair<Value, Value> rotate(Value x, Value y, Value cos, Value sin,
                                 Value scale);

  void packPlain(Value query, Value lower, Value upper, bool wholeGroup);
  void packRotated(Value query, bool wholeGroup);
  void packGroup(Value query, bool wholeGroup);

  ImplicitLocOpBuilder &b;
  const AttentionKernel &kernel;
  Value factor, packed;
  Type accType;
  Value wideFactor;
};

} // namespace

Value QueryPacker::loadWide(Value source, Value row, Value column) {
  return convertFloat(
      b, loadRow(b, source, ValueRange{row, column}, transposeWidth), accType);
}

Value QueryPacker::loadOne(Value source, Value row, Value column) {
  return convertFloat(
      b, memref::LoadOp::create(b, source, ValueRange{row, column}), accType);
}

/// Transposes `columns`, one vector of row elements for each of 16 queries,
/// and stores the vector of the i-th element at packed row `element(i)`.
void QueryPacker::storeWide(ArrayRef<Value> columns, Value query,
                            llvm::function_ref<Value(int64_t)> element) {
  SmallVector<Value> rows(columns);
  transposeInRegisters(b, rows);
  for (auto [i, row] : llvm::enumerate(rows))
    vector::StoreOp::create(b, row, packed, ValueRange{element(i), query});
}

Value QueryPacker::halfRange() { return sizeOf(b, kernel.rotation->cos, 1); }

Value QueryPacker::pairElement(Value pair, bool second) {
  const AttentionKernel::Rotation &rotation = *kernel.rotation;
  if (rotation.interleaved) {
    Value twice = arith::MulIOp::create(b, pair, indexConstant(b, 2));
    return addIndex(b, twice, rotation.first + (second ? 1 : 0));
  }
  Value element = addIndex(b, pair, rotation.first);
  return second ? addIndex(b, element, halfRange()) : element;
}

std::pair<Value, Value> QueryPacker::rotate(Value x, Value y, Value cos,
                                            Value sin, Value scale) {
  cos = arith::MulFOp::create(b, cos, scale);
  sin = arith::MulFOp::create(b, sin, scale);
  if (kernel.rotation->inverse)
    sin = arith::NegFOp::create(b, sin);
  Value first = arith::SubFOp::create(b, arith::MulFOp::create(b, x, cos),
                                      arith::MulFOp::create(b, y, sin));
  Value second = arith::AddFOp::create(b, arith::MulFOp::create(b, x, sin),
                                       arith::MulFOp::create(b, y, cos));
  return {first, second};
}

void QueryPacker::packPlain(Value query, Value lower, Value upper,
                            bool wholeGroup) {
  auto one = [&](Value row, Value element) {
    Value x = loadOne(kernel.query, row, element);
    x = arith::MulFOp::create(b, x, factor);
    memref::StoreOp::create(b, x, packed, ValueRange{element, row});
  };
  if (!wholeGroup) {
    emitFor(b, lower, upper, 1, [&](Value element) { one(query, element); });
    return;
  }
  emitForWithTail(
      b, lower, upper, transposeWidth, ValueRange{},
      [&](Value element, int64_t size, ValueRange) {
        if (size == 1) {
          Value end = addIndex(b, query, transposeWidth);
          emitFor(b, query, end, 1, [&](Value row) { one(row, element); });
          return SmallVector<Value>();
        }
        SmallVector<Value> columns;
        for (int64_t i = 0; i < transposeWidth; ++i) {
          Value x = loadWide(kernel.query, addIndex(b, query, i), element);
          columns.push_back(arith::MulFOp::create(b, x, wideFactor));
        }
        storeWide(columns, query,
                  [&](int64_t i) { return addIndex(b, element, i); });
        return SmallVector<Value>();
      });
}

void QueryPacker::packRotated(Value query, bool wholeGroup) {
  const AttentionKernel::Rotation &rotation = *kernel.rotation;
  auto one = [&](Value row, Value pair) {
    Value xAt = pairElement(pair, false), yAt = pairElement(pair, true);
    auto [x, y] =
        rotate(loadOne(kernel.query, row, xAt), loadOne(kernel.query, row, yAt),
               loadOne(rotation.cos, row, pair),
               loadOne(rotation.sin, row, pair), factor);
    memref::StoreOp::create(b, x, packed, ValueRange{xAt, row});
    memref::StoreOp::create(b, y, packed, ValueRange{yAt, row});
  };
  Value zero = indexConstant(b, 0);
  if (!wholeGroup) {
    emitFor(b, zero, halfRange(), 1, [&](Value pair) { one(query, pair); });
    return;
  }
  emitForWithTail(
      b, zero, halfRange(), transposeWidth, ValueRange{},
      [&](Value pair, int64_t size, ValueRange) {
        if (size == 1) {
          Value end = addIndex(b, query, transposeWidth);
          emitFor(b, query, end, 1, [&](Value row) { one(row, pair); });
          return SmallVector<Value>();
        }
        SmallVector<Value> firsts, seconds;
        for (int64_t i = 0; i < transposeWidth; ++i) {
          Value row = addIndex(b, query, i);
          Value x, y;
          if (rotation.interleaved) {
            Value at = pairElement(pair, false);
            Value low = loadWide(kernel.query, row, at);
            Value high =
                loadWide(kernel.query, row, addIndex(b, at, transposeWidth));
            SmallVector<int64_t> even, odd;
            for (int64_t k = 0; k < transposeWidth; ++k) {
              even.push_back(2 * k);
              odd.push_back(2 * k + 1);
            }
            x = vector::ShuffleOp::create(b, low, high, even);
            y = vector::ShuffleOp::create(b, low, high, odd);
          } else {
            x = loadWide(kernel.query, row, pairElement(pair, false));
            y = loadWide(kernel.query, row, pairElement(pair, true));
          }
          auto [first, second] =
              rotate(x, y, loadWide(rotation.cos, row, pair),
                     loadWide(rotation.sin, row, pair), wideFactor);
          firsts.push_back(first);
          seconds.push_back(second);
        }
        storeWide(firsts, query, [&](int64_t i) {
          return pairElement(addIndex(b, pair, i), false);
        });
        storeWide(seconds, query, [&](int64_t i) {
          return pairElement(addIndex(b, pair, i), true);
        });
        return SmallVector<Value>();
      });
}

/// Packs the 16 queries from `query` on, or `query` alone.
void QueryPacker::packGroup(Value query, bool wholeGroup) {
  Value zero = indexConstant(b, 0);
  Value end = sizeOf(b, kernel.query, 1);
  if (!kernel.rotation)
    return packPlain(query, zero, end, wholeGroup);
  Value first = indexConstant(b, kernel.rotation->first);
  Value range = addIndex(b, halfRange(), halfRange());
  packPlain(query, zero, first, wholeGroup);
  packRotated(query, wholeGroup);
  packPlain(query, addIndex(b, first, range), end, wholeGroup);
}

void QueryPacker::emit() {
  Value zero = indexConstant(b, 0);
  Value rows = sizeOf(b, kernel.query, 0);
  Value lanes = indexConstant(b, kernel.plan.getQueryBlock());
  Value isPartial =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, rows, lanes);
  emitIf(b, isPartial, [&] {
    auto type = VectorType::get({kernel.plan.getQueryBlock()}, accType);
    Value none = floatConstant(b, type, 0);
    emitFor(b, zero, sizeOf(b, kernel.query, 1), 1, [&](Value element) {
      vector::StoreOp::create(b, none, packed, ValueRange{element, zero});
    });
  });
  emitForWithTail(b, zero, rows, transposeWidth, ValueRange{},
                  [&](Value query, int64_t size, ValueRange) {
                    packGroup(query, size == transposeWidth);
                    return SmallVector<Value>();
                  });
}

void attn::emitPackQuery(ImplicitLocOpBuilder &b, const AttentionKernel &kernel,
                         Value factor, Value packed) {
  QueryPacker(b, kernel, factor, packed).emit();
}

void attn::emitUnpackOutput(ImplicitLocOpBuilder &b,
                            const AttentionKernel &kernel, Value transposed,
                            Value factors) {
  auto outputType = cast<MemRefType>(kernel.output.getType());
  Type elementType = outputType.getElementType();
  Type accType = cast<MemRefType>(factors.getType()).getElementType();
  auto wideType = VectorType::get({transposeWidth}, accType);
  Value zero = indexConstant(b, 0);
  Value columns = sizeOf(b, kernel.output, 1);

  auto one = [&](Value row, Value element) {
    Value x = memref::LoadOp::create(b, transposed, ValueRange{element, row});
    Value factor = memref::LoadOp::create(b, factors, row);
    x = convertFloat(b, arith::MulFOp::create(b, x, factor), elementType);
    memref::StoreOp::create(b, x, kernel.output, ValueRange{row, element});
  };
  auto block = [&](Value query, Value element) {
    Value factor = vector::LoadOp::create(b, wideType, factors, query);
    SmallVector<Value> rows;
    for (int64_t i = 0; i < transposeWidth; ++i) {
      Value x = vector::LoadOp::create(
          b, wideType, transposed, ValueRange{addIndex(b, element, i), query});
      rows.push_back(arith::MulFOp::create(b, x, factor));
    }
    transposeInRegisters(b, rows);
    for (auto [i, row] : llvm::enumerate(rows))
      storeRow(b, convertFloat(b, row, elementType), kernel.output,
               ValueRange{addIndex(b, query, i), element});
  };

  auto none = SmallVector<Value>();
  emitForWithTail(b, zero, sizeOf(b, kernel.output, 0), transposeWidth,
                  ValueRange{}, [&](Value query, int64_t queries, ValueRange) {
                    if (queries == 1) {
                      emitFor(b, zero, columns, 1,
                              [&](Value element) { one(query, element); });
                      return none;
                    }
                    emitForWithTail(
                        b, zero, columns, transposeWidth, ValueRange{},
                        [&](Value element, int64_t elements, ValueRange) {
                          if (elements == transposeWidth) {
                            block(query, element);
                            return none;
                          }
                          Value end = addIndex(b, query, transposeWidth);
                          emitFor(b, query, end, 1,
                                  [&](Value row) { one(row, element); });
                          return none;
                        });
                    return none;
                  });
}
