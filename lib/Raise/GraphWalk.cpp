//===- GraphWalk.cpp - The shell of a raising pass --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What passes that replace values of a graph one by one have in common.
///
//===----------------------------------------------------------------------===//

#include "GraphWalk.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::attn;

void attn::visitGraph(Operation *root, function_ref<void(Operation *)> visit) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
}

void attn::eraseDeadCode(Operation *root) {
  IRRewriter rewriter(root->getContext());
  (void)runRegionDCE(rewriter, root->getRegions());
}

Value attn::emitTranspose(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return value;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  applyPermutationToVector(sizes, order);
  Value init = tensor::EmptyOp::create(builder, loc, sizes,
                                       getElementTypeOrSelf(value.getType()));
  return linalg::TransposeOp::create(builder, loc, value, init, order)
      ->getResult(0);
}
