//===- Compare.cpp - Comparing results within a tolerance -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elementwise comparison in double precision; integers are compared exactly.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Compare.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static bool isNaN(std::complex<double> value) {
  return std::isnan(value.real()) || std::isnan(value.imag());
}

static bool isFinite(std::complex<double> value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

static SmallVector<int64_t> delinearize(int64_t index,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    result[d] = index % shape[d];
    index /= shape[d];
  }
  return result;
}

/// Adds one pair that is not equal bit by bit; returns whether it is good.
static bool addPair(Comparison &comparison, std::complex<double> actual,
                    std::complex<double> expected, const Tolerance &tolerance) {
  if (isNaN(actual) || isNaN(expected))
    return isNaN(actual) && isNaN(expected);
  if (!isFinite(actual) || !isFinite(expected))
    return actual == expected;
  double error = std::abs(actual - expected);
  double size = std::abs(expected);
  comparison.maxAbsoluteError = std::max(comparison.maxAbsoluteError, error);
  if (size > 0)
    comparison.maxRelativeError =
        std::max(comparison.maxRelativeError, error / size);
  return error <= tolerance.absolute + tolerance.relative * size;
}

llvm::Expected<Comparison> attn::compareArrays(const NdArray &actual,
                                               const NdArray &expected,
                                               const Tolerance &tolerance) {
  if (actual.getShape() != expected.getShape())
    return llvm::createStringError("expects shape %s, got %s",
                                   formatShape(expected.getShape()).c_str(),
                                   formatShape(actual.getShape()).c_str());
  if (isComplex(actual.getType()) != isComplex(expected.getType()))
    return llvm::createStringError(
        "expects element type %s, got %s",
        getNumpyName(expected.getType()).str().c_str(),
        getNumpyName(actual.getType()).str().c_str());

  bool exact = isInteger(actual.getType()) && isInteger(expected.getType());
  Comparison comparison;
  comparison.numElements = actual.getNumElements();
  for (int64_t i = 0; i < comparison.numElements; ++i) {
    if (exact && actual.getInteger(i) == expected.getInteger(i))
      continue;
    std::complex<double> a = actual.getValue(i), e = expected.getValue(i);
    bool good = addPair(comparison, a, e, tolerance);
    if (good && !exact)
      continue;
    if (comparison.numBad++ == 0) {
      comparison.firstBad = delinearize(i, actual.getShape());
      comparison.firstActual = a;
      comparison.firstExpected = e;
    }
  }
  return comparison;
}

static void printValue(std::complex<double> value, bool isComplex,
                       raw_ostream &os) {
  os << llvm::format("%.9g", value.real());
  if (isComplex)
    os << llvm::format("%+.9gi", value.imag());
}

void attn::printComparison(const Comparison &comparison, bool isComplex,
                           raw_ostream &os) {
  os << (comparison.passed() ? "ok" : "MISMATCH") << ", "
     << comparison.numElements << " elements, max abs error "
     << llvm::format("%.3g", comparison.maxAbsoluteError) << ", max rel error "
     << llvm::format("%.3g", comparison.maxRelativeError) << ", "
     << comparison.numBad << " out of tolerance";
  if (comparison.passed())
    return;
  os << ", first at [";
  llvm::interleaveComma(comparison.firstBad, os);
  os << "]: got ";
  printValue(comparison.firstActual, isComplex, os);
  os << ", expected ";
  printValue(comparison.firstExpected, isComplex, os);
}
