//===- CheckProgram.cpp - Reject what cannot be compiled --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What later passes would fail on with an error of their own making, or take
/// for something else.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CHECKPROGRAMPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Checks the type of an argument or a result, called `name`.
static LogicalResult checkType(func::FuncOp function, const Twine &name,
                               Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.getEncoding())
    return function.emitError("expects a tensor without an encoding for ")
           << name << " of '" << function.getName() << "', got " << type;
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger() && !element.isSignlessInteger())
    return function.emitError("expects integers without a sign for ")
           << name << " of '" << function.getName() << "', got " << type;
  return success();
}

static LogicalResult checkTypes(func::FuncOp function) {
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(checkType(function, "argument " + Twine(number), type)))
      return failure();
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(checkType(function, "result " + Twine(number), type)))
      return failure();
  return success();
}

/// Checks that a call is one of a function with a body.
static LogicalResult checkCall(CallOpInterface call,
                               SymbolTableCollection &symbols) {
  auto function =
      dyn_cast_or_null<func::FuncOp>(call.resolveCallableInTable(&symbols));
  if (!function)
    return call->emitError("expects a call of a func.func by its symbol");
  if (!function.isExternal())
    return success();
  return call->emitError("expects a function with a body, but '")
         << function.getName() << "' is only declared";
}

/// Checks that no function calls itself, directly or through others: the graph
/// would need a stack, and would mostly never end.
static LogicalResult checkRecursion(ModuleOp module) {
  CallGraph graph(module);
  for (auto cycle = llvm::scc_begin(&std::as_const(graph)); !cycle.isAtEnd();
       ++cycle) {
    const CallGraphNode *node = cycle->front();
    if (!cycle.hasCycle() || node->isExternal())
      continue;
    Operation *function = node->getCallableRegion()->getParentOp();
    return function->emitError("expects no recursion, but '")
           << SymbolTable::getSymbolName(function).getValue()
           << "' calls itself"
           << (cycle->size() > 1 ? " through other functions" : "");
  }
  return success();
}

/// Whether the bytes of a tensor can be counted in 63 bits, as far as its sizes
/// are static.
static bool hasCountableSize(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || llvm::is_contained(shaped.getShape(), 0))
    return true;
  // The widest element is a complex number of two doubles.
  int64_t bytes = 16;
  return llvm::all_of(shaped.getShape(), [&](int64_t size) {
    return ShapedType::isDynamic(size) ||
           !llvm::MulOverflow(bytes, size, bytes);
  });
}

/// Checks the sizes of all tensors of a function.
static LogicalResult checkSizes(func::FuncOp function) {
  auto check = [](ValueRange values) {
    for (Value value : values)
      if (!hasCountableSize(value.getType()))
        return LogicalResult(emitError(value.getLoc(),
                                       "expects tensors of less than 2^63 "
                                       "bytes, got ")
                             << value.getType());
    return success();
  };
  WalkResult result = function.walk([&](Operation *op) {
    if (failed(check(op->getResults())))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(check(block.getArguments())))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct CheckProgramPass : attn::impl::CheckProgramPassBase<CheckProgramPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() &&
          (failed(checkTypes(function)) || failed(checkSizes(function))))
        return signalPassFailure();
    SymbolTableCollection symbols;
    WalkResult result = module.walk([&](CallOpInterface call) {
      return failed(checkCall(call, symbols)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(checkRecursion(module)))
      signalPassFailure();
  }
};
} // namespace
