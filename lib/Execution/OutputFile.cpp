//===- OutputFile.cpp - Files that are complete or absent -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM's stream aborts the process if it dies with an error in it, so errors
/// such as a full disk are taken out of it first.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::isSpecialFile(StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         status.type() != llvm::sys::fs::file_type::regular_file;
}

using WriteFunction = llvm::function_ref<llvm::Error(raw_ostream &)>;

/// Runs `write` and turns errors of the stream into one of ours.
static llvm::Error writeTo(llvm::raw_fd_ostream &os, WriteFunction write) {
  llvm::Error error = write(os);
  os.flush();
  if (!os.has_error())
    return error;
  llvm::consumeError(std::move(error));
  std::error_code code = os.error();
  os.clear_error();
  return llvm::createStringError(code, code.message());
}

static llvm::Error writeInPlace(StringRef path, WriteFunction write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return llvm::createStringError(code, code.message());
  return writeTo(os, write);
}

static llvm::Error writeAndRename(StringRef path, WriteFunction write) {
  llvm::Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%");
  if (!file)
    return file.takeError();
  llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  if (llvm::Error error = writeTo(os, write))
    return llvm::joinErrors(std::move(error), file->discard());
  return file->keep(path);
}

llvm::Error attn::writeOutputFile(StringRef path, WriteFunction write) {
  llvm::Error error = path == "-"           ? writeTo(llvm::outs(), write)
                      : isSpecialFile(path) ? writeInPlace(path, write)
                                            : writeAndRename(path, write);
  if (!error)
    return error;
  return llvm::createStringError("cannot write '%s': %s", path.str().c_str(),
                                 llvm::toString(std::move(error)).c_str());
}
