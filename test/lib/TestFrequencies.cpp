//===- TestFrequencies.cpp - Prints frequencies and slopes ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// The attribute that the builder makes of the parameters of `rule`, or `rule`
/// if it takes lists, for which there is no builder.
FrequenciesAttr rebuild(FrequenciesAttr rule) {
  if (rule.getRule() == FrequencyRule::LongRope)
    return rule;
  SmallVector<double> values;
  for (StringRef name : FrequenciesAttr::getParameterNames(rule.getRule()))
    values.push_back(rule.getParameter(name));
  return FrequenciesAttr::get(rule.getContext(), rule.getRule(), rule.getDim(),
                              values);
}

/// Remarks the frequencies of rotary tables and the slopes of ALiBi.
struct TestFrequencies : PassWrapper<TestFrequencies, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestFrequencies)

  StringRef getArgument() const final { return "test-attn-frequencies"; }
  StringRef getDescription() const final {
    return "remark the frequencies of rotary tables and the slopes of ALiBi";
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto table = dyn_cast<RotaryTableOp>(op); table && table.getRule()) {
        if (FrequenciesAttr rebuilt = rebuild(*table.getRule());
            rebuilt != *table.getRule())
          op->emitError() << "expects the builder to give " << *table.getRule()
                          << ", got " << rebuilt;
        // Rules of run time for the length that an attribute gives.
        auto length = op->getAttrOfType<FloatAttr>("test_length");
        report(op, table.getRule()->evaluate(table.getSectionsAttr(),
                                             length ? length.getValueAsDouble()
                                                    : 0));
      }
      if (auto alibi = dyn_cast<BiasAlibiOp>(op); alibi && alibi.getHeads())
        report(op, BiasAlibiOp::computeSlopes(*alibi.getHeads()));
    });
  }

  static void report(Operation *op, ArrayRef<double> numbers) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (auto [index, number] : llvm::enumerate(numbers))
      stream << " [" << index << "]=" << llvm::format("%.9e", number);
    op->emitRemark() << StringRef(text).ltrim();
  }
};
} // namespace

void attn::test::registerTestFrequencies() {
  PassRegistration<TestFrequencies>();
}
