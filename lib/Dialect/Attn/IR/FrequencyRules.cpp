//===- FrequencyRules.cpp - Values of frequency rules -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The frequencies of each rule in double precision.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mlir::attn;

namespace {
/// A pair of a rotation of `dim` elements, which is that of one axis if the
/// axes restart their frequencies.
struct RotaryPair {
  double dim;
  int64_t index;

  /// `base^(-2i / dim)`. An infinite base gives 1 at `i = 0` and 0 elsewhere.
  double powerOf(double base) const { return std::pow(base, -2 * index / dim); }
  /// By what power of its growth a base makes this frequency smaller, if the
  /// growth is meant for the last pair: `-2i / (dim - 2)`.
  double getGrowthExponent() const {
    return index == 0 ? 0 : -2 * index / (dim - 2);
  }
};
} // namespace

/// Calls `visit` with every pair of a rotation of `dim` elements.
static void forEachPair(int64_t dim, SectionsAttr sections,
                        function_ref<void(RotaryPair)> visit) {
  SmallVector<int64_t> sizes = {dim / 2};
  if (sections && sections.getOrder() == SectionOrder::Axial)
    sizes.assign(sections.getSizes().begin(), sections.getSizes().end());
  for (int64_t size : sizes)
    for (int64_t index = 0; index < size; ++index)
      visit({2.0 * static_cast<double>(size), index});
}

/// YaRN's ramp from unscaled (0) to scaled (1) frequencies.
static double yarnRamp(const FrequenciesAttr &rule, RotaryPair pair) {
  auto correction = [&](double beta) {
    return pair.dim *
           std::log(rule.getParameter("original_length") /
                    (2 * std::numbers::pi * beta)) /
           (2 * std::log(rule.getParameter("base")));
  };
  double low = correction(rule.getParameter("beta_fast"));
  double high = correction(rule.getParameter("beta_slow"));
  if (rule.getParameter("truncate") != 0) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, pair.dim - 1);
  if (low == high)
    high += 0.001;
  return std::clamp((pair.index - low) / (high - low), 0.0, 1.0);
}

/// The factor that Llama 3 applies to a frequency, by its wavelength.
static double llama3Scale(const FrequenciesAttr &rule, double frequency) {
  double factor = rule.getParameter("factor");
  double low = rule.getParameter("low_freq_factor");
  double high = rule.getParameter("high_freq_factor");
  double original = rule.getParameter("original_length");
  double wavelength = 2 * std::numbers::pi / frequency;
  if (wavelength < original / high)
    return 1;
  if (wavelength > original / low)
    return 1 / factor;
  double smooth = (original / wavelength - low) / (high - low);
  return (1 - smooth) / factor + smooth;
}

/// By how much a longer text enlarges the base of `dynamic_ntk`, for the last
/// pair.
static double dynamicGrowth(const FrequenciesAttr &rule, double length) {
  double original = rule.getParameter("original_length");
  if (length <= original)
    return 1;
  double factor = rule.getParameter("factor");
  return factor * length / original - (factor - 1);
}

static double evaluatePair(const FrequenciesAttr &rule, RotaryPair pair,
                           double length) {
  double base = rule.getParameter("base");
  double frequency = pair.powerOf(base);
  switch (rule.getRule()) {
  case FrequencyRule::Default:
    return frequency;
  case FrequencyRule::Linear:
    return frequency / rule.getParameter("factor");
  case FrequencyRule::Llama3:
    return frequency * llama3Scale(rule, frequency);
  case FrequencyRule::Yarn: {
    double ramp = yarnRamp(rule, pair);
    return frequency * (1 - ramp) +
           frequency / rule.getParameter("factor") * ramp;
  }
  case FrequencyRule::Ntk:
    return frequency *
           std::pow(rule.getParameter("alpha"), pair.getGrowthExponent());
  case FrequencyRule::NtkTwoStep: {
    double factor = rule.getParameter("factor");
    return frequency * pair.powerOf(factor) * std::pow(factor, -2 / pair.dim);
  }
  case FrequencyRule::NtkMixed: {
    // The last pair is divided by the factor, those before it by less.
    double place = (pair.index + 1) / (pair.dim / 2);
    double share = std::pow(place, rule.getParameter("exponent"));
    return frequency * std::pow(rule.getParameter("factor"), -share);
  }
  case FrequencyRule::DynamicNtk:
    return frequency *
           std::pow(dynamicGrowth(rule, length), pair.getGrowthExponent());
  case FrequencyRule::LongRope: {
    bool isLong = length > rule.getParameter("original_length");
    return frequency / rule.getList(isLong ? "long" : "short")[pair.index];
  }
  case FrequencyRule::Proportional:
    return pair.index < rule.getParameter("pairs")
               ? frequency / rule.getParameter("factor")
               : 0;
  }
  llvm_unreachable("unknown frequency rule");
}

SmallVector<double> FrequenciesAttr::evaluate(SectionsAttr sections,
                                              double length) const {
  SmallVector<double> frequencies;
  forEachPair(getDim(), sections, [&](RotaryPair pair) {
    frequencies.push_back(evaluatePair(*this, pair, length));
  });
  return frequencies;
}

SmallVector<double>
FrequenciesAttr::getGrowthExponents(SectionsAttr sections) const {
  SmallVector<double> exponents;
  forEachPair(getDim(), sections, [&](RotaryPair pair) {
    exponents.push_back(pair.getGrowthExponent());
  });
  return exponents;
}
