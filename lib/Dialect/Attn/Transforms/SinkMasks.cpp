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

/// Collects the ops that make `root`, operands before users. Fails if one of
/// them depends on itself, which regions without dominance allow: then there is
/// no such order. Iterative: masks may be deep.
static LogicalResult collectProducers(Value root,
                                      SetVector<Operation *> &producers) {
  SmallVector<Operation *> stack;
  // The ops whose operands were pushed. Those that are not among the producers
  // yet are users of the op at the top of the stack.
  llvm::SmallDenseSet<Operation *> visited;
  auto push = [&](Value value) {
    auto op = value.getDefiningOp<SymbolicOpInterface>();
    if (!op || producers.contains(op))
      return success();
    stack.push_back(op);
    return success(!visited.contains(op));
  };
  if (failed(push(root)))
    return failure();
  while (!stack.empty()) {
    Operation *op = stack.back();
    if (!visited.insert(op).second) {
      producers.insert(op);
      stack.pop_back();
      continue;
    }
    for (Value operand : op->getOperands())
      if (isSymbolic(operand) && failed(push(operand)))
        return failure();
  }
  return success();
}

void attn::sinkMaskAndBias(RewriterBase &rewriter, Operation *op) {
  SetVector<Operation *> producers;
  for (Value operand : op->getOperands()) {
    if (!isSymbolic(operand))
      continue;
    SetVector<Operation *> ofOperand;
    if (succeeded(collectProducers(operand, ofOperand)))
      producers.insert_range(ofOperand);
  }

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
