//===- Interpreter.h - Double-precision reference interpreter ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes a function on tensors, op by op, straight from the meaning of the
/// ops. It shares no code with any lowering, so that it can judge them.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_REFERENCE_INTERPRETER_H
#define ATTN_REFERENCE_INTERPRETER_H

#include "attn/Reference/Value.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::attn::reference {

/// What a mask or bias op of another dialect means: the value of a pair, given
/// the values of the operands, of which it keeps what it needs. Fails after an
/// error at the op.
using SymbolicEvaluator = std::function<FailureOr<PairFunction>(
    Operation *op, ArrayRef<RuntimeValue> operands)>;

struct InterpreterOptions {
  /// The deepest nesting of calls that is still executed.
  unsigned maxCallDepth = 64;
  /// The deepest nesting of blocks, those of callers included.
  unsigned maxBlockDepth = 1000;
  /// The most masks and biases that one is made of. It bounds both the time
  /// that one pair takes and how deep the calls are nested.
  unsigned maxSymbolicSize = 1000;
  /// The most elements that one tensor may have, where a size of zero counts as
  /// one: it bounds each size too.
  int64_t maxTensorElements = int64_t(1) << 28;
  /// The mask and bias ops of other dialects, by name.
  llvm::StringMap<SymbolicEvaluator> symbolicOps;
};

/// Calls `function` with `arguments` and returns its results. Whatever goes
/// wrong (an op that is not supported, a failed assertion, an index out of
/// bounds, an argument of another shape) is reported as an error at the op.
FailureOr<SmallVector<RuntimeValue>>
interpret(func::FuncOp function, ArrayRef<RuntimeValue> arguments,
          const InterpreterOptions &options = {});

} // namespace mlir::attn::reference

#endif // ATTN_REFERENCE_INTERPRETER_H
