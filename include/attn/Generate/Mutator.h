//===- Mutator.h - Damaged programs -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Damages a program, text or bytecode, for tests of what reads it.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_GENERATE_MUTATOR_H
#define ATTN_GENERATE_MUTATOR_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir::attn {

/// Makes some random edits, at least one. Text is edited by tokens (numbers to
/// extremes, other types in one place or everywhere, swaps, deletions) and by
/// bytes, bytecode by bytes. The result may still be valid.
std::string mutateProgram(llvm::StringRef program, uint64_t seed);

} // namespace mlir::attn

#endif // ATTN_GENERATE_MUTATOR_H
