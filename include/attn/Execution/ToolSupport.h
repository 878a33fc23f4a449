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

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// Exit codes of the tools.
enum ExitCode {
  exitSuccess = 0,
  /// Wrong usage, input, or something that cannot be compiled or written.
  exitFailure = 1,
  /// Results out of tolerance.
  exitMismatch = 2,
  /// A run-time check of the program failed.
  exitAssertion = 3
};

/// Parses a command line, showing only the options of `category` in the help.
/// Returns false after reporting what is wrong with it.
bool parseCommandLine(int argc, char **argv, StringRef tool, StringRef overview,
                      llvm::cl::OptionCategory &category);

/// The options that attn-compile and attn-run share.
struct CompilerFlags {
  explicit CompilerFlags(llvm::cl::OptionCategory &category);

  /// Prints the names of processors if `--cpu=help` asks for them, and returns
  /// whether it does.
  bool listCPUs() const;
  llvm::Expected<unsigned> getThreads() const;

  llvm::cl::opt<std::string> cpu;
  /// As text, since LLVM reports bad numbers in a form of its own.
  llvm::cl::opt<std::string> threads;
  llvm::cl::opt<bool> noRaise;
  llvm::cl::opt<bool> printStages;
};

/// Prints an error in the style of the tools and returns `exitFailure`. Prints
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
