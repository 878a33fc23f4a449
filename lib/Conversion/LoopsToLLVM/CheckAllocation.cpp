//===- CheckAllocation.cpp - Check allocations ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sizes come from the caller's arrays: their product may exceed 64 bits, and
/// there may not be so much memory.
///
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CHECKALLOCATIONPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static Value compareWithZero(ImplicitLocOpBuilder &b,
                             arith::CmpIPredicate predicate, Value number) {
  auto zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  return arith::CmpIOp::create(b, predicate, number, zero);
}

/// The bytes of a buffer, and whether their number exceeds 63 bits; that is
/// null if all sizes are static.
static std::pair<Value, Value> emitBytes(ImplicitLocOpBuilder &b,
                                         memref::AllocOp op) {
  MemRefType type = op.getType();
  int64_t bytes = DataLayout::closest(op).getTypeSize(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      bytes *= size;
  Value product = arith::ConstantOp::create(b, b.getI64IntegerAttr(bytes));
  Value overflows;
  for (Value size : op.getDynamicSizes()) {
    Value factor = arith::IndexCastOp::create(b, b.getI64Type(), size);
    auto extended = arith::MulUIExtendedOp::create(b, product, factor);
    Value isHigh =
        compareWithZero(b, arith::CmpIPredicate::ne, extended.getHigh());
    overflows = overflows ? arith::OrIOp::create(b, overflows, isHigh) : isHigh;
    product = extended.getLow();
  }
  if (overflows)
    overflows = arith::OrIOp::create(
        b, overflows, compareWithZero(b, arith::CmpIPredicate::slt, product));
  return {product, overflows};
}

static LogicalResult checkAllocation(RuntimeCalls &calls, memref::AllocOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto [bytes, overflows] = emitBytes(b, op);
  if (overflows) {
    auto branch = scf::IfOp::create(b, overflows, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    if (failed(calls.emitFail(inside, op.getLoc(),
                              "out of memory: the size of a tensor exceeds 63 "
                              "bits")))
      return failure();
  }
  b.setInsertionPointAfter(op);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, op);
  Value isNull =
      compareWithZero(b, arith::CmpIPredicate::eq,
                      arith::IndexCastOp::create(b, b.getI64Type(), address));
  // Of nothing there may be no address.
  Value isSome = compareWithZero(b, arith::CmpIPredicate::ne, bytes);
  auto branch =
      scf::IfOp::create(b, arith::AndIOp::create(b, isNull, isSome).getResult(),
                        /*withElseRegion=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  return calls.emitFail(inside, op.getLoc(),
                        "out of memory: cannot allocate %lld bytes", bytes);
}

namespace {
struct CheckAllocationPass
    : attn::impl::CheckAllocationPassBase<CheckAllocationPass> {
  void runOnOperation() override {
    SmallVector<memref::AllocOp> ops;
    getOperation().walk([&](memref::AllocOp op) { ops.push_back(op); });
    RuntimeCalls calls(getOperation());
    for (memref::AllocOp op : ops)
      if (failed(checkAllocation(calls, op)))
        return signalPassFailure();
  }
};
} // namespace
