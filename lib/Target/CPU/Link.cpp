//===- Link.cpp - Shared libraries ------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A compiler driver knows where the C library lies, so drivers are tried
/// before the bare linker.
///
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Emit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::attn;

/// Runs a program; on failure the error holds what it printed, which goes
/// through the file `logPath`.
static llvm::Error runProgram(StringRef program, ArrayRef<StringRef> args,
                              StringRef logPath) {
  llvm::FileRemover removeLog(logPath);
  std::optional<StringRef> redirects[] = {StringRef(""), logPath, logPath};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, args, /*Env=*/std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &message);
  if (status == 0)
    return llvm::Error::success();
  if (auto log = llvm::MemoryBuffer::getFile(logPath); log && message.empty())
    message = (*log)->getBuffer().rtrim().str();
  return llvm::createStringError("'%s' failed: %s", program.str().c_str(),
                                 message.c_str());
}

llvm::Error attn::linkSharedLibrary(StringRef objectPath, StringRef outputPath,
                                    const LinkOptions &options) {
  std::string program;
  for (StringRef name :
       {"clang-22", "clang", "cc", "gcc", "ld.lld-22", "ld.lld"}) {
    if (auto path = llvm::sys::findProgramByName(name)) {
      program = *path;
      break;
    }
  }
  if (program.empty())
    return llvm::createStringError(
        "no linker found on PATH (tried clang-22, clang, cc, gcc, ld.lld-22, "
        "ld.lld)");
  bool isDriver = !llvm::sys::path::filename(program).starts_with("ld.lld");
  StringRef openMPDir = llvm::sys::path::parent_path(options.openMPLibrary);

  SmallVector<std::string> args = {program, "-shared", "-o", outputPath.str(),
                                   objectPath.str()};
  args.push_back(options.runtimeArchive);
  // Part of every library, whether or not its code has checks.
  args.push_back(isDriver ? "-Wl,-u,attn_rt_set_assert_handler"
                          : "--undefined=attn_rt_set_assert_handler");
  // Two libraries in one process may have entries of the same name.
  args.push_back(isDriver ? "-Wl,-Bsymbolic" : "-Bsymbolic");
  if (!options.openMPLibrary.empty()) {
    args.push_back(options.openMPLibrary);
    args.push_back((isDriver ? "-Wl,-rpath," : "-rpath=") + openMPDir.str());
  }
  if (isDriver) {
    // Report what is missing now rather than when the library is loaded.
    args.push_back("-Wl,-z,defs");
    args.push_back("-lm");
  }
  SmallVector<StringRef> argRefs(args.begin(), args.end());
  return runProgram(program, argRefs, objectPath.str() + ".log");
}

llvm::Expected<std::string> attn::findOpenMPLibrary() {
  for (StringRef path :
       {StringRef(ATTN_OPENMP_LIBRARY), StringRef("/usr/lib/libomp.so"),
        StringRef("/usr/local/lib/libomp.so")})
    if (!path.empty() && llvm::sys::fs::exists(path))
      return path.str();
  return llvm::createStringError(
      "the code is parallel, but no OpenMP runtime (libomp) was found");
}

std::string attn::findRuntimeArchive(StringRef programPath) {
  SmallString<128> path(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(programPath)));
  llvm::sys::path::append(path, "lib", "libattn_rt_cpu.a");
  return std::string(path);
}
