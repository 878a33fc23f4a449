//===- Compare.h - Comparing results within a tolerance ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `attn-run --compare` reports for one output.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_COMPARE_H
#define ATTN_EXECUTION_COMPARE_H

#include "attn/Execution/NdArray.h"

namespace mlir::attn {

struct Tolerance {
  double absolute = 1e-5;
  double relative = 1e-4;
};

/// One element where the arrays differ.
struct Difference {
  /// How much, absolutely or relatively.
  double error = 0;
  /// Its place in row-major order.
  int64_t element = 0;
};

/// How many elements are NaN or infinite.
struct SpecialCounts {
  int64_t numNaN = 0;
  int64_t numInfinite = 0;
};

/// The outcome for one array. An element is good if it equals the expected
/// one, if both are NaN, or if the difference is at most
/// absolute + relative * |expected|.
struct Comparison {
  int64_t numElements = 0;
  int64_t numBad = 0;
  Difference firstBad;
  /// The largest |actual - expected|. It is infinite where a NaN or an infinity
  /// meets something else.
  Difference maxAbsolute;
  /// The largest |actual - expected| / |expected| where that is not zero.
  Difference maxRelative;
  SpecialCounts actualSpecials;
  SpecialCounts expectedSpecials;

  bool passed() const { return numBad == 0; }
};

/// Fails where the shapes differ, or where one side is complex and the other
/// is not.
llvm::Expected<Comparison> compareArrays(const NdArray &actual,
                                         const NdArray &expected,
                                         const Tolerance &tolerance);

/// The report, without the name: a line with the verdict, and below it where
/// the arrays differ most.
void printComparison(const Comparison &comparison, const NdArray &actual,
                     const NdArray &expected, raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_COMPARE_H
