//===- RandomInputs.cpp - Seeded inputs for a signature ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The generator is std::mt19937_64, whose output the standard fixes; the
/// distributions are written here, since those of the standard library differ
/// between implementations.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/RandomInputs.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::attn;

namespace {
class Generator {
public:
  explicit Generator(uint64_t seed) : engine(seed) {}

  /// In [0, 1), with the 53 bits that a double holds.
  double uniform() { return static_cast<double>(engine() >> 11) * 0x1.0p-53; }

  /// N(0, 1), by Box and Muller.
  double normal() {
    constexpr double twoPi = 6.283185307179586;
    double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(twoPi * uniform());
  }

private:
  std::mt19937_64 engine;
};
} // namespace

static llvm::Expected<SmallVector<int64_t>>
chooseShape(const ValueSpec &spec, const RandomInputOptions &options) {
  auto it = options.shapes.find(spec.name);
  if (it == options.shapes.end()) {
    if (spec.isDynamic())
      return llvm::createStringError(
          "input '%s' has type %s; give its sizes with --shapes=%s=...",
          spec.name.c_str(), spec.format().c_str(), spec.name.c_str());
    return spec.shape;
  }
  ArrayRef<int64_t> given = it->second;
  if (!spec.fitsShape(given))
    return llvm::createStringError(
        "input '%s': expects shape %s, got %s", spec.name.c_str(),
        formatShape(spec.shape).c_str(), formatShape(given).c_str());
  return SmallVector<int64_t>(given);
}

static std::optional<ValueRange64>
chooseRange(const ValueSpec &spec, const RandomInputOptions &options) {
  if (auto it = options.ranges.find(spec.name); it != options.ranges.end())
    return it->second;
  if (!isInteger(spec.type))
    return std::nullopt;
  if (spec.type == DType::Bool)
    return ValueRange64{0, 2};
  return options.integerRange.value_or(ValueRange64{0, 8});
}

/// The whole numbers of a range; fails if there are none, or if the type does
/// not hold them.
static llvm::Expected<ValueRange64> getWholeRange(const ValueSpec &spec,
                                                  ValueRange64 range) {
  unsigned width = spec.type == DType::Bool ? 1 : 8 * getByteWidth(spec.type);
  bool isSigned = spec.type != DType::Bool && spec.type != DType::U8;
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  ValueRange64 whole{std::ceil(range.low), std::ceil(range.high)};
  if (whole.low < whole.high && whole.low >= (isSigned ? -limit : 0) &&
      whole.high <= limit)
    return whole;
  return llvm::createStringError(
      "input '%s': expects a range of numbers of type %s, got %g:%g",
      spec.name.c_str(), getMLIRName(spec.type).str().c_str(), range.low,
      range.high);
}

static void fill(NdArray &array, Generator &generator,
                 std::optional<ValueRange64> range) {
  auto draw = [&] {
    return range ? range->low + generator.uniform() * (range->high - range->low)
                 : generator.normal();
  };
  int64_t numElements = array.getNumElements();
  if (array.getType() == DType::C64) {
    for (int64_t i = 0; i < 2 * numElements; ++i)
      array.getDataAs<float>()[i] = static_cast<float>(draw());
    return;
  }
  if (array.getType() == DType::C128) {
    for (int64_t i = 0; i < 2 * numElements; ++i)
      array.getDataAs<double>()[i] = draw();
    return;
  }
  bool whole = isInteger(array.getType());
  for (int64_t i = 0; i < numElements; ++i)
    array.setValue(i, whole ? std::floor(draw()) : draw());
}

llvm::Expected<SmallVector<NamedArray, 0>>
attn::makeRandomInputs(const Signature &signature,
                       const RandomInputOptions &options) {
  SmallVector<NamedArray, 0> inputs;
  for (auto [index, spec] : llvm::enumerate(signature.inputs)) {
    llvm::Expected<SmallVector<int64_t>> shape = chooseShape(spec, options);
    if (!shape)
      return shape.takeError();
    llvm::Expected<NdArray> array = NdArray::create(spec.type, *shape);
    if (!array)
      return llvm::createStringError("input '%s': %s", spec.name.c_str(),
                                     llvm::toString(array.takeError()).c_str());
    std::optional<ValueRange64> range = chooseRange(spec, options);
    if (range && isInteger(spec.type)) {
      llvm::Expected<ValueRange64> whole = getWholeRange(spec, *range);
      if (!whole)
        return whole.takeError();
      range = *whole;
    }
    // A stream for each input, so that one shape does not change the others.
    Generator generator(options.seed * 0x9e3779b97f4a7c15ull + index);
    fill(*array, generator, range);
    inputs.push_back({spec.name, std::move(*array)});
  }
  return inputs;
}
