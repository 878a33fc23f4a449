//===- Evaluation.h - What an op handler sees -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function is compiled once to a program: every SSA value gets a slot, every
/// block a list of steps that know their handler and their slots, so that the
/// body of a linalg.generic costs no lookup per element. Handlers see a step
/// through an `Evaluation` and run nested blocks through a `BlockRun`.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_REFERENCE_EVALUATION_H
#define ATTN_LIB_REFERENCE_EVALUATION_H

#include "attn/Reference/Interpreter.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::attn::reference {

class Evaluation;
class Interpreter;

/// Executes one op: reads its operands and sets all of its results.
using OpHandler = LogicalResult (*)(Evaluation &);

/// Computes a scalar op. The same function serves tensors elementwise.
using ScalarKernel = LogicalResult (*)(Operation *, ArrayRef<Scalar>,
                                       MutableArrayRef<Scalar>);

/// The ops that the interpreter knows, by name.
struct HandlerRegistry {
  llvm::StringMap<OpHandler> handlers;
  llvm::StringMap<ScalarKernel> kernels;

  template <typename... OpTs> void addHandler(OpHandler handler) {
    ((handlers[OpTs::getOperationName()] = handler), ...);
  }
  template <typename... OpTs> void addKernel(ScalarKernel kernel) {
    ((kernels[OpTs::getOperationName()] = kernel), ...);
  }
};

// One function per family of ops, each in the file of that name.
void registerArithIntegerHandlers(HandlerRegistry &registry);
void registerArithFloatHandlers(HandlerRegistry &registry);
void registerMathHandlers(HandlerRegistry &registry);
void registerComplexHandlers(HandlerRegistry &registry);
void registerTensorHandlers(HandlerRegistry &registry);
void registerTensorSliceHandlers(HandlerRegistry &registry);
void registerLinalgHandlers(HandlerRegistry &registry);
void registerControlFlowHandlers(HandlerRegistry &registry);
void registerAffineHandlers(HandlerRegistry &registry);
void registerPositionHandlers(HandlerRegistry &registry);
void registerRotaryHandlers(HandlerRegistry &registry);
void registerMaskHandlers(HandlerRegistry &registry);
void registerBiasHandlers(HandlerRegistry &registry);
void registerAttentionHandlers(HandlerRegistry &registry);
void registerDecodingHandlers(HandlerRegistry &registry);
void registerLossHandlers(HandlerRegistry &registry);

/// Executes any structured op of linalg through its region. These ops are found
/// by their interface, not by name.
LogicalResult evaluateStructuredOp(Evaluation &eval);

/// One op with everything about it that does not change between executions.
struct Step {
  Operation *op = nullptr;
  OpHandler handler = nullptr;
  ScalarKernel kernel = nullptr;
  /// Whether `kernel` applies to scalars, not elementwise to tensors.
  bool scalarOnly = false;
  SmallVector<unsigned, 4> operands;
  SmallVector<unsigned, 2> results;
  /// For each operand, whether nothing reads the value after this step.
  SmallVector<bool, 4> lastUses;
  /// What a handler wants to keep between executions.
  std::optional<RuntimeValue> cache;
};

struct BlockProgram {
  Operation *parentOp = nullptr;
  SmallVector<unsigned, 4> arguments;
  std::vector<Step> steps;
  /// The slots of the terminator's operands.
  Step terminator;
};

struct FunctionProgram {
  /// The number of the slot of each value, from 0 on.
  DenseMap<Value, unsigned> slots;
  DenseMap<Block *, std::unique_ptr<BlockProgram>> blocks;
};

/// The values of one activation of a function.
struct Frame {
  explicit Frame(FunctionProgram &program)
      : program(program), slots(program.slots.size()) {}

  FunctionProgram &program;
  std::vector<RuntimeValue> slots;
  /// The iteration indices of the structured ops that are being executed.
  SmallVector<ArrayRef<int64_t>> iterations;
};

/// Runs a nested block as often as wanted.
class BlockRun {
public:
  BlockRun(Interpreter &interpreter, Frame &frame, Block &block);

