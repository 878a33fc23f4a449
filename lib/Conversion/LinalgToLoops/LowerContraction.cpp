//===- LowerContraction.cpp - Register-tiled contractions -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers the contractions that match; see ContractionEmitter.cpp for what they
/// become.
///
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"
#include "attn/Conversion/ParallelLoops.h"
#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERCONTRACTIONPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Copies the left operand to a buffer of the accumulation type: its elements
/// are read as scalars in the innermost loop, too often to convert them there.
static Value convertLhs(const Contraction &c) {
  OpBuilder b(c.op);
  Location loc = c.op->getLoc();
  auto type = cast<MemRefType>(c.lhs.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, c.lhs, dim));
  Value copy = memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), c.accType), sizes,
      b.getI64IntegerAttr(64));
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, loc, c.lhs, copy, {identity, identity}, iterators,
      [&](OpBuilder &nested, Location, ValueRange args) {
        Value wide = arith::ExtFOp::create(nested, loc, c.accType, args[0]);
        linalg::YieldOp::create(nested, loc, wide);
      });
  b.setInsertionPointAfter(c.op);
  memref::DeallocOp::create(b, loc, copy);
  return copy;
}

namespace {
struct LowerContractionPass
    : attn::impl::LowerContractionPassBase<LowerContractionPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyVectorOptions(UnknownLoc::get(context), vectorBits, registers);
  }

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (linalg::isaContractionOpInterface(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      StringRef reason;
      FailureOr<Contraction> contraction = matchContraction(op, reason);
      if (failed(contraction)) {
        remark::missed(op.getLoc(), remark::RemarkOpts::name("LowerContraction")
                                        .category("attn-lower-contraction"))
            << remark::reason("{0}", reason);
        continue;
      }
      contraction->takeZeroFill(kPanelDepth);
      if (contraction->getLhsElementType() != contraction->accType)
        contraction->lhs = convertLhs(*contraction);
      ContractionEmitter(*contraction, vectorBits, registers,
                         parallel && !isInParallelLoop(op))
          .emit();
      op.erase();
    }
  }
};
} // namespace
