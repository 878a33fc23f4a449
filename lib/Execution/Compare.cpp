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
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static bool isNaN(std::complex<double> value) {
  return std::isnan(value.real()) || std::isnan(value.imag());
}

static bool isInfinite(std::complex<double> value) {
  return std::isinf(value.real()) || std::isinf(value.imag());
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

/// |actual - expected|; infinite where a NaN or an infinity meets something
/// else.
static double getError(std::complex<double> actual,
                       std::complex<double> expected) {
  if (actual == expected || (isNaN(actual) && isNaN(expected)))
    return 0;
  double error = std::abs(actual - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// The same for integers, also where doubles cannot tell them apart.
static double getError(int64_t actual, int64_t expected) {
  auto [low, high] = std::minmax(actual, expected);
  return static_cast<double>(static_cast<uint64_t>(high) -
                             static_cast<uint64_t>(low));
}

static void count(SpecialCounts &counts, std::complex<double> value) {
  if (isNaN(value))
    ++counts.numNaN;
  else if (isInfinite(value))
    ++counts.numInfinite;
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
    std::complex<double> a = actual.getValue(i), e = expected.getValue(i);
    count(comparison.actualSpecials, a);
    count(comparison.expectedSpecials, e);
    double size = std::abs(e);
    double error = exact
                       ? getError(actual.getInteger(i), expected.getInteger(i))
                       : getError(a, e);
    if (error > comparison.maxAbsolute.error)
      comparison.maxAbsolute = {error, i};
    // An infinite error is one relative to anything.
    double relative = std::isinf(error) ? error : size > 0 ? error / size : 0;
    if (relative > comparison.maxRelative.error)
      comparison.maxRelative = {relative, i};
    double allowed = exact ? 0 : tolerance.absolute + tolerance.relative * size;
    bool good = error == 0 || (std::isfinite(error) && error <= allowed);
    if (!good && comparison.numBad++ == 0)
      comparison.firstBad = {error, i};
  }
  return comparison;
}

static void printValue(const NdArray &array, int64_t element, raw_ostream &os) {
  if (isInteger(array.getType())) {
    os << array.getInteger(element);
    return;
  }
  std::complex<double> value = array.getValue(element);
  os << llvm::format("%.9g", value.real());
  if (isComplex(array.getType()))
    os << llvm::format("%+.9gi", value.imag());
}

static void printDifference(StringRef title, const Difference &difference,
                            const NdArray &actual, const NdArray &expected,
                            raw_ostream &os) {
  os << "\n  " << title << " at [";
  llvm::interleaveComma(delinearize(difference.element, actual.getShape()), os);
  os << "]: got ";
  printValue(actual, difference.element, os);
  os << ", expected ";
  printValue(expected, difference.element, os);
}

static void printCounts(StringRef title, int64_t actual, int64_t expected,
                        raw_ostream &os) {
  if (actual > 0 || expected > 0)
    os << "\n  " << title << ": got " << actual << ", expected " << expected;
}

void attn::printComparison(const Comparison &comparison, const NdArray &actual,
                           const NdArray &expected, raw_ostream &os) {
  os << (comparison.passed() ? "ok" : "MISMATCH") << ", "
     << comparison.numElements << " elements, max abs error "
     << llvm::format("%.3g", comparison.maxAbsolute.error) << ", max rel error "
     << llvm::format("%.3g", comparison.maxRelative.error) << ", "
     << comparison.numBad << " out of tolerance";
  auto print = [&](StringRef title, const Difference &difference) {
    if (difference.error > 0)
      printDifference(title, difference, actual, expected, os);
  };
  print("first out of tolerance", comparison.firstBad);
  print("max abs error", comparison.maxAbsolute);
  print("max rel error", comparison.maxRelative);
  printCounts("nan", comparison.actualSpecials.numNaN,
              comparison.expectedSpecials.numNaN, os);
  printCounts("inf", comparison.actualSpecials.numInfinite,
              comparison.expectedSpecials.numInfinite, os);
}