  void setArgument(unsigned number, RuntimeValue value) {
    frame.slots[program.arguments[number]] = std::move(value);
  }
  RuntimeValue takeArgument(unsigned number) {
    return std::move(frame.slots[program.arguments[number]]);
  }
  LogicalResult run();
  unsigned getNumYields() const { return program.terminator.operands.size(); }
  const RuntimeValue &getYield(unsigned number) const {
    return frame.slots[program.terminator.operands[number]];
  }
  /// Moves the yielded value out where nothing else can read it.
  RuntimeValue takeYield(unsigned number);
  SmallVector<RuntimeValue> takeYields(unsigned first = 0);

private:
  Interpreter &interpreter;
  Frame &frame;
  BlockProgram &program;
};

/// One execution of one op.
class Evaluation {
public:
  Evaluation(Interpreter &interpreter, Frame &frame, Step &step)
      : interpreter(interpreter), frame(frame), step(step) {}

  Operation *getOperation() const { return step.op; }
  template <typename OpT> OpT getOp() const { return cast<OpT>(step.op); }
  InFlightDiagnostic emitError() const { return step.op->emitError(); }

  unsigned getNumOperands() const { return step.operands.size(); }
  const RuntimeValue &getOperand(unsigned number) const {
    return frame.slots[step.operands[number]];
  }
  /// The value of an operand, found by itself instead of by its number.
  const RuntimeValue &getValue(Value operand) const {
    return frame.slots[frame.program.slots.lookup(operand)];
  }
  const Tensor &getTensor(unsigned number) const {
    return getOperand(number).getTensor();
  }
  int64_t getInteger(unsigned number) const {
    return getOperand(number).getInteger();
  }
  /// The integers of the operands [first, first + count).
  SmallVector<int64_t> getIntegers(unsigned first, unsigned count) const;
  /// Moves an operand out where nothing reads it afterwards, so that writing to
  /// it copies nothing.
  RuntimeValue takeOperand(unsigned number);
  /// Merges the static numbers of an op with its dynamic ones, which are the
  /// operands from `nextOperand` on. Moves `nextOperand` behind them.
  SmallVector<int64_t> getMixedIntegers(ArrayRef<int64_t> staticValues,
                                        unsigned &nextOperand) const;

  /// Where an operand lives, for ops that write into one.
  RuntimeValue &getOperandSlot(unsigned number) {
    return frame.slots[step.operands[number]];
  }

  void setResult(unsigned number, RuntimeValue value) {
    frame.slots[step.results[number]] = std::move(value);
  }

  std::optional<RuntimeValue> &getCache() { return step.cache; }
  Frame &getFrame() const { return frame; }
  Interpreter &getInterpreter() const { return interpreter; }
  const InterpreterOptions &getOptions() const;

  BlockRun getBlock(Block &block) { return {interpreter, frame, block}; }

  /// Calls a function by its symbol.
  FailureOr<SmallVector<RuntimeValue>>
  call(func::FuncOp callee, SmallVector<RuntimeValue> arguments);

  /// Reports a negative size, or a tensor above the limit of the options.
  LogicalResult checkShape(ArrayRef<int64_t> shape) const;

private:
  Interpreter &interpreter;
  Frame &frame;
  Step &step;
};

/// The value of a constant attribute of the given type, or a failure after an
/// error.
FailureOr<RuntimeValue> evaluateConstant(const Evaluation &eval,
                                         Attribute value, Type type);

/// Reports, at `op`, a negative size or a tensor of more than `limit` elements.
/// No product of the sizes overflows afterwards.
LogicalResult checkShape(Operation *op, ArrayRef<int64_t> shape, int64_t limit);

/// Evaluates an affine expression, or fails after an error at `op` where it
/// divides by a number that is not positive.
FailureOr<int64_t> evaluateAffine(Operation *op, AffineExpr expr,
                                  ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> symbols);

/// A shape or an index list as text, for diagnostics.
std::string formatShape(ArrayRef<int64_t> shape);

/// Calls `visit` with the indices of each element of `shape`, in row-major
/// order, until it fails.
LogicalResult
forEachIndex(ArrayRef<int64_t> shape,
             function_ref<LogicalResult(ArrayRef<int64_t>)> visit);

} // namespace mlir::attn::reference

#endif // ATTN_LIB_REFERENCE_EVALUATION_H
