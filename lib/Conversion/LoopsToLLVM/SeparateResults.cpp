//===- SeparateResults.cpp - One allocation per result ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Ownership-based deallocation makes every returned buffer owned by the
/// caller, but it lets two results share one allocation, which a caller that
/// frees each result would free twice. This pass separates them.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::attn {
#define GEN_PASS_DEF_SEPARATERESULTSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Clones the returned buffers that may share an allocation with an earlier
/// result of the same return.
static void separateResults(func::ReturnOp returnOp,
                            BufferOriginAnalysis &origins) {
  OpBuilder builder(returnOp);
  SmallVector<Value> kept;
  for (OpOperand &operand : returnOp->getOpOperands()) {
    Value value = operand.get();
    if (!isa<BaseMemRefType>(value.getType()))
      continue;
    bool shared = llvm::any_of(kept, [&](Value other) {
      std::optional<bool> same = origins.isSameAllocation(value, other);
      return !same || *same;
    });
    kept.push_back(value);
    if (shared)
      operand.set(
          bufferization::CloneOp::create(builder, returnOp.getLoc(), value));
  }
}

namespace {
struct SeparateResultsPass
    : attn::impl::SeparateResultsPassBase<SeparateResultsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func.isPublic() || func.isExternal())
        continue;
      BufferOriginAnalysis origins(func);
      func.walk(
          [&](func::ReturnOp returnOp) { separateResults(returnOp, origins); });
    }
  }
};
} // namespace
