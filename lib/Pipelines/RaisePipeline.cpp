//===- RaisePipeline.cpp - From linalg to attn ops --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Raisers match what elements equal, so no canonical form is made for them.
///
//===----------------------------------------------------------------------===//

#include "attn/Pipelines/Pipelines.h"
#include "attn/Raise/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void attn::buildRaisePipeline(OpPassManager &pm, const RaiseOptions &options) {
  if (options.positions)
    pm.addPass(createRaisePositionsPass());
  // Before attention, which takes rotated tensors as they are.
  if (options.rotary) {
    pm.addPass(createRaiseRotaryPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  if (options.attention)
    pm.addPass(createRaiseAttentionPass({options.exactMasks}));
  // Raised ops share their masks, and leave dead code behind.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
