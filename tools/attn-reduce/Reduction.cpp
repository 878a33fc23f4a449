//===- Reduction.cpp - Reduction of programs --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MLIR's reducer starts with a copy of a region in which each op is folded,
/// and erased if nothing uses it. If the test does not want that copy, the
/// reducer crashes: it erases it, and goes on from it. So it gets only programs
/// that stay wanted there. It also drops no arguments and leaves operands of
/// what it dropped behind, which is tried here, until nothing gets smaller.
///
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// The test of a pipeline
//===----------------------------------------------------------------------===//

/// The options in the textual form of a pass, `name{a=1 b={x y}}`.
static SmallVector<StringRef> splitOptions(StringRef pass) {
  SmallVector<StringRef> options;
  StringRef text = pass.split('{').second;
  text.consume_back("}");
  while (!text.empty()) {
    size_t end = 0;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ' ');
         ++end)
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    if (end > 0)
      options.push_back(text.take_front(end));
    text = text.drop_front(std::min(end + 1, text.size()));
  }
  return options;
}

/// The value of an option, which stands in braces if it is a list or holds
/// spaces.
static std::string getText(StringRef value) {
  if (value.starts_with("{") && value.ends_with("}"))
    value = value.drop_front().drop_back();
  return value.str();
}

static ReductionTest parseTest(Pass &pass) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pass.printAsTextualPipeline(os);
  ReductionTest test;
  for (StringRef option : splitOptions(text)) {
    auto [name, value] = option.split('=');
    if (name == "test")
      test.script = getText(value);
    if (name != "test-arg")
      continue;
    std::string list = getText(value);
    for (StringRef argument : llvm::split(list, ','))
      test.arguments.push_back(getText(argument));
  }
  return test;
}

llvm::Expected<ReductionTest> attn::getReductionTest(PassManager &passes) {
  std::optional<ReductionTest> test;
  for (Pass &pass : passes.getPasses()) {
    StringRef name = pass.getArgument();
    if (name != "reduction-tree" && name != "opt-reduction-pass")
      continue;
    ReductionTest found = parseTest(pass);
    if (found.script.empty())
      return createStringError("--%s: expects a test", name.str().c_str());
    if (!llvm::sys::fs::can_execute(found.script))
      return createStringError(
          "--%s: test '%s' %s", name.str().c_str(), found.script.c_str(),
          llvm::sys::fs::exists(found.script) ? "is not executable"
                                              : "does not exist");
    if (!test)
      test = found;
  }
  if (!test)
    return createStringError("expects --reduction-tree or "
                             "--opt-reduction-pass, each with a test");
  return *test;
}

//===----------------------------------------------------------------------===//
// Reducing
//===----------------------------------------------------------------------===//

/// Folds each op, and erases it if nothing uses it.
static LogicalResult foldOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module->walk([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
  FrozenRewritePatternSet none;
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  // Inner ops come first, and each can only go itself.
  for (Operation *op : ops)
    (void)applyOpPatternsGreedily(op, none, config);
  return success();
}

static LogicalResult eraseUnusedArguments(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() ||
        !SymbolTable::symbolKnownUseEmpty(function, module.getOperation()))
      continue;
    llvm::BitVector unused(function.getNumArguments());
    for (BlockArgument argument : function.getArguments())
      unused[argument.getArgNumber()] = argument.use_empty();
    if (failed(function.eraseArguments(unused)))
      return failure();
  }
  return success();
}

namespace {
/// A program that the test wants, while it gets smaller.
class Reduction {
public:
  Reduction(OwningOpRef<ModuleOp> &module, const ReductionTest &test)
      : module(module), tester(test.script, test.arguments) {}

  llvm::Error run(PassManager &passes);

private:
  using Change = llvm::function_ref<LogicalResult(ModuleOp)>;

  /// The size of a program that the test wants.
  std::optional<size_t> getSize(ModuleOp candidate) const;
  /// Whether the test wants what a change makes of the program.
  bool survives(Change change) const;
  /// Keeps what a change makes of the program, if the test wants it and it is
  /// smaller.
  void shrink(Change change);
  void cleanUp();

  OwningOpRef<ModuleOp> &module;
  Tester tester;
  size_t size = 0;
};
} // namespace

std::optional<size_t> Reduction::getSize(ModuleOp candidate) const {
  if (failed(verify(candidate)))
    return std::nullopt;
  auto [interest, candidateSize] = tester.isInteresting(candidate);
  if (interest != Tester::Interestingness::True)
    return std::nullopt;
  return candidateSize;
}

bool Reduction::survives(Change change) const {
  OwningOpRef<ModuleOp> copy(module->clone());
  return succeeded(change(*copy)) && getSize(*copy);
}

void Reduction::shrink(Change change) {
  OwningOpRef<ModuleOp> copy(module->clone());
  if (failed(change(*copy)))
    return;
  std::optional<size_t> smaller = getSize(*copy);
  if (!smaller || *smaller >= size)
    return;
  module = std::move(copy);
  size = *smaller;
}

void Reduction::cleanUp() {
  static constexpr StringRef names[] = {"canonicalize", "cse",
                                        "remove-dead-values", "symbol-dce"};
  for (StringRef name : names)
    shrink([&](ModuleOp candidate) {
      PassManager passes(candidate.getContext());
      return success(succeeded(parsePassPipeline(name, passes)) &&
                     succeeded(passes.run(candidate)));
    });
  shrink(eraseUnusedArguments);
}

llvm::Error Reduction::run(PassManager &passes) {
  // What is wrong with a candidate is no message to the user.
  std::string lastError;
  ScopedDiagnosticHandler silence(
      module->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          lastError = diagnostic.str();
        return success();
      });
  std::optional<size_t> first = getSize(*module);
  if (!first)
    return createStringError("nothing was reduced; expects a program for which "
                             "the test exits with 1");
  size = *first;
  if (!survives(foldOps))
    return createStringError(
        "nothing was reduced; expects a program for which the test exits with "
        "1 after ops are folded, and erased if nothing uses them");
  while (true) {
    size_t before = size;
    LogicalResult result = success();
    shrink([&](ModuleOp candidate) { return result = passes.run(candidate); });
    if (failed(result))
      return createStringError("the passes failed: %s",
                               StringRef(lastError).trim().str().c_str());
    cleanUp();
    if (size >= before || !survives(foldOps))
      return llvm::Error::success();
  }
}

llvm::Error attn::reduce(OwningOpRef<ModuleOp> &module, PassManager &passes,
                         const ReductionTest &test) {
  return Reduction(module, test).run(passes);
}
