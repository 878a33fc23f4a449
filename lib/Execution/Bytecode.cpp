//===- Bytecode.cpp - Bytecode that nobody has checked ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Execution/Bytecode.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::attn;

/// How the process that only reads ends.
enum ReaderExit { readerDone = 0, readerSilent = 1 };

/// Reads `buffer` and ends the process, quietly whatever happens: the parent
/// reads it again, and reports.
[[noreturn]] static void readAndExit(llvm::MemoryBufferRef buffer,
                                     const DialectRegistry &registry) {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP})
    std::signal(signal, SIG_DFL);
  int sink = open("/dev/null", O_WRONLY);
  dup2(sink, STDOUT_FILENO);
  dup2(sink, STDERR_FILENO);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool sawError = false;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    sawError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  Block block;
  LogicalResult result =
      readBytecodeFile(buffer, &block, ParserConfig(&context));
  _exit(failed(result) && !sawError ? readerSilent : readerDone);
}

llvm::Error attn::checkBytecode(StringRef input, llvm::MemoryBufferRef buffer,
                                const DialectRegistry &registry) {
  if (!isBytecode(buffer))
    return llvm::Error::success();
  pid_t reader = fork();
  if (reader == 0)
    readAndExit(buffer, registry);
  int status = 0;
  // Without a process to try it in, the attempt is made in this one.
  if (reader < 0 ||
      llvm::sys::RetryAfterSignal(-1, waitpid, reader, &status, 0) != reader)
    return llvm::Error::success();
  if (!WIFEXITED(status))
    return llvm::createStringError("'%s' makes the compiler crash",
                                   input.str().c_str());
  if (WEXITSTATUS(status) == readerSilent)
    return llvm::createStringError("cannot parse '%s'", input.str().c_str());
  return llvm::Error::success();
}
