//===- Frequencies.h - Frequency rules out of numbers -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Recovers the rule, and its parameters, that a vector of rotary frequencies
/// was computed by.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_FREQUENCIES_H
#define ATTN_LIB_RAISE_FREQUENCIES_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// The rule that gives `frequencies` (of pairs 0, 1, ...), if there is one with
/// round parameters. Every frequency has to agree within what arithmetic with
/// `precision` bits of mantissa loses when the rule is computed in it: an
/// exponent rounded to that many bits is multiplied by the logarithm of the
/// base. Parameters that the frequencies leave open (no pair is long enough to
/// tell) are the first that fit: the rule is the same function then.
FrequenciesAttr recoverFrequencies(MLIRContext *context,
                                   ArrayRef<double> frequencies,
                                   unsigned precision);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_FREQUENCIES_H
