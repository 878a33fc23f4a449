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

/// The outcome for one array. An element is good if it equals the expected
/// one, if both are NaN, or if the difference is at most
/// absolute + relative * |expected|.
struct Comparison {
  int64_t numElements = 0;
  int64_t numBad = 0;
  /// Largest differences over the elements that are finite on both sides.
  double maxAbsoluteError = 0;
  double maxRelativeError = 0;
  /// The first bad element in row-major order.
  SmallVector<int64_t> firstBad;
  std::complex<double> firstActual;
  std::complex<double> firstExpected;

  bool passed() const { return numBad == 0; }
};

/// Fails where the shapes differ, or where one side is complex and the other
/// is not.
llvm::Expected<Comparison> compareArrays(const NdArray &actual,
                                         const NdArray &expected,
                                         const Tolerance &tolerance);

/// One line for a report, without the name.
void printComparison(const Comparison &comparison, bool isComplex,
                     raw_ostream &os);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_COMPARE_H
