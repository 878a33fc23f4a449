//===- InitAll.h - Registration of everything -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registers all dialects, models, passes and pipelines of the project, for
/// tools and plugins.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_INITALL_H
#define ATTN_INITALL_H

#include "attn/Analysis/Passes.h"
#include "attn/Conversion/AttnToLinalg/Passes.h"
#include "attn/Conversion/AttnToVector/Passes.h"
#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/TransformOps/AttnTransformOps.h"
#include "attn/Dialect/Attn/Transforms/BufferizableOpInterfaceImpl.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Raise/Passes.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::attn {

/// Registers the dialects, their external models, and the extension of the
/// transform dialect.
inline void registerAllAttnDialects(DialectRegistry &registry) {
  registry.insert<AttnDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  registerTransformDialectExtension(registry);
}

/// Registers the passes and pipelines.
inline void registerAllAttnPasses() {
  registerPrintElementExpressionsPass();
  registerAttnConversionPasses();
  registerAttnToLinalgPasses();
  registerAttnToVectorPasses();
  registerAttnTransformsPasses();
  registerAttnRaisePasses();
  registerAttnPipelines();
}

} // namespace mlir::attn

#endif // ATTN_INITALL_H
