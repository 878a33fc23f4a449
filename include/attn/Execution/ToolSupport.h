//===- ToolSupport.h - Command lines and messages of tools ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One way to report for all tools: `<tool>: error: <message>` on the standard
/// error, one message for one mistake.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_TOOLSUPPORT_H
#define ATTN_EXECUTION_TOOLSUPPORT_H

#include "attn/Execution/Compiler.h"
#include "attn/Execution/Errors.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// Turns signals of failed writes into errors of the writes. Comes after
/// `llvm::InitLLVM`, whose handlers report a crash.
void ignoreWriteSignals();

/// Makes `--version` tell the versions of the project and of LLVM.
void setVersionPrinter(StringRef tool);

/// Writes what stands in the buffer of the standard output; returns `exitCode`,
/// or reports that it cannot be written.
int finishOutput(StringRef tool, int exitCode);

/// Parses a command line, showing only the options of `categories` in the help.
/// An option other than a list may be given once. Returns false after reporting
/// what is wrong.
bool parseCommandLine(int argc, char **argv, StringRef tool, StringRef overview,
                      ArrayRef<const llvm::cl::OptionCategory *> categories);

/// Parses the number that an option was given. Numbers come as text, since
/// LLVM reports bad ones in a form of its own.
llvm::Expected<uint64_t> parseNumber(StringRef option, StringRef text,
                                     uint64_t low, uint64_t high);

/// Fails if one of `options` was given, naming what makes it useless.
llvm::Error
rejectOptions(std::initializer_list<const llvm::cl::Option *> options,
              const Twine &reason);

/// The options that attn-compile and attn-run share.
struct CompilerFlags {
  explicit CompilerFlags(llvm::cl::OptionCategory &category);

  /// Prints the names of processors if `--cpu=help` asks for them, and returns
  /// whether it does.
  bool listCPUs() const;
  llvm::Expected<unsigned> getThreads() const;
  /// Fails on the name of a processor or a number of threads that is none.
  llvm::Expected<CompilerOptions> makeOptions() const;

  llvm::cl::opt<std::string> cpu;
  llvm::cl::opt<std::string> threads;
  llvm::cl::opt<bool> noRaise;
  llvm::cl::opt<bool> exactMasks;
  llvm::cl::opt<bool> noVectorize;
  llvm::cl::opt<bool> printStages;
};

/// Prints an error in the style of the tools and returns the exit code. Prints
/// nothing where a diagnostic has said it all.
int reportError(StringRef tool, llvm::Error error);

/// Prints the line of `--print-stages` to the standard error.
void printStage(StringRef stage, double seconds);

/// Prints the diagnostics of a context in the style of the tools. Remarks are
/// dropped.
class ToolDiagnosticHandler : public ScopedDiagnosticHandler {
public:
  ToolDiagnosticHandler(StringRef tool, MLIRContext *context);

private:
  void print(Diagnostic &diagnostic);

  std::string tool;
};

} // namespace mlir::attn

#endif // ATTN_EXECUTION_TOOLSUPPORT_H
