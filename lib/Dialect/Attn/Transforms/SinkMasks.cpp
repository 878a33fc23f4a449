//===- SinkMasks.cpp - Move masks next to their uses ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bufferization looks at where a tensor is read, which for the data of a mask
/// is where the mask is used: both places are made one.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn {
#define GEN_PASS_DEF_SINKMASKSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static bool isSymbolic(Value value) {
  return isa<MaskType, BiasType>(value.getType());
}

/// Collects the ops that make `root`, operands before users. Iterative: masks
/// may be deep.
static void collectProducers(Value root, SetVector<Operation *> &producers) {
  SmallVector<Operation *> stack;
  auto push = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<MaskOpInterface, BiasOpInterface>(op) &&
        !producers.contains(op))
      stack.push_back(op);
  };
  push(root);
  while (!stack.empty()) {
    Operation *op = stack.back();
    size_t size = stack.size();
    for (Value operand : op->getOperands())
      if (isSymbolic(operand))
        push(operand);
    if (stack.size() != size)
      continue;
    producers.insert(op);
    stack.pop_back();
  }
}

void attn::sinkMaskAndBias(RewriterBase &rewriter, Operation *op) {
  SetVector<Operation *> producers;
  for (Value operand : op->getOperands())
    if (isSymbolic(operand))
      collectProducers(operand, producers);

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  IRMapping mapping;
  for (Operation *producer : producers)
    rewriter.clone(*producer, mapping);
  rewriter.modifyOpInPlace(op, [&] {
    for (OpOperand &operand : op->getOpOperands())
      if (isSymbolic(operand.get()))
        operand.set(mapping.lookupOrDefault(operand.get()));
  });
  // The last users come last: erase backwards what nobody uses any more.
  for (Operation *producer : llvm::reverse(producers))
    if (producer->use_empty())
      rewriter.eraseOp(producer);
}

namespace {
struct SinkMasksPass : attn::impl::SinkMasksPassBase<SinkMasksPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> users;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOp, MaterializeOp>(op))
        users.push_back(op);
    });
    for (Operation *op : users)
      sinkMaskAndBias(rewriter, op);
  }
};
} // namespace
