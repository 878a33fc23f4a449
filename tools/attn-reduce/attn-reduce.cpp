//===- attn-reduce.cpp - Reduce programs with attn ops ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A reducer with the command line of mlir-reduce, the dialects of attn-opt,
/// and reductions of attn ops: finds a small program that still shows what a
/// script looks for.
///
//===----------------------------------------------------------------------===//

#include "ReductionPasses.h"
#include "attn/Execution/Bytecode.h"
#include "attn/Execution/Errors.h"
#include "attn/Execution/OutputFile.h"
#include "attn/Execution/ToolSupport.h"
#include "attn/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

static constexpr StringLiteral tool = "attn-reduce";

static constexpr StringLiteral overview =
    R"(finds a small program that still shows what a script looks for

  The passes are those of mlir-reduce, with reductions of attn ops: masks,
  biases, rotations and layers are dropped while the script still wants the
  program, and so are functions, results, and ops that an operand can stand in
  for. Between them, dead code and unused arguments go. Every other pass can be
  run by opt-reduction-pass. Passes run in the order given, each reducer with its
  own test, until nothing gets smaller.

  The script gets the name of a file as its last argument, and exits with 0 if
  the program in it is not worth keeping, with any other number if it is.

Examples:
  attn-reduce model.mlir --reduction-tree='traversal-mode=0 test=./test.sh' -o small.mlir
  attn-reduce model.mlir --reduction-tree='traversal-mode=0 test=./test.sh test-arg=x' -o -
  attn-reduce model.mlir --opt-reduction-pass='opt-pass=attn-simplify test=./test.sh' -o -

Exit codes:
  0  success
  1  wrong usage or input, or nothing was reduced; no output is written
)";

namespace {
struct ReduceOptions {
  cl::OptionCategory files{"Files"};

  cl::opt<std::string> input{cl::Positional, cl::init("-"),
                             cl::desc("<program>"), cl::cat(files)};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("file"),
                              cl::desc("Output; - is the standard output (-)"),
                              cl::cat(files)};
  PassPipelineCLParser passes{"", "Passes"};
};
} // namespace

static llvm::Error diagnosed() {
  return llvm::make_error<DiagnosedError>("a diagnostic says why");
}

static llvm::Error run(const ReduceOptions &options,
                       DialectRegistry &registry) {
  if (llvm::Error error = checkOverwrite(options.output, options.input))
    return error;
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.input, &message);
  if (!file)
    return llvm::createStringError(message);
  if (llvm::Error error = checkBytecode(options.input, *file, registry))
    return error;
  // Each change is made in a process of its own, which would have one thread.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ToolDiagnosticHandler diagnostics(tool, &context);
  PassManager passes(&context, ModuleOp::getOperationName());
  auto report = [&](const Twine &text) {
    return emitError(UnknownLoc::get(&context)) << text;
  };
  if (failed(options.passes.addToPipeline(passes, report)))
    return diagnosed();
  if (!hasReductionPass(passes))
    return llvm::createStringError(
        "expects --reduction-tree or --opt-reduction-pass, on the whole "
        "program");
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return diagnosed();
  // Opened first, since a reduction takes its time.
  return writeOutputFile(options.output, [&](raw_ostream &os) -> llvm::Error {
    if (failed(passes.run(*module)))
      return diagnosed();
    module->print(os);
    return llvm::Error::success();
  });
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  ignoreWriteSignals();
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    llvm::errs() << tool << ": error: " << reason << "\n";
    // Removes temporary files.
    llvm::sys::RunInterruptHandlers();
    std::_Exit(exitFailure);
  });
  cl::ResetCommandLineParser();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // For opt-reduction-pass, which runs passes by name.
  registerAllPasses();
  registerAllAttnDialects(registry);
  registerAllAttnPasses();
  registerReductionPasses();
  ReduceOptions options;
  if (!parseCommandLine(argc, argv, tool, overview, {&options.files}))
    return exitFailure;
  llvm::Error error = llvm::Error::success();
  llvm::consumeError(std::move(error));
  if (llvm::Error crash = runOnUncheckedInput(
          options.input, [&] { error = run(options, registry); })) {
    error = llvm::joinErrors(std::move(error), std::move(crash));
    // Removes temporary files, which a crash leaves behind.
    llvm::sys::RunInterruptHandlers();
  }
  if (error)
    return reportError(tool, std::move(error));
  return finishOutput(tool, exitSuccess);
}
