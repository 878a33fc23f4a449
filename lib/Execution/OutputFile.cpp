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

#include "attn/Execution/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::isSpecialFile(StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         status.type() != llvm::sys::fs::file_type::regular_file;
}

llvm::Error attn::checkOverwrite(StringRef output, StringRef input) {
  llvm::sys::fs::file_status outputStatus, inputStatus;
  std::error_code code = input == "-"
                             ? llvm::sys::fs::status(/*FD=*/0, inputStatus)
                             : llvm::sys::fs::status(input, inputStatus);
  if (code || output == "-" || llvm::sys::fs::status(output, outputStatus) ||
      outputStatus.type() != llvm::sys::fs::file_type::regular_file ||
      outputStatus.getUniqueID() != inputStatus.getUniqueID())
    return llvm::Error::success();
  return llvm::createStringError("output '%s' would overwrite the input '%s'",
                                 output.str().c_str(), input.str().c_str());
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

/// Adds what was to be written to an error of the system.
static llvm::Error addPath(StringRef path, llvm::Error error) {
  if (error.isA<DiagnosedError>())
    return error;
  return llvm::createStringError("cannot write '%s': %s", path.str().c_str(),
                                 llvm::toString(std::move(error)).c_str());
}

static llvm::Error writeInPlace(StringRef path, WriteFunction write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return llvm::createStringError(code, code.message());
  return writeTo(os, write);
}

PendingFile::PendingFile(StringRef path, std::string temporaryPath,
                         int descriptor)
    : path(path), temporaryPath(std::move(temporaryPath)),
      descriptor(descriptor) {}

PendingFile::PendingFile(PendingFile &&other)
    : path(std::move(other.path)),
      temporaryPath(std::move(other.temporaryPath)),
      descriptor(std::exchange(other.descriptor, -1)) {}

PendingFile::~PendingFile() {
  if (descriptor < 0)
    return;
  (void)llvm::sys::fs::remove(temporaryPath);
  release();
}

void PendingFile::release() {
  llvm::sys::DontRemoveFileOnSignal(temporaryPath);
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  descriptor = -1;
}

llvm::Expected<PendingFile> PendingFile::create(StringRef path) {
  // Not createUniqueFile, which takes every % in the path for a placeholder.
  constexpr unsigned maxTries = 16;
  std::error_code code;
  for (unsigned i = 0; i < maxTries; ++i) {
    std::string temporaryPath =
        path.str() + ".tmp-" +
        llvm::utohexstr(llvm::sys::Process::GetRandomNumber(),
                        /*LowerCase=*/true);
    int descriptor;
    code = llvm::sys::fs::openFileForWrite(temporaryPath, descriptor,
                                           llvm::sys::fs::CD_CreateNew);
    if (code == std::errc::file_exists)
      continue;
    if (code)
      break;
    llvm::sys::RemoveFileOnSignal(temporaryPath);
    return PendingFile(path, std::move(temporaryPath), descriptor);
  }
  return addPath(path, llvm::createStringError(code, code.message()));
}

llvm::Error PendingFile::write(WriteFunction write) {
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  llvm::Error error = writeTo(os, write);
  return error ? addPath(path, std::move(error)) : llvm::Error::success();
}

llvm::Error PendingFile::keep() {
  if (std::error_code code = llvm::sys::fs::rename(temporaryPath, path))
    return addPath(path, llvm::createStringError(code, code.message()));
  release();
  return llvm::Error::success();
}

llvm::Error attn::writeOutputFile(StringRef path, WriteFunction write) {
  if (path == "-" || isSpecialFile(path)) {
    llvm::Error error =
        path == "-" ? writeTo(llvm::outs(), write) : writeInPlace(path, write);
    return error ? addPath(path, std::move(error)) : llvm::Error::success();
  }
  llvm::Expected<PendingFile> file = PendingFile::create(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = file->write(write))
    return error;
  return file->keep();
}
