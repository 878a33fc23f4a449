//===- PrintElementExpressions.cpp - Prints element maps --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass behind the tests of ElementExpression.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/ElementExpression.h"
#include "attn/Analysis/ExpressionEvaluator.h"
#include "attn/Analysis/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::attn {
#define GEN_PASS_DEF_PRINTELEMENTEXPRESSIONSPASS
#include "attn/Analysis/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct PrintElementExpressionsPass
    : attn::impl::PrintElementExpressionsPassBase<PrintElementExpressionsPass> {
  using PrintElementExpressionsPassBase::PrintElementExpressionsPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        printFunction(function);
    });
  }

private:
  void printFunction(FunctionOpInterface function) {
    SmallVector<Operation *> chosen = getChosen(function);
    ExpressionContext context(&getContext());
    ElementExpressionOptions options;
    options.stopAt = [](Value value) {
      Operation *op = value.getDefiningOp();
      return op && op->hasAttr("attn.stop");
    };
    ElementExpression elements(context, std::move(options));
    AsmState state(function);
    llvm::outs() << "// @" << function.getName() << '\n';
    for (Operation *op : chosen) {
      if (operandsOf.empty())
        printValues(elements, op->getResults(), state);
      else
        printValues(elements, op->getOperands(), state);
    }
  }

  SmallVector<Operation *> getChosen(FunctionOpInterface function) {
    SmallVector<Operation *> all, marked;
    for (Block &block : function.getFunctionBody())
      for (Operation &op : block) {
        if (!operandsOf.empty() &&
            !llvm::is_contained(operandsOf, op.getName().getStringRef()))
          continue;
        all.push_back(&op);
        if (op.hasAttr("attn.print"))
          marked.push_back(&op);
      }
    return marked.empty() ? all : marked;
  }

  void printValues(ElementExpression &elements, ValueRange values,
                   AsmState &state) {
    for (Value value : values) {
      Type type = value.getType();
      if (!isa<RankedTensorType>(type) && !type.isIntOrIndexOrFloat())
        continue;
      value.printAsOperand(llvm::outs(), state);
      llvm::outs() << ":\n";
      elements.print(llvm::outs(), value, &state);
      if (!evaluateAt.empty())
        printElement(elements, value, evaluateAt);
    }
  }

  /// Prints the element at the indices that were asked for, if it is known.
  static void printElement(ElementExpression &elements, Value value,
                           ArrayRef<int64_t> indices) {
    const ElementMap &map = elements.getMap(value);
    if (map.getRank() != indices.size())
      return;
    llvm::outs() << "  at (";
    llvm::interleaveComma(indices, llvm::outs());
    llvm::outs() << "): ";
    auto element = attn::evaluateAt(elements.getContext(), map, indices);
    if (!element)
      llvm::outs() << "unknown\n";
    else if (element->isFloat)
      llvm::outs() << llvm::format("%.9g\n", element->number);
    else
      llvm::outs() << element->integer << '\n';
  }
};
} // namespace
