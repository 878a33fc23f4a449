//===- Errors.h - How the tools end -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exit codes, and errors that bring more than a message.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_ERRORS_H
#define ATTN_EXECUTION_ERRORS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

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

/// Stands for errors that a diagnostic has already explained.
class DiagnosedError : public llvm::ErrorInfo<DiagnosedError> {
public:
  static char ID;
  explicit DiagnosedError(std::string message, ExitCode exitCode = exitFailure)
      : message(std::move(message)), exitCode(exitCode) {}
  void log(raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
  ExitCode getExitCode() const { return exitCode; }

private:
  std::string message;
  ExitCode exitCode;
};

/// Runs `action` on input that nobody has checked, for parsers that crash on
/// some of it: a signal becomes an error that names `input`. What the action
/// has allocated is lost.
llvm::Error runOnUncheckedInput(StringRef input,
                                llvm::function_ref<void()> action);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_ERRORS_H
