//===- EliminateEmptyTensors.cpp - Compute in place of slices ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Upstream's elimination of empty tensors, but for those whose first writer
/// would write to a slice before it is known to be within its tensor.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ELIMINATEEMPTYTENSORSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Whether the slice that `insertion` writes is within its tensor by its type:
/// the verifier has seen to it.
static bool isStatic(SubsetInsertionOpInterface insertion) {
  auto slice =
      dyn_cast<OffsetSizeAndStrideOpInterface>(insertion.getOperation());
  auto type =
      cast<RankedTensorType>(insertion.getDestinationOperand().get().getType());
  return slice && type.hasStaticShape() && slice.getOffsets().empty() &&
         slice.getSizes().empty() && slice.getStrides().empty();
}

/// Whether `writer` is executed before it is known that `insertion` is executed
/// and has passed its checks, which stand right in front of it.
static bool precedesChecks(Operation *writer, Operation *insertion) {
  // What a parallel loop inserts, it inserts at its end.
  if (isa<scf::InParallelOp>(insertion->getParentOp()))
    insertion = insertion->getParentOp();
  Operation *op = insertion->getBlock()->findAncestorOpInBlock(*writer);
  if (!op)
    return true;
  for (; op && op != insertion; op = op->getNextNode())
    if (isa<cf::AssertOp>(op))
      return true;
  return false;
}

/// The slice that is to replace `empty`, or null.
static Value buildSlice(RewriterBase &rewriter,
                        SubsetInsertionOpInterface insertion,
                        tensor::EmptyOp empty, Operation *writer) {
  if (!isStatic(insertion) && precedesChecks(writer, insertion))
    return Value();
  return bufferization::buildSubsetExtraction(rewriter, insertion, empty,
                                              writer);
}

namespace {
struct EliminateEmptyTensorsPass
    : attn::impl::EliminateEmptyTensorsPassBase<EliminateEmptyTensorsPass> {
  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.allowReturnAllocsFromLoops = true;
    bufferization::OneShotAnalysisState state(getOperation(), options);
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::analyzeOp(getOperation(), state)) ||
        failed(bufferization::eliminateEmptyTensors(rewriter, getOperation(),
                                                    state, buildSlice)))
      signalPassFailure();
  }
};
} // namespace
