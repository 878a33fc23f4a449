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

/// Writes to a temporary name beside `path` and renames it once all is written;
/// on any failure nothing is left. `-` is the standard output. Devices and
/// pipes are written in place, since renaming would replace them.
llvm::Error
writeOutputFile(StringRef path,
                llvm::function_ref<llvm::Error(raw_ostream &)> write);

/// Whether something other than a regular file is at `path`.
bool isSpecialFile(StringRef path);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_OUTPUTFILE_H
