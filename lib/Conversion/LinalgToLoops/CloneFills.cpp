//===- CloneFills.cpp - A fill for each destination -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Common subexpression elimination makes one filled tensor of all that start
/// from the same constant, and bufferization copies it for each op that
/// overwrites it. Filling again reads nothing, and keeps no buffer alive.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CLONEFILLSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static bool isDestination(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return op && op.isDpsInit(&use);
}

/// Gives each op that overwrites the result of `fill` a fill of its own.
static void cloneFill(linalg::FillOp fill) {
  auto empty = fill.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
  Value filled = fill->getResult(0);
  if (!empty || filled.hasOneUse())
    return;
  for (OpOperand &use : llvm::make_early_inc_range(filled.getUses())) {
    if (!isDestination(use))
      continue;
    OpBuilder builder(use.getOwner());
    IRMapping mapping;
    builder.clone(*empty, mapping);
    use.set(builder.clone(*fill, mapping)->getResult(0));
  }
  if (filled.use_empty()) {
    fill.erase();
    if (empty->use_empty())
      empty.erase();
  }
}

namespace {
struct CloneFillsPass : attn::impl::CloneFillsPassBase<CloneFillsPass> {
  void runOnOperation() override {
    getOperation()->walk([](linalg::FillOp fill) {
      if (fill.hasPureTensorSemantics())
        cloneFill(fill);
    });
  }
};
} // namespace
