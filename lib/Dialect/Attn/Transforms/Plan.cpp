//===- Plan.cpp - Choose the blocking of attention --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The blocking depends on sizes and on the vector registers of the target, not
/// on the processor's name.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_PLANPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

PlanAttr attn::choosePlan(MLIRContext *context, int64_t queries,
                          unsigned accumulatorBits, unsigned vectorBits,
                          unsigned registers) {
  int64_t lanes = vectorBits / accumulatorBits;
  // Two registers of queries leave the most accumulators for rows. The code
  // generator splits vectors badly unless they are 16 times a power of two.
  // Few queries would leave lanes idle.
  int64_t queryBlock = std::max<int64_t>(16, 2 * lanes);
  if (!ShapedType::isDynamic(queries) && queries <= 16)
    queryBlock = 16;
  // One register per row and vector of queries, one for the broadcast key, and
  // one for each vector of queries that is loaded. More rows than hide the
  // latency of the multiply-adds only cost spills around the inner loops, and
  // narrow rows are bound by the broadcasts.
  int64_t width = llvm::divideCeil(queryBlock, lanes);
  int64_t fitting = (static_cast<int64_t>(registers) - 1) / width - 2;
  int64_t rows = std::clamp<int64_t>(fitting, 1, width == 1 ? 4 : 8);
  return PlanAttr::get(context, queryBlock, /*keyBlock=*/128, rows);
}

LogicalResult attn::verifyVectorOptions(Location loc, int64_t vectorBits,
                                        int64_t registers, StringRef bitsName,
                                        StringRef registersName) {
  if (vectorBits < 128 || vectorBits > 2048 || !llvm::isPowerOf2_64(vectorBits))
    return emitError(loc) << "expects '" << bitsName
                          << "' to be a power of two from 128 to 2048, got "
                          << vectorBits;
  if (registers < 8 || registers > 64)
    return emitError(loc) << "expects '" << registersName
                          << "' to be from 8 to 64, got " << registers;
  return success();
}

namespace {
struct PlanPass : attn::impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyVectorOptions(UnknownLoc::get(context), vectorBits, registers);
  }

  void runOnOperation() override {
    getOperation()->walk([&](AttentionOp op) {
      if (op.getPlan())
        return;
      int64_t queries = cast<ShapedType>(op.getQuery().getType()).getDimSize(2);
      op.setPlanAttr(choosePlan(&getContext(), queries,
                                op.getAccumulatorType().getWidth(), vectorBits,
                                registers));
    });
  }
};
} // namespace
