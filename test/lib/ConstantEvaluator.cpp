//===- ConstantEvaluator.cpp - Executes constant IR -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantEvaluator.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::attn::test;

Attribute ConstantEvaluator::evaluate(Value value) {
  if (Attribute known = values.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || failed(execute(op)))
    return {};
  return values.lookup(value);
}

/// Counts a loop without side effects; nothing is kept from one iteration to
/// the next but what the loop carries.
LogicalResult ConstantEvaluator::executeLoop(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  auto bound = [&](Value value) -> std::optional<int64_t> {
    auto constant = dyn_cast_or_null<IntegerAttr>(evaluate(value));
    return constant ? std::optional(constant.getInt()) : std::nullopt;
  };
  std::optional<int64_t> begin = bound(loop.getLowerBound()),
                         end = bound(loop.getUpperBound()),
                         step = bound(loop.getStep());
  if (!begin || !end || !step)
    return failure();
  SmallVector<Attribute> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(evaluate(init));
  for (int64_t i = *begin; i < *end; i += *step) {
    ConstantEvaluator body;
    body.values = values;
    body.values[loop.getInductionVar()] =
        IntegerAttr::get(loop.getInductionVar().getType(), i);
    for (auto [argument, value] :
         llvm::zip_equal(loop.getRegionIterArgs(), carried))
      body.values[argument] = value;
    for (auto [next, yielded] : llvm::zip_equal(
             carried, loop.getBody()->getTerminator()->getOperands()))
      if (!(next = body.evaluate(yielded)))
        return failure();
  }
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), carried))
    values[result] = value;
  return success();
}

LogicalResult ConstantEvaluator::execute(Operation *op) {
  if (isa<scf::ForOp>(op))
    return executeLoop(op);
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand));
    if (!operands.back())
      return failure();
  }
  // Vectors of different elements do not fold upstream.
  if (auto elements = dyn_cast<vector::FromElementsOp>(op)) {
    values[elements.getResult()] =
        DenseElementsAttr::get(elements.getType(), operands);
    return success();
  }
  // A fold in place, which reorders operands, returns no results.
  for (int attempt = 0; attempt < 4; ++attempt) {
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)))
      break;
    if (results.empty()) {
      operands = llvm::map_to_vector(
          op->getOperands(), [&](Value operand) { return evaluate(operand); });
      continue;
    }
    for (auto [result, folded] : llvm::zip_equal(op->getResults(), results)) {
      auto attribute = dyn_cast<Attribute>(folded);
      values[result] = attribute ? attribute : evaluate(cast<Value>(folded));
    }
    return success();
  }
  return op->emitOpError("does not fold");
}
