//===- InterpreterImpl.h - State of the reference interpreter ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The engine behind `interpret`: compiled functions and their execution.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_REFERENCE_INTERPRETERIMPL_H
#define ATTN_LIB_REFERENCE_INTERPRETERIMPL_H

#include "Evaluation.h"

namespace mlir::attn::reference {

class Interpreter {
public:
  explicit Interpreter(const InterpreterOptions &options);

  const InterpreterOptions &getOptions() const { return options; }

  /// Calls `function`; `caller` is where a too deep recursion is reported.
  FailureOr<SmallVector<RuntimeValue>> call(func::FuncOp function,
                                            SmallVector<RuntimeValue> arguments,
                                            Operation *caller);

  /// Runs the steps of a block up to its terminator, or reports that blocks are
  /// nested too deep for the stack.
  LogicalResult runBlock(Frame &frame, BlockProgram &program);

private:
  /// The most operands and results that a kernel has.
  static constexpr unsigned maxKernelOperands = 4;
  static constexpr unsigned maxKernelResults = 2;

  FunctionProgram &compile(func::FuncOp function);
  Step compileOp(Operation &op, FunctionProgram &program);
  LogicalResult runSteps(Frame &frame, BlockProgram &program);
  LogicalResult runStep(Frame &frame, Step &step);
  LogicalResult checkResultShapes(Frame &frame, Step &step);
  LogicalResult runElementwise(Frame &frame, Step &step);

  InterpreterOptions options;
  HandlerRegistry registry;
  DenseMap<Operation *, std::unique_ptr<FunctionProgram>> programs;
  unsigned callDepth = 0;
  unsigned blockDepth = 0;
};

} // namespace mlir::attn::reference

#endif // ATTN_LIB_REFERENCE_INTERPRETERIMPL_H
