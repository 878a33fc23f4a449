//===- ContractionEmitter.h - The loops of a contraction --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The micro-kernel, the loops around it, and the packing of panels.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LINALGTOLOOPS_CONTRACTIONEMITTER_H
#define ATTN_LIB_CONVERSION_LINALGTOLOOPS_CONTRACTIONEMITTER_H

#include "ContractionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// Rows of the reduction that one packed panel holds. A panel of 1024 x 32 f32
/// values is 128 KB and stays in the second-level cache.
inline constexpr int64_t kPanelDepth = 1024;

/// The register block: `rows` x `columns` accumulators.
struct RegisterBlock {
  int64_t rows;
  int64_t columns;
};

/// Emits the loops of one contraction.
class ContractionEmitter {
public:
  ContractionEmitter(const Contraction &contraction, int64_t vectorBits,
                     int64_t registers, bool parallel)
      : c(contraction), b(contraction.op), loc(contraction.op->getLoc()),
        lanes(std::max<int64_t>(
            1, vectorBits / contraction.accType.getIntOrFloatBitWidth())),
        registers(registers), parallel(parallel) {}

  void emit();

private:
  using Ivs = SmallVector<Value>;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, Value y) {
    return b.createOrFold<arith::AddIOp>(loc, x, y);
  }
  Value size(unsigned dim);
  int64_t staticSize(unsigned dim) const { return c.staticSizes[dim]; }
  bool hasStaticRows() const {
    return !c.m || !ShapedType::isDynamic(staticSize(*c.m));
  }

  RegisterBlock chooseBlock(bool packed) const;
  int64_t chooseBlockRows(RegisterBlock block) const;
  void emitVariant(bool packed);
  void emitRowBlock(Ivs ivs, Value rowEnd, Value panel, RegisterBlock block);
  void emitRows(Ivs ivs, Value rowBegin, Value rowEnd, int64_t rows,
                Value depth, Value panel, RegisterBlock block);
  void emitKernel(Ivs ivs, int64_t rows, Value depth, Value panel,
                  RegisterBlock block);
  void packPanel(const Ivs &ivs, Value depth, Value panel, RegisterBlock block);
  void packTransposed(const Ivs &ivs, Value depth, Value panel,
                      RegisterBlock block);
  void zeroPanel(Value depth, Value panel, RegisterBlock block);
  scf::ForOp startLoop(Value lower, Value upper, Value step);
  Ivs startLoops(ArrayRef<Value> sizes, ArrayRef<Value> steps);

  SmallVector<Value> indices(AffineMap map, const Ivs &ivs) const {
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
      return ivs[cast<AffineDimExpr>(expr).getPosition()];
    });
  }
  bool needsMask(RegisterBlock block) const {
    int64_t n = staticSize(c.n);
    return ShapedType::isDynamic(n) || n % block.columns != 0;
  }
  Value columnMask(const Ivs &ivs, RegisterBlock block);
  Value loadColumns(Value buffer, ValueRange position, VectorType accVector,
                    Value mask);
  void storeColumns(Value value, ValueRange position, Value mask);
  Value toAccType(Value value);

  const Contraction &c;
  OpBuilder b;
  Location loc;
  int64_t lanes;
  int64_t registers;
  bool parallel;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LINALGTOLOOPS_CONTRACTIONEMITTER_H
