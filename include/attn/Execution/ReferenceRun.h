//===- ReferenceRun.h - Running the reference interpreter -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reference interpreter on arrays.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_REFERENCERUN_H
#define ATTN_EXECUTION_REFERENCERUN_H

#include "attn/Execution/Signature.h"
#include "attn/Reference/Interpreter.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::attn {

/// Interprets the function `entry` in double precision. Float results keep
/// that precision: they are f64 arrays, whatever their type in the graph. The
/// inputs must fit the function. A failed run-time check is a `DiagnosedError`
/// with `exitAssertion`.
llvm::Expected<SmallVector<NdArray, 0>>
runReference(ModuleOp module, StringRef entry, ArrayRef<NdArray> inputs,
             const reference::InterpreterOptions &options = {});

} // namespace mlir::attn

#endif // ATTN_EXECUTION_REFERENCERUN_H
