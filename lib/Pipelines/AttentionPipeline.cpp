//===- AttentionPipeline.cpp - Attention in the CPU pipeline ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where attn ops meet the road of linalg ops to the CPU: before the graph is
/// optimised, while everything is on tensors, and after bufferization.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToLinalg/Passes.h"
#include "attn/Conversion/AttnToVector/Passes.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/CPU/CPUTarget.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

void attn::buildPlanPipeline(OpPassManager &pm,
                             const CPUPipelineOptions &options) {
  pm.addPass(createSimplifyPass());
  pm.addPass(createFusePass());
  if (!options.vectorize)
    return;
  PlanPassOptions plan;
  plan.vectorBits = getVectorBits(options);
  plan.registers = getNumVectorRegisters(plan.vectorBits);
  pm.addPass(createPlanPass(plan));
}

void attn::buildAttentionTilingPipeline(OpPassManager &pm,
                                        const CPUPipelineOptions &options) {
  if (options.vectorize)
    pm.addPass(createTileAttentionPass());
  else
    pm.addPass(createLowerAttentionToLinalgPass());
  pm.addPass(createLowerToLinalgPass());
}

void attn::buildAttentionKernelPipeline(OpPassManager &pm,
                                        const CPUPipelineOptions &options) {
  LowerAttentionToVectorPassOptions kernel;
  kernel.vectorBits = getVectorBits(options);
  kernel.registers = getNumVectorRegisters(kernel.vectorBits);
  pm.addPass(createLowerAttentionToVectorPass(kernel));
  if (options.parallel)
    pm.addPass(createForallToParallelLoopPass());
  else
    pm.addPass(createForallToForLoopPass());
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll();
  pm.addPass(createConvertVectorToSCFPass(transfers));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
