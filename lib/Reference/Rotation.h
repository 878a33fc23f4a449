//===- Rotation.h - Rotary embedding in the interpreter ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rotation that attn.rotary and the rotations inside attn.attention share,
/// and the frequencies of a rule.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_REFERENCE_ROTATION_H
#define ATTN_LIB_REFERENCE_ROTATION_H

#include "Evaluation.h"

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn::reference {

struct Rotation {
  RotaryLayout layoutIn;
  RotaryLayout layoutOut;
  int64_t first = 0;
  bool inverse = false;
};

/// Rotates `[B, H, S, D]` by the tables `[B|1, S, R/2]`, or fails after an
/// error at `op` where the shapes do not fit.
FailureOr<Tensor> rotate(Operation *op, const Tensor &input, const Tensor &cos,
                         const Tensor &sin, const Rotation &rotation);

/// The frequencies of a rule in radians a position. `sections` may be null;
/// `length` is the current number of tokens.
SmallVector<double> computeFrequencies(FrequenciesAttr rule,
                                       SectionsAttr sections, int64_t length);

/// The axis whose position turns a pair.
int64_t getAxisOfPair(SectionsAttr sections, int64_t pair);

} // namespace mlir::attn::reference

#endif // ATTN_LIB_REFERENCE_ROTATION_H
