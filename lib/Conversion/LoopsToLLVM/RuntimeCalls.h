//===- RuntimeCalls.h - Calls of the runtime library ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls that report a failed check, and the texts that they report.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LOOPSTOLLVM_RUNTIMECALLS_H
#define ATTN_LIB_CONVERSION_LOOPSTOLLVM_RUNTIMECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::attn {

/// Emits calls that end the program with a message, see attn_rt.h. A message
/// starts with the place of the source that it is about, if that is known.
class RuntimeCalls {
public:
  explicit RuntimeCalls(ModuleOp module) : module(module), symbols(module) {}

  /// Reports `message`. Fails with an error if a function of the runtime is
  /// something else in the module.
  LogicalResult emitFail(OpBuilder &builder, Location loc, StringRef message);

  /// Reports a message that has numbers of type i64 in it: at most two, one for
  /// each `%lld`.
  LogicalResult emitFail(OpBuilder &builder, Location loc, StringRef format,
                         ArrayRef<Value> numbers);

private:
  LogicalResult declare(StringRef name, ArrayRef<Type> arguments);
  Value getText(OpBuilder &builder, Location loc, const Twine &text);

  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<LLVM::GlobalOp> texts;
};

/// `text` as a format that prints it.
std::string escapeFormat(StringRef text);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LOOPSTOLLVM_RUNTIMECALLS_H
