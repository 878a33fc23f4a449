//===- ReductionPasses.cpp - Passes that reduce programs --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each pass goes on until nothing gets smaller, and leaves the smallest
/// program that its own test wants.
///
//===----------------------------------------------------------------------===//

#include "ReductionPasses.h"
#include "Reduction.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr StringLiteral treeName = "reduction-tree";
static constexpr StringLiteral passesName = "opt-reduction-pass";

namespace {
struct ReductionPass : OperationPass<ModuleOp> {
  ReductionPass(TypeID id) : OperationPass(id) {}
  ReductionPass(const ReductionPass &other) : OperationPass(other) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager passes(ModuleOp::getOperationName());
    for (StringRef pass : cleanUpPasses)
      (void)parsePassPipeline(pass, passes, llvm::nulls());
    passes.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    test.arguments.assign(arguments.begin(), arguments.end());
    test.script = script;
    return fail(test.check(), context);
  }

  void runOnOperation() override {
    Reduction reduction(getOperation(), test);
    if (failed(fail(reduce(reduction), &getContext())))
      return signalPassFailure();
    if (!reduction.getTestFailure().empty())
      warn(reduction.getTestFailure());
  }

protected:
  virtual llvm::Error reduce(Reduction &reduction) = 0;

  /// Reports an error, if there is one.
  LogicalResult fail(llvm::Error error, MLIRContext *context) {
    if (!error)
      return success();
    return emitError(UnknownLoc::get(context))
           << "--" << getArgument() << ": " << llvm::toString(std::move(error));
  }
  void warn(const Twine &message) {
    emitWarning(UnknownLoc::get(&getContext()))
        << "--" << getArgument() << ": " << message;
  }

private:
  // None is described: help does not show the options of passes.
  Option<std::string> script{*this, "test"};
  ListOption<std::string> arguments{*this, "test-arg"};
  ReductionTest test;
};

struct ReductionTreePass : ReductionPass {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReductionTreePass)

  ReductionTreePass() : ReductionPass(TypeID::get<ReductionTreePass>()) {}
  ReductionTreePass(const ReductionTreePass &other) : ReductionPass(other) {}

  StringRef getName() const override { return treeName; }
  StringRef getArgument() const override { return treeName; }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<ReductionTreePass>(*this);
  }

  LogicalResult initialize(MLIRContext *context) override {
    if (mode != 0)
      return fail(llvm::createStringError(
                      "expects traversal-mode to be 0, got %u", unsigned(mode)),
                  context);
    return ReductionPass::initialize(context);
  }

  llvm::Error reduce(Reduction &reduction) override {
    if (llvm::Error error = reduction.start())
      return error;
    bool isSmaller = true;
    while (isSmaller) {
      isSmaller = reduction.cleanUp();
      isSmaller |= reduction.eraseResults();
      isSmaller |= reduction.eraseOps();
      isSmaller |= reduction.simplifyOps();
    }
    return llvm::Error::success();
  }

private:
  Option<unsigned> mode{*this, "traversal-mode", llvm::cl::init(0)};
};

struct OptReductionPass : ReductionPass {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OptReductionPass)

  OptReductionPass() : ReductionPass(TypeID::get<OptReductionPass>()) {}
  OptReductionPass(const OptReductionPass &other) : ReductionPass(other) {}

  StringRef getName() const override { return passesName; }
  StringRef getArgument() const override { return passesName; }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<OptReductionPass>(*this);
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    ReductionPass::getDependentDialects(registry);
    OpPassManager passes(ModuleOp::getOperationName());
    (void)parsePassPipeline(pipeline, passes, llvm::nulls());
    passes.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    std::string message;
    llvm::raw_string_ostream os(message);
    OpPassManager passes(ModuleOp::getOperationName());
    if (failed(parsePassPipeline(pipeline, passes, os)))
      return fail(llvm::createStringError("opt-pass: " +
                                          StringRef(message).trim().str()),
                  context);
    return ReductionPass::initialize(context);
  }

  llvm::Error reduce(Reduction &reduction) override {
    if (llvm::Error error = reduction.start())
      return error;
    bool isFirst = true, isSmaller = true;
    while (isSmaller) {
      llvm::Expected<bool> result = reduction.runPasses(pipeline);
      if (!result) {
        std::string reason = llvm::toString(result.takeError());
        std::string message =
            "'" + pipeline + "' failed" + (reason.empty() ? "" : ": ") + reason;
        if (isFirst)
          return llvm::createStringError(message);
        warn(message);
        return llvm::Error::success();
      }
      isSmaller = *result;
      isSmaller |= reduction.cleanUp();
      isFirst = false;
    }
    return llvm::Error::success();
  }

private:
  Option<std::string> pipeline{*this, "opt-pass"};
};
} // namespace

void attn::registerReductionPasses() {
  PassRegistration<ReductionTreePass>();
  PassRegistration<OptReductionPass>();
}

bool attn::hasReductionPass(OpPassManager &passes) {
  return llvm::any_of(passes.getPasses(), [](Pass &pass) {
    return pass.getArgument() == treeName || pass.getArgument() == passesName;
  });
}
