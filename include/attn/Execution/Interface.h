//===- Interface.h - The C header of a compiled function --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The C header of a compiled function.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_INTERFACE_H
#define ATTN_EXECUTION_INTERFACE_H

#include "attn/Execution/Signature.h"

namespace mlir::attn {

/// Fails unless `entry` can be part of a C identifier.
llvm::Error checkEntryName(StringRef entry);

/// Writes a self-contained C header: descriptor structs and a prototype.
void printHeader(StringRef entry, const Signature &signature, raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_INTERFACE_H
