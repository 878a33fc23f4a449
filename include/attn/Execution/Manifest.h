//===- Manifest.h - What a compiled library is ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The JSON manifest of a compiled function. Calling a library with another
/// signature than it was made for is a wild read, so a manifest says which file
/// it belongs to and carries a checksum of its own: a truncated library, an
/// edited manifest, or two that do not belong together are found before
/// anything is loaded. That guards against accidents, not against forgery.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_MANIFEST_H
#define ATTN_EXECUTION_MANIFEST_H

#include "attn/Execution/Signature.h"
#include "attn/Target/CPU/CPUTarget.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::attn {

/// The attn ops of a module, with their attributes as text.
llvm::json::Array describeAttnOps(ModuleOp module);

struct ManifestInfo {
  StringRef entry;
  const Signature &signature;
  const CPUTarget &target;
  bool usesOpenMP;
  /// 0 where OpenMP chooses at run time.
  unsigned threads;
  /// See `describeAttnOps`; empty if nothing was recovered.
  llvm::json::Array recoveredOps;
  /// The same after fusing and planning.
  llvm::json::Array plannedOps;
};

llvm::json::Object makeManifest(ManifestInfo info);

/// Ties a manifest to the contents of its library.
void sealManifest(llvm::json::Object &manifest, StringRef library);

/// What is needed to call a library.
struct Manifest {
  std::string entry;
  CPUTarget target;
  unsigned threads;
  Signature signature;
};

/// Reads the manifest of the library `libraryPath`. Fails unless both are as
/// `attn-compile` wrote them.
llvm::Expected<Manifest> readManifest(StringRef path, StringRef libraryPath);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_MANIFEST_H
