//===- OutputFile.h - Files that are complete or absent ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the tools write their results.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_OUTPUTFILE_H
#define ATTN_EXECUTION_OUTPUTFILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// A file beside `path` that becomes `path` once it is kept, and is removed if
/// it is not.
class PendingFile {
public:
  static llvm::Expected<PendingFile> create(StringRef path);
  PendingFile(PendingFile &&other);
  PendingFile &operator=(PendingFile &&other) = delete;
  ~PendingFile();

  StringRef getTemporaryPath() const { return temporaryPath; }
  llvm::Error write(llvm::function_ref<llvm::Error(raw_ostream &)> write);
  llvm::Error keep();

private:
  PendingFile(StringRef path, std::string temporaryPath, int descriptor);
  /// Closes the file; what is there is no longer ours.
  void release();

  std::string path;
  std::string temporaryPath;
  /// Negative once it is kept or moved from.
  int descriptor;
};

/// Writes to a temporary name beside `path` and renames it once all is written;
/// on any failure nothing is left. `-` is the standard output. Devices and
/// pipes are written in place, since renaming would replace them.
llvm::Error
writeOutputFile(StringRef path,
                llvm::function_ref<llvm::Error(raw_ostream &)> write);

/// Fails if writing to `output` would replace the file that `input` names,
/// however the two are spelled. `-` as an input is what the standard input is
/// redirected from.
llvm::Error checkOverwrite(StringRef output, StringRef input);

/// Whether something other than a regular file is at `path`.
bool isSpecialFile(StringRef path);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_OUTPUTFILE_H
