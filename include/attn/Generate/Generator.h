//===- Generator.h - Random valid programs ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes programs of attn ops with linalg, tensor, arith and scf ops around
/// them, valid by construction and the same for the same seed everywhere. A
/// program knows what it expects of its inputs and how far compiled results may
/// be from exact ones.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_GENERATE_GENERATOR_H
#define ATTN_GENERATE_GENERATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace mlir::attn {

struct GeneratorOptions {
  uint64_t seed = 0;
  /// Steps that are chained, at least 1.
  unsigned steps = 4;
  /// The largest size of a dimension, at least 1.
  int64_t maxSize = 40;
  /// Whether sizes may be dynamic.
  bool dynamicSizes = true;
  /// Whether sizes may be zero.
  bool zeroSizes = true;
  /// The element type of the inputs, or empty for any.
  std::string element;
  /// Names of `getMakerNames`: only these are used, where one of their kind is
  /// among them. Empty for all.
  std::vector<std::string> only;
};

struct GeneratedProgram {
  OwningOpRef<ModuleOp> module;
  /// Sizes and ranges of its inputs, as --shapes and --random-range of attn-run
  /// take them (`in0=2x3`, `in1=0:4`).
  std::vector<std::string> shapes, ranges;
  /// For each result, the largest difference from the exact one that rounding
  /// explains, whatever the inputs within their ranges.
  std::vector<double> tolerances;
};

/// Loads the dialects that programs are made of.
void loadGeneratedDialects(MLIRContext *context);

/// Makes a program with the function `main`.
GeneratedProgram generateProgram(MLIRContext *context,
                                 const GeneratorOptions &options);

/// What programs are made of: `mask.causal`, `step.attention`, ...
std::vector<std::string> getMakerNames();

} // namespace mlir::attn

#endif // ATTN_GENERATE_GENERATOR_H
