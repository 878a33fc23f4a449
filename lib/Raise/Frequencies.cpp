//===- Frequencies.cpp - Frequency rules out of numbers ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rule is guessed from the ratio of frequencies, its parameters are rounded
/// to few digits, and then every frequency is compared with the rule.
///
//===----------------------------------------------------------------------===//

#include "Frequencies.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

namespace {

class Recovery {
public:
  Recovery(MLIRContext *context, ArrayRef<double> frequencies,
           unsigned precision)
      : context(context), frequencies(frequencies),
        unit(std::ldexp(1.0, -static_cast<int>(precision))) {}

  FrequenciesAttr run();

private:
  int64_t getDim() const { return 2 * frequencies.size(); }
  FrequenciesAttr tryRule(FrequencyRule rule, ArrayRef<double> values);
  FrequenciesAttr tryScaled(double base);
  SmallVector<double> getBases() const;

  MLIRContext *context;
  ArrayRef<double> frequencies;
  double unit;
};

} // namespace

/// `value` rounded to 1, 2, ... significant digits: parameters as people write
/// them, the roundest first.
static SmallVector<double> roundings(double value) {
  SmallVector<double> result;
  if (!std::isfinite(value) || value <= 0)
    return result;
  int magnitude = static_cast<int>(std::floor(std::log10(value)));
  for (int digits : llvm::seq_inclusive(0, 4)) {
    double scale = std::pow(10.0, std::abs(magnitude - digits));
    double rounded = magnitude >= digits ? std::round(value / scale) * scale
                                         : std::round(value * scale) / scale;
    if (rounded > 0 && std::abs(rounded - value) <= 1e-3 * value &&
        !llvm::is_contained(result, rounded))
      result.push_back(rounded);
  }
  return result;
}

FrequenciesAttr Recovery::tryRule(FrequencyRule rule, ArrayRef<double> values) {
  auto attribute = FrequenciesAttr::get(context, rule, getDim(), values);
  double base = values.front();
  double plainBound =
      unit * (3 + (std::isfinite(base) ? std::abs(std::log(base)) : 0));
  SmallVector<double> exact = attribute.evaluate();
  for (auto [pair, expected, actual] : llvm::enumerate(exact, frequencies)) {
    double bound = plainBound * std::abs(expected);
    // Blends subtract numbers of the size of the unscaled frequency.
    if (rule == FrequencyRule::Llama3 || rule == FrequencyRule::Yarn)
      bound += 8 * unit *
               std::pow(base, -2.0 * static_cast<double>(pair) /
                                  static_cast<double>(getDim()));
    if (!(std::abs(expected - actual) <= bound))
      return nullptr;
  }
  return attribute;
}

/// Every base that two pairs suggest: with a scaled rule only those of one
/// stretch tell.
SmallVector<double> Recovery::getBases() const {
  SmallVector<double> bases;
  size_t last = frequencies.size() - 1;
  auto add = [&](size_t i, size_t j) {
    if (i >= j || frequencies[i] <= 0 || frequencies[j] <= 0)
      return;
    double exponent =
        0.5 * static_cast<double>(getDim()) / static_cast<double>(j - i);
    for (double base :
         roundings(std::pow(frequencies[i] / frequencies[j], exponent)))
      if (!llvm::is_contained(bases, base))
        bases.push_back(base);
  };
  add(0, last);
  add(1, last);
  add(frequencies.size() / 2, last);
  add(last - 1, last);
  add(0, 1);
  return bases;
}

/// Rules that leave high frequencies alone and divide low ones by a factor.
FrequenciesAttr Recovery::tryScaled(double base) {
  // YaRN divides by the logarithm of the base.
  if (!std::isfinite(base) || base <= 1)
    return nullptr;
  double dim = static_cast<double>(getDim());
  double plain = std::pow(base, -(dim - 2) / dim);
  for (double factor : roundings(plain / frequencies.back())) {
    if (factor == 1)
      continue;
    constexpr int minExponent = 4, maxExponent = 24;
    for (int exponent : llvm::seq_inclusive(minExponent, maxExponent))
      if (FrequenciesAttr rule =
              tryRule(FrequencyRule::Llama3,
                      {base, factor, 1.0, 4.0, std::ldexp(1.0, exponent)}))
        return rule;
    for (int exponent : llvm::seq_inclusive(minExponent, maxExponent))
      for (double truncate : {1.0, 0.0})
        if (FrequenciesAttr rule = tryRule(
                FrequencyRule::Yarn,
                {base, factor, std::ldexp(1.0, exponent), 32.0, 1.0, truncate}))
          return rule;
  }
  return nullptr;
}

FrequenciesAttr Recovery::run() {
  if (frequencies.empty() ||
      !llvm::all_of(frequencies, [](double f) { return std::isfinite(f); }))
    return nullptr;
  // One pair says nothing about the base, which does not matter to it.
  if (frequencies.size() == 1) {
    constexpr double anyBase = 10000;
    if (FrequenciesAttr rule = tryRule(FrequencyRule::Default, anyBase))
      return rule;
    for (double factor : roundings(1 / frequencies.front()))
      if (FrequenciesAttr rule =
              tryRule(FrequencyRule::Linear, {anyBase, factor}))
        return rule;
    return nullptr;
  }
  if (frequencies[1] == 0)
    return tryRule(FrequencyRule::Default,
                   std::numeric_limits<double>::infinity());
  SmallVector<double> bases = getBases();
  for (double base : bases)
    if (FrequenciesAttr rule = tryRule(FrequencyRule::Default, base))
      return rule;
  for (double base : bases)
    for (double factor : roundings(1 / frequencies.front()))
      if (FrequenciesAttr rule = tryRule(FrequencyRule::Linear, {base, factor}))
        return rule;
  for (double base : bases)
    if (FrequenciesAttr rule = tryScaled(base))
      return rule;
  return nullptr;
}

FrequenciesAttr attn::recoverFrequencies(MLIRContext *context,
                                         ArrayRef<double> frequencies,
                                         unsigned precision) {
  return Recovery(context, frequencies, precision).run();
}
