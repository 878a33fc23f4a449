//===- AttnTransformOps.cpp - Transform dialect extension -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every op calls what the pass of its name calls.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/TransformOps/AttnTransformOps.h"
#include "attn/Conversion/AttnToLinalg/Passes.h"
#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/TransformOps/AttnTransformOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void transform::ApplyAttnSimplifyPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateSimplifyPatterns(patterns);
}

void transform::ApplyAttnFusePatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateFusePatterns(patterns);
}

void transform::ApplyAttnLowerToLinalgPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateLowerToLinalgPatterns(patterns);
}

void transform::ApplyAttnLowerAttentionToLinalgPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateLowerAttentionToLinalgPatterns(patterns);
}

void transform::ApplyAttnFuseLinalgPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateFuseLinalgPatterns(patterns);
}

void transform::ApplyAttnFoldConstantTransposePatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateFoldConstantTransposePatterns(patterns);
}

void transform::ApplyAttnExpandMathPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateExpandMathPatterns(patterns);
}

void transform::ApplyAttnLegalizeMathPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  attn::populateLegalizeMathPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// AttnPlanOp
//===----------------------------------------------------------------------===//

/// The registers that are given, or those of the default target.
static int64_t getVectorBits(transform::AttnPlanOp op) {
  return op.getBits().value_or(512);
}

static int64_t getVectorRegisters(transform::AttnPlanOp op) {
  return op.getRegisters().value_or(32);
}

LogicalResult transform::AttnPlanOp::verify() {
  if (getPlan() && (getBits() || getRegisters()))
    return emitOpError("expects either a plan or the registers of a target");
  return attn::verifyVectorOptions(getLoc(), getVectorBits(*this),
                                   getVectorRegisters(*this), "bits",
                                   "registers");
}

void transform::AttnPlanOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::AttnPlanOp::applyToOne(transform::TransformRewriter &rewriter,
                                  attn::AttentionOp target,
                                  transform::ApplyToEachResultList &results,
                                  transform::TransformState &state) {
  int64_t queries = cast<ShapedType>(target.getQuery().getType()).getDimSize(2);
  attn::PlanAttr plan =
      getPlan()
          ? *getPlan()
          : attn::choosePlan(getContext(), queries,
                             target.getAccumulatorType().getWidth(),
                             getVectorBits(*this), getVectorRegisters(*this));
  rewriter.modifyOpInPlace(target, [&] { target.setPlanAttr(plan); });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// AttnTileAttentionOp
//===----------------------------------------------------------------------===//

/// Why an attention cannot be tiled; empty if it can.
static StringRef getObstacle(attn::AttentionOp op) {
  if (!op.hasPureTensorSemantics())
    return "expects an attention on tensors";
  if (!op.getPlan())
    return "expects an attention with a plan";
  auto output = cast<ShapedType>(op.getOutputInit().getType());
  if (llvm::is_contained(output.getShape(), 0))
    return "expects an output with elements";
  return "";
}

DiagnosedSilenceableFailure transform::AttnTileAttentionOp::applyToOne(
    transform::TransformRewriter &rewriter, attn::AttentionOp target,
    transform::ApplyToEachResultList &results,
    transform::TransformState &state) {
  if (StringRef obstacle = getObstacle(target); !obstacle.empty()) {
    DiagnosedSilenceableFailure diag = emitSilenceableError() << obstacle;
    diag.attachNote(target.getLoc()) << "got this one";
    return diag;
  }
  FailureOr<attn::TiledAttention> tiled = attn::tileAttention(rewriter, target);
  if (failed(tiled))
    return emitDefaultDefiniteFailure(target);
  results.push_back(tiled->tile);
  results.push_back(tiled->loop);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// AttnSinkMasksOp
//===----------------------------------------------------------------------===//

void transform::AttnSinkMasksOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::AttnSinkMasksOp::applyToOne(
    transform::TransformRewriter &rewriter, Operation *target,
    transform::ApplyToEachResultList &results,
    transform::TransformState &state) {
  attn::sinkMaskAndBias(rewriter, target);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class AttnTransformExtension
    : public transform::TransformDialectExtension<AttnTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AttnTransformExtension)

  using Base::Base;

  void init() {
    declareDependentDialect<attn::AttnDialect>();
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<attn::AttnDialect>();
    declareGeneratedDialect<cf::ControlFlowDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "attn/Dialect/Attn/TransformOps/AttnTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void attn::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<AttnTransformExtension>();
}
