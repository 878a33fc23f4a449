//===- Interpreter.cpp - Double-precision reference interpreter -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles functions to programs of slots and steps, and executes them.
///
//===----------------------------------------------------------------------===//

#include "attn/Reference/Interpreter.h"
#include "InterpreterImpl.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static LogicalResult rejectOp(Evaluation &eval) {
  return eval.emitError() << "the reference interpreter does not support '"
                          << eval.getOperation()->getName() << "'";
}

static bool isSymbolicType(Type type) {
  return isa<attn::MaskType, attn::BiasType>(type);
}

static bool isSupportedType(Type type) {
  if (isSymbolicType(type))
    return true;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return getElementKind(type).has_value();
}

static LogicalResult rejectType(Evaluation &eval) {
  Operation *op = eval.getOperation();
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!isSupportedType(type))
      return eval.emitError()
             << "the reference interpreter has no values of type " << type;
  return failure();
}

Interpreter::Interpreter(const InterpreterOptions &options) : options(options) {
  registerArithIntegerHandlers(registry);
  registerArithFloatHandlers(registry);
  registerMathHandlers(registry);
  registerComplexHandlers(registry);
  registerTensorHandlers(registry);
  registerTensorSliceHandlers(registry);
  registerLinalgHandlers(registry);
  registerControlFlowHandlers(registry);
  registerAffineHandlers(registry);
  registerPositionHandlers(registry);
  registerRotaryHandlers(registry);
  registerMaskHandlers(registry);
  registerBiasHandlers(registry);
  registerAttentionHandlers(registry);
  registerDecodingHandlers(registry);
  registerLossHandlers(registry);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

Step Interpreter::compileOp(Operation &op, FunctionProgram &program) {
  Step step;
  step.op = &op;
  for (Value operand : op.getOperands()) {
    step.operands.push_back(program.slots.lookup(operand));
    // The outputs of a forall keep their slots through all iterations.
    step.lastUses.push_back(operand.hasOneUse() &&
                            operand.getParentBlock() == op.getBlock() &&
                            !isa<scf::ForallOp>(op.getParentOp()));
  }
  for (Value result : op.getResults())
    step.results.push_back(program.slots.lookup(result));

  auto isScalarType = [](Type type) {
    return getElementKind(type).has_value();
  };
  step.scalarOnly = llvm::all_of(op.getOperandTypes(), isScalarType) &&
                    llvm::all_of(op.getResultTypes(), isScalarType);

  bool supportedTypes = llvm::all_of(op.getOperandTypes(), isSupportedType) &&
                        llvm::all_of(op.getResultTypes(), isSupportedType);
  if (op.hasTrait<OpTrait::IsTerminator>()) {
    // The op around the block reads what these yield. Others end a block
    // without a result, or with any number of them.
    if (!isa<func::ReturnOp, scf::YieldOp, scf::ConditionOp, scf::InParallelOp,
             linalg::YieldOp, tensor::YieldOp, attn::YieldOp>(op))
      step.handler = rejectOp;
    return step;
  }
  StringRef name = op.getName().getStringRef();
  OpHandler handler = registry.handlers.lookup(name);
  ScalarKernel kernel = registry.kernels.lookup(name);
  // A select has both: its kernel for scalars, a handler for whole tensors.
  if (!supportedTypes)
    step.handler = rejectType;
  else if (kernel && (step.scalarOnly || !handler))
    step.kernel = kernel;
  else if (handler)
    step.handler = handler;
  else if (isa<linalg::LinalgOp>(op))
    step.handler = evaluateStructuredOp;
  else
    step.handler = rejectOp;
  return step;
}

FunctionProgram &Interpreter::compile(func::FuncOp function) {
  std::unique_ptr<FunctionProgram> &program = programs[function];
  if (program)
    return *program;
  program = std::make_unique<FunctionProgram>();
  auto addSlot = [&](Value value) {
    program->slots.try_emplace(value, program->slots.size());
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      addSlot(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          addSlot(argument);
  });
  function->walk([&](Block *block) {
    auto compiled = std::make_unique<BlockProgram>();
    compiled->parentOp = block->getParentOp();
    for (Value argument : block->getArguments())
      compiled->arguments.push_back(program->slots.lookup(argument));
    for (Operation &op : *block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        compiled->terminator = compileOp(op, *program);
      else
        compiled->steps.push_back(compileOp(op, *program));
    }
    program->blocks[block] = std::move(compiled);
  });
  return *program;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Applies a scalar kernel to every element of operands that are all tensors.
LogicalResult Interpreter::runElementwise(Frame &frame, Step &step) {
  const Tensor *shaped = nullptr;
  for (unsigned slot : step.operands) {
    const Tensor &tensor = frame.slots[slot].getTensor();
    if (!shaped)
      shaped = &tensor;
    if (shaped->getShape() != tensor.getShape())
      return step.op->emitError() << "expects operands of one shape, got "
                                  << formatShape(shaped->getShape()) << " and "
                                  << formatShape(tensor.getShape());
  }

  SmallVector<Tensor> results;
  for (Type type : step.op->getResultTypes())
    results.push_back(
        Tensor::zeros(getElementTypeOrSelf(type), shaped->getShape()));
  SmallVector<Scalar> inputs(step.operands.size());
  SmallVector<Scalar> outputs(step.results.size());
  for (int64_t i = 0, e = shaped->getNumElements(); i < e; ++i) {
    for (auto [input, slot] : llvm::zip_equal(inputs, step.operands))
      input = frame.slots[slot].getTensor().getElement(i);
    if (failed(step.kernel(step.op, inputs, outputs)))
      return failure();
    for (auto [result, output] : llvm::zip_equal(results, outputs))
      result.setElement(i, output);
  }
  for (auto [slot, result] : llvm::zip_equal(step.results, results))
    frame.slots[slot] = std::move(result);
  return success();
}

LogicalResult Interpreter::runStep(Frame &frame, Step &step) {
  if (step.kernel && step.scalarOnly) {
    std::array<Scalar, maxKernelOperands> inputs;
    std::array<Scalar, maxKernelResults> outputs;
    for (auto [number, slot] : llvm::enumerate(step.operands))
      inputs[number] = frame.slots[slot].getScalar();
    if (failed(step.kernel(step.op, {inputs.data(), step.operands.size()},
                           {outputs.data(), step.results.size()})))
      return failure();
    for (auto [number, slot] : llvm::enumerate(step.results))
      frame.slots[slot] = outputs[number];
  } else if (step.kernel) {
    if (failed(runElementwise(frame, step)))
      return failure();
  } else {
    Evaluation eval(*this, frame, step);
    if (failed(step.handler(eval)))
      return failure();
  }
  if (!step.scalarOnly && failed(checkResultShapes(frame, step)))
    return failure();
  return success();
}

/// Checks that the tensors which `step` made have the static sizes that their
/// types promise: dynamic sizes may break the promise.
LogicalResult Interpreter::checkResultShapes(Frame &frame, Step &step) {
  for (auto [number, slot] : llvm::enumerate(step.results)) {
    auto type =
        dyn_cast<RankedTensorType>(step.op->getResult(number).getType());
    if (!type)
      continue;
    ArrayRef<int64_t> shape = frame.slots[slot].getTensor().getShape();
    if (failed(verifyCompatibleShape(type.getShape(), shape)))
      return step.op->emitError()
             << "expects result " << number << " to be of type " << type
             << ", got shape " << formatShape(shape);
  }
  return success();
}

LogicalResult Interpreter::runBlock(Frame &frame, BlockProgram &program) {
  if (blockDepth >= options.maxBlockDepth)
    return program.parentOp->emitError()
           << "blocks are nested deeper than " << options.maxBlockDepth;
  ++blockDepth;
  LogicalResult status = runSteps(frame, program);
  --blockDepth;
  return status;
}

LogicalResult Interpreter::runSteps(Frame &frame, BlockProgram &program) {
  for (Step &step : program.steps)
    if (failed(runStep(frame, step)))
      return failure();
  if (program.terminator.handler) {
    Evaluation eval(*this, frame, program.terminator);
    return program.terminator.handler(eval);
  }
  return success();
}

FailureOr<SmallVector<RuntimeValue>>
Interpreter::call(func::FuncOp function, SmallVector<RuntimeValue> arguments,
                  Operation *caller) {
  if (function.isExternal())
    return function.emitError()
           << "the reference interpreter needs the body of '"
           << function.getSymName() << "'";
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError()
           << "the reference interpreter expects one block in '"
           << function.getSymName() << "', got "
           << function.getBody().getBlocks().size();
  if (callDepth >= options.maxCallDepth)
    return caller->emitError()
           << "calls are nested deeper than " << options.maxCallDepth;

  FunctionProgram &program = compile(function);
  Frame frame(program);
  BlockRun body(*this, frame, function.getBody().front());
  for (auto [number, argument] : llvm::enumerate(arguments))
    body.setArgument(number, std::move(argument));
  arguments.clear();
  ++callDepth;
  LogicalResult status = body.run();
  --callDepth;
  if (failed(status))
    return failure();
  return body.takeYields();
}

//===----------------------------------------------------------------------===//
// BlockRun and Evaluation
//===----------------------------------------------------------------------===//

BlockRun::BlockRun(Interpreter &interpreter, Frame &frame, Block &block)
    : interpreter(interpreter), frame(frame),
      program(*frame.program.blocks.find(&block)->second) {}

LogicalResult BlockRun::run() { return interpreter.runBlock(frame, program); }

SmallVector<RuntimeValue> BlockRun::takeYields(unsigned first) {
  SmallVector<RuntimeValue> values;
  for (unsigned i = first, e = getNumYields(); i < e; ++i)
    values.push_back(takeYield(i));
  return values;
}

RuntimeValue BlockRun::takeYield(unsigned number) {
  RuntimeValue &value = frame.slots[program.terminator.operands[number]];
  if (program.terminator.lastUses[number])
    return std::move(value);
  return value;
}

RuntimeValue Evaluation::takeOperand(unsigned number) {
  RuntimeValue &value = frame.slots[step.operands[number]];
  if (step.lastUses[number])
    return std::move(value);
  return value;
}

SmallVector<int64_t> Evaluation::getIntegers(unsigned first,
                                             unsigned count) const {
  SmallVector<int64_t> values;
  for (unsigned i = first; i < first + count; ++i)
    values.push_back(getInteger(i));
  return values;
}

SmallVector<int64_t>
Evaluation::getMixedIntegers(ArrayRef<int64_t> staticValues,
                             unsigned &nextOperand) const {
  SmallVector<int64_t> values(staticValues);
  for (int64_t &value : values)
    if (ShapedType::isDynamic(value))
      value = getInteger(nextOperand++);
  return values;
}

const InterpreterOptions &Evaluation::getOptions() const {
  return interpreter.getOptions();
}

FailureOr<SmallVector<RuntimeValue>>
Evaluation::call(func::FuncOp callee, SmallVector<RuntimeValue> arguments) {
  return interpreter.call(callee, std::move(arguments), step.op);
}

LogicalResult Evaluation::checkShape(ArrayRef<int64_t> shape) const {
  return reference::checkShape(step.op, shape, getOptions().maxTensorElements);
}

LogicalResult reference::checkShape(Operation *op, ArrayRef<int64_t> shape,
                                    int64_t limit) {
  // Divide rather than multiply, so that no product overflows.
  int64_t rest = limit;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (size < 0)
      return op->emitError() << "expects the size of dimension " << dim
                             << " to be at least 0, got " << size;
    if (size > 1)
      rest /= size;
    if (rest == 0)
      return op->emitError()
             << "a tensor of shape " << formatShape(shape)
             << " has more elements than the limit of " << limit;
  }
  return success();
}

std::string reference::formatShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}

