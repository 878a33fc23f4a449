//===- Compiler.cpp - The stages of the compiler ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stages are pass pipelines of lib/Pipelines; each runs in a pass manager of
/// its own, so that it can be timed and its result shown.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Compiler.h"

#include "attn/Execution/Bytecode.h"
#include "attn/Execution/Errors.h"
#include "attn/InitAll.h"
#include "attn/Pipelines/Pipelines.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;

void attn::registerCompilerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllAttnDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
}

namespace {
/// Notices errors on their way to the next handler.
class ErrorWatch : public ScopedDiagnosticHandler {
public:
  explicit ErrorWatch(MLIRContext *context) : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      sawError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return failure();
    });
  }

  /// The error for something that failed: silent if a diagnostic has said why.
  llvm::Error makeError(const Twine &message) const {
    if (sawError)
      return llvm::make_error<DiagnosedError>(message.str());
    return llvm::createStringError(message);
  }

private:
  bool sawError = false;
};
} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> attn::parseGraph(StringRef path,
                                                       MLIRContext *context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return llvm::createStringError(message);
  if (llvm::Error error =
          checkBytecode(path, *buffer, context->getDialectRegistry()))
    return std::move(error);
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  // The reader of damaged bytecode may fail without a word.
  ErrorWatch watch(context);
  OwningOpRef<ModuleOp> module;
  if (llvm::Error error = runOnUncheckedInput(path, [&] {
        module = parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
      }))
    return watch.makeError(toString(std::move(error)));
  if (!module)
    return watch.makeError("cannot parse '" + path + "'");
  return module;
}

/// Whether generated code may call a function of this name, meaning another.
static bool isReservedName(StringRef name) {
  const llvm::TargetLibraryInfoImpl library{
      llvm::Triple(llvm::sys::getProcessTriple())};
  llvm::LibFunc function;
  return library.getLibFunc(name, function) || name.starts_with("attn_rt_") ||
         name.starts_with("omp_") || name.starts_with("_");
}

/// Whether generated code calls a function of this name however it is compiled.
/// The entry keeps its name, so it cannot be one of them.
static bool isMemoryFunction(StringRef name) {
  return llvm::is_contained({"malloc", "free", "memcpy", "memmove", "memset"},
                            name) ||
         name.starts_with("attn_rt_");
}

/// Renames the functions behind the entry that would stand in for those of the
/// C library and the runtime.
static void avoidReservedNames(ModuleOp module, func::FuncOp entry) {
  SymbolTable symbols(module);
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != entry && isReservedName(function.getName()))
      (void)symbols.renameToUnique(function, {});
}

llvm::Expected<Signature> attn::prepareEntry(ModuleOp module, StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal()) {
    std::string known;
    llvm::raw_string_ostream os(known);
    auto functions = llvm::make_filter_range(
        module.getOps<func::FuncOp>(),
        [](func::FuncOp op) { return op.isPublic() && !op.isExternal(); });
    llvm::interleaveComma(functions, os,
                          [&](func::FuncOp op) { os << op.getName(); });
    return llvm::createStringError("no function '%s' with a body; the graph "
                                   "has: %s",
                                   entry.str().c_str(),
                                   known.empty() ? "none" : known.c_str());
  }
  if (isMemoryFunction(entry))
    return llvm::createStringError(
        "entry '%s' has the name of a function that generated code calls",
        entry.str().c_str());
  llvm::Expected<Signature> signature =
      Signature::get(function.getFunctionType());
  if (!signature)
    return signature;
  for (auto other : module.getOps<func::FuncOp>())
    other.setPrivate();
  function.setPublic();
  ErrorWatch watch(module.getContext());
  PassManager passManager(module.getContext());
  passManager.addPass(createSymbolDCEPass());
  if (failed(passManager.run(module)))
    return watch.makeError("cannot drop unused functions");
  for (auto other : module.getOps<func::FuncOp>())
    if (other.isExternal())
      return llvm::createStringError("function '%s' is called, but has no body",
                                     other.getName().str().c_str());
  avoidReservedNames(module, function);
  return signature;
}

/// Runs one stage and returns its time in seconds.
static llvm::Expected<double> runStage(const CPUStage &stage, ModuleOp module,
                                       const CPUPipelineOptions &options) {
  auto start = std::chrono::steady_clock::now();
  ErrorWatch watch(module.getContext());
  PassManager passManager(module.getContext());
  stage.build(passManager, options);
  if (failed(passManager.run(module)))
    return watch.makeError("stage '" + stage.name + "' failed");
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

llvm::Error attn::runStages(ModuleOp module, const CompilerOptions &options,
                            StageObserver observer, StringRef lastStage) {
  CPUPipelineOptions pipelineOptions;
  pipelineOptions.raise = options.raise;
  pipelineOptions.exactMasks = options.exactMasks;
  pipelineOptions.threads = options.threads;
  pipelineOptions.vectorize = options.vectorize;
  pipelineOptions.vectorBits = options.target.getVectorBits();
  for (const CPUStage &stage : getCPUStages()) {
    if (!isSkipped(stage, pipelineOptions)) {
      llvm::Expected<double> seconds = runStage(stage, module, pipelineOptions);
      if (!seconds)
        return seconds.takeError();
      if (llvm::Error error = observer(stage, *seconds))
        return error;
    }
    if (stage.name == lastStage)
      break;
  }
  return llvm::Error::success();
}
