//===- CPUTarget.h - The processor that code is made for --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A processor by name, or the one of this machine.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_CPUTARGET_H
#define ATTN_TARGET_CPU_CPUTARGET_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace mlir::attn {

/// A processor of the architecture of this machine.
class CPUTarget {
public:
  /// `native` is the processor of this machine with exactly the features that
  /// it reports; other names are those of LLVM, with all their features.
  static llvm::Expected<CPUTarget> get(StringRef name);

  /// A target from the names in a manifest.
  static llvm::Expected<CPUTarget> get(StringRef cpu, StringRef features);

  /// LLVM's name of the processor, never `native`.
  StringRef getCPU() const { return cpu; }

  /// Features in the form of LLVM, e.g. `+avx2,-avx512f`; empty for what the
  /// name of the processor implies.
  StringRef getFeatures() const { return features; }

  /// Whether code for this target may use `feature`, e.g. `amx-bf16`.
  bool hasFeature(StringRef feature) const;

  /// The width of the widest vector register in bits.
  unsigned getVectorBits() const;

  /// Fails, naming the first missing feature, if this machine cannot run code
  /// for the target.
  llvm::Error checkHost() const;

  llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
  createTargetMachine() const;

private:
  CPUTarget(std::string cpu, std::string features)
      : cpu(std::move(cpu)), features(std::move(features)) {}

  std::string cpu;
  std::string features;
};

/// The number of vector registers of `vectorBits` bits.
unsigned getNumVectorRegisters(unsigned vectorBits);

/// The names that `CPUTarget::get` knows, besides `native`.
SmallVector<StringRef> getCPUNames();

} // namespace mlir::attn

#endif // ATTN_TARGET_CPU_CPUTARGET_H
