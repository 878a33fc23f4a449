//===- CPUPipeline.cpp - From linalg on tensors to LLVM ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The CPU pipeline. Whole model graphs pass through it; attention joins at two
/// places, see AttentionPipeline.cpp.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/CPU/CPUTarget.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

void attn::buildCheckPipeline(OpPassManager &pm) {
  pm.addPass(createCheckProgramPass());
  // Equal sizes are told by the values that they are made of.
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createCheckSizesPass());
}

void attn::buildLinalgOptimizationPipeline(OpPassManager &pm,
                                           const CPUPipelineOptions &options) {
  // First, so that what becomes of attn ops is fused with the graph around it.
  buildAttentionTilingPipeline(pm, options);
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createFoldConstantTransposePass());
  pm.addPass(createFuseLinalgPass());
  // It also turns accumulators into inputs, which costs loops a buffer a turn.
  if (options.vectorize)
    pm.addPass(createLinalgFoldUnitExtentDimsPass());
  pm.addPass(createFuseLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCloneFillsPass());
}

void attn::buildBufferizationPipeline(OpPassManager &pm,
                                      const CPUPipelineOptions &options) {
  pm.addPass(createEntryAbiPass());
  pm.addPass(createEliminateEmptyTensorsPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // A loop may carry another buffer each turn, as loops of graphs do.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSeparateResultsPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addNestedPass<func::FuncOp>(createLowerCopyPass());
}

unsigned attn::getVectorBits(const CPUPipelineOptions &options) {
  if (options.vectorBits)
    return options.vectorBits;
  llvm::Expected<CPUTarget> target = CPUTarget::get("native");
  if (target)
    return target->getVectorBits();
  llvm::consumeError(target.takeError());
  return 128;
}

/// Math and arith on scalars and vectors to LLVM. Types that the target may
/// lack (bf16) are computed in f32.
static void addScalarLowering(OpPassManager &pm,
                              const CPUPipelineOptions &options) {
  pm.addPass(createConvertComplexToStandardPass());
  // Only what neither LLVM nor libm has.
  math::MathExpandOpsPassOptions expandMath;
  expandMath.opMnemonics = {"fpowi"};
  pm.addPass(math::createMathExpandOpsPass(expandMath));
  pm.addPass(createLegalizeMathPass());
  if (options.vectorize) {
    pm.addPass(createExpandMathPass());
    return;
  }
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
}

void attn::buildLowerToLLVMPipeline(OpPassManager &pm,
                                    const CPUPipelineOptions &options) {
  buildAttentionKernelPipeline(pm, options);
  // Not before: it does not know that a mask reads memory where it is used.
  pm.addNestedPass<func::FuncOp>(
      bufferization::createOptimizeAllocationLivenessPass());
  LowerContractionPassOptions contraction;
  contraction.vectorBits = getVectorBits(options);
  contraction.registers = getNumVectorRegisters(contraction.vectorBits);
  contraction.parallel = options.parallel;
  if (options.vectorize)
    pm.addNestedPass<func::FuncOp>(createLowerContractionPass(contraction));
  LowerLinalgToLoopsPassOptions loops;
  loops.parallel = options.parallel;
  if (options.vectorize)
    pm.addNestedPass<func::FuncOp>(createLowerLinalgToLoopsPass(loops));
  else
    pm.addPass(createConvertLinalgToLoopsPass());
  addScalarLowering(pm, options);
  pm.addNestedPass<func::FuncOp>(createLowerExpandShapePass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  if (options.parallel) {
    ConvertSCFToOpenMPPassOptions openmp;
    openmp.numThreads = options.threads;
    pm.addPass(createConvertSCFToOpenMPPass(openmp));
    pm.addPass(createSetOmpSchedulePass());
  }
  pm.addPass(createLowerAffinePass());
  // Behind all passes that make divisions and buffers.
  pm.addPass(createCheckDivisionPass());
  pm.addPass(createCheckAllocationPass());
  pm.addPass(createLowerAssertPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Integer powers, which become functions with loops; others have forms above.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createConvertVectorToLLVMPass());
  // Before the loops: the LLVM form of memref.alloca_scope, which the OpenMP
  // conversion makes, is one that the loops' conversion accepts.
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createSCFToControlFlowPass());
  if (options.parallel)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

static void buildCheckStage(OpPassManager &pm, const CPUPipelineOptions &) {
  buildCheckPipeline(pm);
}

static void buildRaiseStage(OpPassManager &pm,
                            const CPUPipelineOptions &options) {
  RaiseOptions raise;
  raise.exactMasks = options.exactMasks;
  buildRaisePipeline(pm, raise);
  // Raised ops expect of sizes what the loops before did at each access.
  buildCheckPipeline(pm);
}

static const CPUStage stages[] = {
    {CPUStageKind::Checked, "checked", "run-time checks of sizes added",
     buildCheckStage},
    {CPUStageKind::Raised, "raised",
     "attn ops recovered from linalg ops on tensors", buildRaiseStage},
    {CPUStageKind::Planned, "planned",
     "attn ops simplified, fused and with a plan", buildPlanPipeline},
    {CPUStageKind::Linalg, "linalg",
     "linalg ops on tensors, simplified and fused",
     buildLinalgOptimizationPipeline},
    {CPUStageKind::Bufferized, "bufferized", "linalg ops on memrefs",
     buildBufferizationPipeline},
    {CPUStageKind::LLVM, "llvm", "the LLVM dialect", buildLowerToLLVMPipeline},
};

ArrayRef<CPUStage> attn::getCPUStages() { return stages; }

const CPUStage *attn::findCPUStage(StringRef name) {
  const CPUStage *stage = llvm::find_if(
      stages, [&](const CPUStage &known) { return known.name == name; });
  return stage == std::end(stages) ? nullptr : stage;
}

void attn::buildCPUPipeline(OpPassManager &pm,
                            const CPUPipelineOptions &options) {
  for (const CPUStage &stage : getCPUStages()) {
    if (!isSkipped(stage, options))
      stage.build(pm, options);
    if (stage.kind == options.stage)
      return;
  }
}

void attn::registerAttnPipelines() {
  PassPipelineRegistration<RaiseOptions>(
      "attn-raise", "Recover attn ops from linalg on tensors",
      buildRaisePipeline);
  PassPipelineRegistration<CPUPipelineOptions>(
      "attn-cpu-pipeline",
      "Lower a graph of linalg ops on tensors to the LLVM dialect, "
      "vectorised and multi-threaded",
      buildCPUPipeline);
}
