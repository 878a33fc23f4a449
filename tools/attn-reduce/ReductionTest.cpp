//===- ReductionTest.cpp - The test of a reduction --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the script. MLIR's `Tester` ends the process where that fails.
///
//===----------------------------------------------------------------------===//

#include "ReductionTest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;

llvm::Error ReductionTest::check() const {
  if (script.empty())
    return createStringError("expects a test");
  if (llvm::sys::fs::can_execute(script))
    return llvm::Error::success();
  return createStringError("test '%s' %s", script.c_str(),
                           llvm::sys::fs::exists(script) ? "is not executable"
                                                         : "does not exist");
}

llvm::Expected<bool> ReductionTest::wants(StringRef file) const {
  SmallVector<StringRef> command = {script};
  llvm::append_range(command, arguments);
  command.push_back(file);
  std::string message;
  // The standard output may be where the program goes.
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(),
                                          std::nullopt};
  int code = llvm::sys::ExecuteAndWait(script, command, /*Env=*/std::nullopt,
                                       redirects, /*SecondsToWait=*/0,
                                       /*MemoryLimit=*/0, &message);
  if (code < 0)
    return createStringError("test '%s' cannot be run: %s", script.c_str(),
                             message.c_str());
  return code != 0;
}
