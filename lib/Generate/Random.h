//===- Random.h - Random choices that a seed fixes --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The generator is std::mt19937_64, whose output the standard fixes; the
/// choices are made here, since distributions of the standard library differ
/// between implementations.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_GENERATE_RANDOM_H
#define ATTN_LIB_GENERATE_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <initializer_list>
#include <random>

namespace mlir::attn {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  /// A number below `count`, which is positive.
  uint64_t below(uint64_t count) { return engine() % count; }
  /// A number from `low` to `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(high - low + 1));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> T choose(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  template <typename T> const T &choose(llvm::ArrayRef<T> choices) {
    return choices[below(choices.size())];
  }

private:
  std::mt19937_64 engine;
};

} // namespace mlir::attn

#endif // ATTN_LIB_GENERATE_RANDOM_H
