//===- EntryAbi.cpp - The contract of public functions ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Marks public functions for their callers outside MLIR: a C interface, and
/// arguments that are never written.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ENTRYABIPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using bufferization::BufferizationDialect;

namespace {
struct EntryAbiPass : attn::impl::EntryAbiPassBase<EntryAbiPass> {
  void runOnOperation() override {
    Builder builder(&getContext());
    StringRef writable = BufferizationDialect::kWritableAttrName;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func.isPublic() || func.isExternal())
        continue;
      func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    builder.getUnitAttr());
      for (BlockArgument arg : func.getArguments()) {
        unsigned index = arg.getArgNumber();
        if (isa<TensorType>(arg.getType()) && !func.getArgAttr(index, writable))
          func.setArgAttr(index, writable, builder.getBoolAttr(false));
      }
    }
  }
};
} // namespace
