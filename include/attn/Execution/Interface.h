//===- Interface.h - What goes beside a compiled library --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The C header and the JSON manifest of a compiled function.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_INTERFACE_H
#define ATTN_EXECUTION_INTERFACE_H

#include "attn/Execution/Signature.h"
#include "attn/Target/CPU/CPUTarget.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::attn {

/// Fails unless `entry` can be part of a C identifier.
llvm::Error checkEntryName(StringRef entry);

/// Writes a self-contained C header: descriptor structs and a prototype.
void printHeader(StringRef entry, const Signature &signature, raw_ostream &os);

/// The attn ops of a module, with their attributes as text.
llvm::json::Array describeAttnOps(ModuleOp module);

struct ManifestInfo {
  StringRef entry;
  const Signature &signature;
  const CPUTarget &target;
  bool usesOpenMP;
  /// See `describeAttnOps`; empty if nothing was recovered.
  llvm::json::Array recoveredOps;
  /// The same after fusing and planning.
  llvm::json::Array plannedOps;
};

llvm::json::Object makeManifest(ManifestInfo info);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_INTERFACE_H
