//===- RotaryFrequencies.cpp - Frequency rules ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules for rotary frequencies from their formulas, independent of what
/// the compiler evaluates.
///
//===----------------------------------------------------------------------===//

#include "Rotation.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// Long wavelengths are stretched by the factor, short ones are kept, and those
/// between are blended.
static double computeLlama3(FrequenciesAttr rule, double theta) {
  double factor = rule.getParameter("factor");
  double low = rule.getParameter("low_freq_factor");
  double high = rule.getParameter("high_freq_factor");
  double length = rule.getParameter("original_length");
  double wavelength = 2.0 * std::numbers::pi / theta;
  if (wavelength < length / high)
    return theta;
  if (wavelength > length / low)
    return theta / factor;
  double t = (length / wavelength - low) / (high - low);
  return (1.0 - t) * theta / factor + t * theta;
}

/// The pairs that turn often within the original length are kept, those that
/// turn seldom are interpolated, with a linear ramp over the pairs between.
static double computeYarn(FrequenciesAttr rule, double dim, int64_t pair,
                          double theta) {
  double length = rule.getParameter("original_length");
  double logBase = std::log(rule.getParameter("base"));
  auto pairOfTurns = [&](double turns) {
    return dim * std::log(length / (2.0 * std::numbers::pi * turns)) /
           (2.0 * logBase);
  };
  double start = pairOfTurns(rule.getParameter("beta_fast"));
  double end = pairOfTurns(rule.getParameter("beta_slow"));
  if (rule.getParameter("truncate") != 0.0) {
    start = std::floor(start);
    end = std::ceil(end);
  }
  start = std::fmax(start, 0.0);
  end = std::fmin(end, dim - 1.0);
  if (start == end)
    end += 0.001;
  double ramp = std::fmin(std::fmax((pair - start) / (end - start), 0.0), 1.0);
  double interpolated = theta / rule.getParameter("factor");
  return theta * (1.0 - ramp) + interpolated * ramp;
}

/// The default rule with a base that grew: base' = base * growth^(r / (r - 2)).
static double computeEnlarged(double base, double growth, double dim,
                              int64_t pair) {
  if (pair == 0)
    return 1.0;
  double enlarged = base * std::pow(growth, dim / (dim - 2.0));
  return std::pow(enlarged, -2.0 * pair / dim);
}

/// By the current length: the base stays up to the trained one.
static double computeDynamic(FrequenciesAttr rule, double base, double dim,
                             int64_t pair, double length) {
  double trained = rule.getParameter("original_length");
  double factor = rule.getParameter("factor");
  double growth = 1.0;
  if (length > trained)
    growth = factor * length / trained - (factor - 1.0);
  return computeEnlarged(base, growth, dim, pair);
}

/// Each pair is divided by more than the one before it, the last one by the
/// factor.
static double computeMixed(FrequenciesAttr rule, double dim, int64_t pair,
                           double theta) {
  double b = rule.getParameter("exponent");
  double a = std::log(rule.getParameter("factor")) / std::pow(dim / 2.0, b);
  return theta * std::exp(-a * std::pow(pair + 1.0, b));
}

/// Frequency number `pair` of a rotation of `dim` elements, with `length`
/// tokens so far.
static double computeFrequency(FrequenciesAttr rule, double dim, int64_t pair,
                               double length) {
  double base = rule.getParameter("base");
  double exponent = -2.0 * pair / dim;
  double theta = std::pow(base, exponent);
  switch (rule.getRule()) {
  case FrequencyRule::Default:
    return theta;
  case FrequencyRule::Linear:
    return theta / rule.getParameter("factor");
  case FrequencyRule::Llama3:
    return computeLlama3(rule, theta);
  case FrequencyRule::Yarn:
    return computeYarn(rule, dim, pair, theta);
  case FrequencyRule::Ntk:
    return computeEnlarged(base, rule.getParameter("alpha"), dim, pair);
  case FrequencyRule::NtkTwoStep: {
    double factor = rule.getParameter("factor");
    return std::pow(base * factor, exponent) * std::pow(factor, -2.0 / dim);
  }
  case FrequencyRule::NtkMixed:
    return computeMixed(rule, dim, pair, theta);
  case FrequencyRule::DynamicNtk:
    return computeDynamic(rule, base, dim, pair, length);
  case FrequencyRule::LongRope:
    if (length <= rule.getParameter("original_length"))
      return theta / rule.getList("short")[pair];
    return theta / rule.getList("long")[pair];
  case FrequencyRule::Proportional:
    if (pair >= rule.getParameter("pairs"))
      return 0.0;
    return theta / rule.getParameter("factor");
  }
  llvm_unreachable("unknown frequency rule");
}

SmallVector<double> reference::computeFrequencies(FrequenciesAttr rule,
                                                  SectionsAttr sections,
                                                  int64_t length) {
  SmallVector<double> frequencies;
  auto append = [&](int64_t pairs) {
    for (int64_t pair = 0; pair < pairs; ++pair)
      frequencies.push_back(computeFrequency(
          rule, 2.0 * static_cast<double>(pairs), pair, length));
  };
  if (!sections || sections.getOrder() != SectionOrder::Axial) {
    append(rule.getDim() / 2);
    return frequencies;
  }
  for (int64_t size : sections.getSizes())
    append(size);
  return frequencies;
}

int64_t reference::getAxisOfPair(SectionsAttr sections, int64_t pair) {
  ArrayRef<int64_t> sizes = sections.getSizes();
  int64_t axes = sizes.size();
  if (sections.getOrder() == SectionOrder::Interleaved) {
    int64_t axis = pair % axes;
    return axis > 0 && pair < axes * sizes[axis] ? axis : 0;
  }
  int64_t axis = 0;
  for (int64_t end = sizes[0]; pair >= end; end += sizes[axis])
    ++axis;
  return axis;
}
