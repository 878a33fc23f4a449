//===- Errors.cpp - How the tools end ---------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Execution/Errors.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

char DiagnosedError::ID = 0;

void DiagnosedError::log(raw_ostream &os) const { os << message; }

std::error_code DiagnosedError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error attn::runOnUncheckedInput(StringRef input,
                                      llvm::function_ref<void()> action) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool survived = recovery.RunSafely(action);
  llvm::CrashRecoveryContext::Disable();
  if (survived)
    return llvm::Error::success();
  return llvm::createStringError("'%s' makes the compiler crash",
                                 input.str().c_str());
}
