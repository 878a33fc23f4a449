//===- Bytecode.h - Bytecode that nobody has checked ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reader of bytecode writes out of bounds on some damaged files. What is
/// left of the process cannot even report that.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_BYTECODE_H
#define ATTN_EXECUTION_BYTECODE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// Fails if `buffer` is bytecode that ends its reader, or that it refuses
/// without a diagnostic; the error names `input`. It is read in a process of
/// its own. Text always passes.
llvm::Error checkBytecode(StringRef input, llvm::MemoryBufferRef buffer,
                          const DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_BYTECODE_H