/// Moves `indices` to the next element of `shape` in row-major order. Returns
/// false after the last one.
static bool advance(MutableArrayRef<int64_t> indices, ArrayRef<int64_t> shape) {
  for (int64_t dim = indices.size() - 1; dim >= 0; --dim) {
    if (++indices[dim] < shape[dim])
      return true;
    indices[dim] = 0;
  }
  return false;
}

LogicalResult
reference::forEachIndex(ArrayRef<int64_t> shape,
                        function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return success();
  SmallVector<int64_t> indices(shape.size(), 0);
  do {
    if (failed(visit(indices)))
      return failure();
  } while (advance(indices, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// Checks that `value` fits the type of an argument and brings integers into
/// the canonical form of their type.
static LogicalResult prepareArgument(func::FuncOp function, unsigned number,
                                     RuntimeValue &value,
                                     int64_t maxTensorElements) {
  Type type = function.getArgumentTypes()[number];
  auto reject = [&]() {
    return function.emitError() << "expects argument " << number
                                << " to be of type " << type << ", got ";
  };
  if (!isSupportedType(type))
    return function.emitError()
           << "the reference interpreter has no values of type " << type;
  if (isSymbolicType(type))
    return function.emitError() << "expects argument " << number
                                << " to have elements, got " << type;
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType) {
    if (!value.isScalar() ||
        value.getScalar().getKind() != *getElementKind(type))
      return reject() << "a value of another kind";
    if (isa<IntegerType>(type))
      value = Scalar(canonicalizeInteger(value.getInteger(), type));
    return success();
  }
  if (!value.isTensor())
    return reject() << "a scalar";
  const Tensor &tensor = value.getTensor();
  if (failed(checkShape(function, tensor.getShape(), maxTensorElements)))
    return failure();
  if (tensor.getElementType() != tensorType.getElementType())
    return reject() << "elements of type " << tensor.getElementType();
  if (failed(verifyCompatibleShape(tensorType.getShape(), tensor.getShape())))
    return reject() << "shape " << formatShape(tensor.getShape());
  if (tensor.getKind() != ElementKind::Integer)
    return success();
  auto isCanonical = [&](int64_t integer) {
    return integer == canonicalizeInteger(integer, tensor.getElementType());
  };
  if (llvm::all_of(tensor.getIntegers(), isCanonical))
    return success();
  Type elementType = tensor.getElementType();
  for (int64_t &integer : value.getTensor().getMutableIntegers())
    integer = canonicalizeInteger(integer, elementType);
  return success();
}

FailureOr<SmallVector<RuntimeValue>>
reference::interpret(func::FuncOp function, ArrayRef<RuntimeValue> arguments,
                     const InterpreterOptions &options) {
  if (arguments.size() != function.getNumArguments())
    return function.emitError() << "expects " << function.getNumArguments()
                                << " arguments, got " << arguments.size();
  // A mask or bias refers to the program that made it, which ends here.
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (isSymbolicType(type))
      return function.emitError() << "expects result " << number
                                  << " to have elements, got " << type;
  SmallVector<RuntimeValue> values(arguments);
  for (auto [number, value] : llvm::enumerate(values)) {
    if (failed(prepareArgument(function, number, value,
                               options.maxTensorElements)))
      return failure();
  }
  Interpreter interpreter(options);
  return interpreter.call(function, std::move(values), function);
}
