//===- ControlFlow.cpp - Ops of scf, cf and func ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Structured control flow, assertions and calls. The iterations of scf.forall
/// run one after the other.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "IntegerMath.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static void setResults(Evaluation &eval, SmallVector<RuntimeValue> values) {
  for (auto [number, value] : llvm::enumerate(values))
    eval.setResult(number, std::move(value));
}

static LogicalResult evaluateAssert(Evaluation &eval) {
  if (eval.getInteger(0))
    return success();
  return eval.emitError() << "assertion failed: "
                          << eval.getOp<cf::AssertOp>().getMsg();
}

static LogicalResult evaluateCall(Evaluation &eval) {
  auto op = eval.getOp<func::CallOp>();
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  SmallVector<RuntimeValue> arguments;
  for (unsigned i = 0, e = eval.getNumOperands(); i < e; ++i)
    arguments.push_back(eval.takeOperand(i));
  FailureOr<SmallVector<RuntimeValue>> results =
      eval.call(callee, std::move(arguments));
  if (failed(results))
    return failure();
  setResults(eval, std::move(*results));
  return success();
}

static LogicalResult evaluateFor(Evaluation &eval) {
  auto op = eval.getOp<scf::ForOp>();
  Type type = op.getInductionVar().getType();
  bool isUnsigned = op.getUnsignedCmp();
  // 128 bits hold signed and unsigned bounds alike, and a step past the end.
  auto read = [&](unsigned operand) -> Int128 {
    int64_t value = eval.getInteger(operand);
    return isUnsigned ? Int128(asUnsigned(value, type))
                      : Int128(asSigned(value, type));
  };
  Int128 upperBound = read(1);
  Int128 step = read(2);
  if (step <= 0)
    return eval.emitError()
           << "expects a positive step, got " << static_cast<int64_t>(step);
  SmallVector<RuntimeValue> values;
  for (unsigned i = 3, e = eval.getNumOperands(); i < e; ++i)
    values.push_back(eval.takeOperand(i));
  BlockRun body = eval.getBlock(*op.getBody());
  for (Int128 index = read(0); index < upperBound; index += step) {
    body.setArgument(
        0, Scalar(canonicalizeInteger(static_cast<int64_t>(index), type)));
    for (auto [number, value] : llvm::enumerate(values))
      body.setArgument(number + 1, std::move(value));
    if (failed(body.run()))
      return failure();
    values = body.takeYields();
  }
  setResults(eval, std::move(values));
  return success();
}

static LogicalResult runRegion(Evaluation &eval, Region &region) {
  if (!llvm::hasSingleElement(region))
    return eval.emitError() << "the reference interpreter expects one block in "
                               "the region, got "
                            << region.getBlocks().size();
  BlockRun body = eval.getBlock(region.front());
  if (failed(body.run()))
    return failure();
  setResults(eval, body.takeYields());
  return success();
}

static LogicalResult evaluateIf(Evaluation &eval) {
  auto op = eval.getOp<scf::IfOp>();
  if (eval.getInteger(0))
    return runRegion(eval, op.getThenRegion());
  if (op.getElseRegion().empty())
    return success();
  return runRegion(eval, op.getElseRegion());
}

static LogicalResult evaluateExecuteRegion(Evaluation &eval) {
  return runRegion(eval, eval.getOp<scf::ExecuteRegionOp>().getRegion());
}

static LogicalResult evaluateIndexSwitch(Evaluation &eval) {
  auto op = eval.getOp<scf::IndexSwitchOp>();
  int64_t index = eval.getInteger(0);
  for (auto [value, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    if (value == index)
      return runRegion(eval, region);
  return runRegion(eval, op.getDefaultRegion());
}

static LogicalResult evaluateWhile(Evaluation &eval) {
  auto op = eval.getOp<scf::WhileOp>();
  SmallVector<RuntimeValue> values;
  for (unsigned i = 0, e = eval.getNumOperands(); i < e; ++i)
    values.push_back(eval.takeOperand(i));
  BlockRun before = eval.getBlock(*op.getBeforeBody());
  BlockRun after = eval.getBlock(*op.getAfterBody());
  while (true) {
    for (auto [number, value] : llvm::enumerate(values))
      before.setArgument(number, std::move(value));
    if (failed(before.run()))
      return failure();
    bool proceed = before.getYield(0).getInteger();
    values = before.takeYields(/*first=*/1);
    if (!proceed)
      break;
    for (auto [number, value] : llvm::enumerate(values))
      after.setArgument(number, std::move(value));
    if (failed(after.run()))
      return failure();
    values = after.takeYields();
  }
  setResults(eval, std::move(values));
  return success();
}

static LogicalResult evaluateForall(Evaluation &eval) {
  auto op = eval.getOp<scf::ForallOp>();
  unsigned operand = 0;
  SmallVector<int64_t> lower =
      eval.getMixedIntegers(op.getStaticLowerBound(), operand);
  SmallVector<int64_t> upper =
      eval.getMixedIntegers(op.getStaticUpperBound(), operand);
  SmallVector<int64_t> steps =
      eval.getMixedIntegers(op.getStaticStep(), operand);
  unsigned rank = op.getRank();
  SmallVector<int64_t> counts;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (steps[dim] <= 0)
      return eval.emitError() << "expects a positive step, got " << steps[dim];
    Int128 extent = Int128(upper[dim]) - lower[dim];
    counts.push_back(extent <= 0 ? 0
                                 : static_cast<int64_t>(
                                       (extent + steps[dim] - 1) / steps[dim]));
  }

  // The outputs live in the slots of the block arguments, where the slices are
  // inserted.
  BlockRun body = eval.getBlock(*op.getBody());
  scf::InParallelOp terminator = op.getTerminator();
  BlockRun insertions = eval.getBlock(*terminator.getBody());
  unsigned numOutputs = op.getOutputs().size();
  for (unsigned i = 0; i < numOutputs; ++i)
    body.setArgument(rank + i, eval.takeOperand(operand + i));
  auto iterate = [&](ArrayRef<int64_t> iteration) -> LogicalResult {
    for (unsigned dim = 0; dim < rank; ++dim)
      body.setArgument(dim, Scalar(lower[dim] + iteration[dim] * steps[dim]));
    if (failed(body.run()))
      return failure();
    return insertions.run();
  };
  if (failed(forEachIndex(counts, iterate)))
    return failure();
  for (unsigned i = 0; i < numOutputs; ++i)
    eval.setResult(i, body.takeArgument(rank + i));
  return success();
}

void reference::registerControlFlowHandlers(HandlerRegistry &registry) {
  registry.addHandler<cf::AssertOp>(evaluateAssert);
  registry.addHandler<func::CallOp>(evaluateCall);
  registry.addHandler<scf::ForOp>(evaluateFor);
  registry.addHandler<scf::IfOp>(evaluateIf);
  registry.addHandler<scf::ExecuteRegionOp>(evaluateExecuteRegion);
  registry.addHandler<scf::IndexSwitchOp>(evaluateIndexSwitch);
  registry.addHandler<scf::WhileOp>(evaluateWhile);
  registry.addHandler<scf::ForallOp>(evaluateForall);
}
