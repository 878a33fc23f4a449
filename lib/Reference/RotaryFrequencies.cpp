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
static double computeYarn(FrequenciesAttr rule, int64_t pair, double theta) {
  double dim = rule.getDim();
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

static double computeFrequency(FrequenciesAttr rule, int64_t pair) {
  double exponent = -2.0 * pair / rule.getDim();
  double theta = std::pow(rule.getParameter("base"), exponent);
  switch (rule.getRule()) {
  case FrequencyRule::Default:
    return theta;
  case FrequencyRule::Linear:
    return theta / rule.getParameter("factor");
  case FrequencyRule::Llama3:
    return computeLlama3(rule, theta);
  case FrequencyRule::Yarn:
    return computeYarn(rule, pair, theta);
  }
  llvm_unreachable("unknown frequency rule");
}

SmallVector<double> reference::computeFrequencies(FrequenciesAttr rule) {
  SmallVector<double> frequencies;
  for (int64_t pair = 0, e = rule.getDim() / 2; pair < e; ++pair)
    frequencies.push_back(computeFrequency(rule, pair));
  return frequencies;
}
