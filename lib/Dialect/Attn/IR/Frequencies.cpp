//===- Frequencies.cpp - Rules for rotary frequencies -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The frequency rules: which parameters each takes, their values in double
/// precision, and their assembly.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace mlir::attn;

ArrayRef<StringRef> FrequenciesAttr::getParameterNames(FrequencyRule rule) {
  static constexpr StringRef defaultNames[] = {"base"};
  static constexpr StringRef linearNames[] = {"base", "factor"};
  static constexpr StringRef llama3Names[] = {
      "base", "factor", "low_freq_factor", "high_freq_factor",
      "original_length"};
  static constexpr StringRef yarnNames[] = {
      "base",      "factor",    "original_length",
      "beta_fast", "beta_slow", "truncate"};
  switch (rule) {
  case FrequencyRule::Default:
    return defaultNames;
  case FrequencyRule::Linear:
    return linearNames;
  case FrequencyRule::Llama3:
    return llama3Names;
  case FrequencyRule::Yarn:
    return yarnNames;
  }
  llvm_unreachable("unknown frequency rule");
}

double FrequenciesAttr::getParameter(StringRef name) const {
  return getParameters().getAs<FloatAttr>(name).getValueAsDouble();
}

FrequenciesAttr FrequenciesAttr::get(MLIRContext *context, FrequencyRule rule,
                                     int64_t dim, ArrayRef<double> values) {
  Builder builder(context);
  SmallVector<NamedAttribute> parameters;
  for (auto [name, value] : llvm::zip_equal(getParameterNames(rule), values))
    parameters.push_back(
        builder.getNamedAttr(name, builder.getF64FloatAttr(value)));
  return get(context, rule, dim, builder.getDictionaryAttr(parameters));
}

LogicalResult
FrequenciesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        FrequencyRule rule, int64_t dim,
                        DictionaryAttr parameters) {
  // The bound keeps `evaluate` from exhausting memory.
  constexpr int64_t maxDim = 1 << 20;
  if (dim <= 0 || dim % 2 || dim > maxDim)
    return emitError() << "expects a positive even 'dim' of the frequencies, "
                          "at most "
                       << maxDim << ", got " << dim;
  ArrayRef<StringRef> names = getParameterNames(rule);
  for (NamedAttribute parameter : parameters)
    if (!llvm::is_contained(names, parameter.getName().strref()))
      return emitError() << "frequency rule '" << stringifyFrequencyRule(rule)
                         << "' has no parameter '"
                         << parameter.getName().strref() << "'";
  for (StringRef name : names) {
    auto value = parameters.getAs<FloatAttr>(name);
    if (!value || !value.getType().isF64())
      return emitError() << "frequency rule '" << stringifyFrequencyRule(rule)
                         << "' expects parameter '" << name << "'";
    double number = value.getValueAsDouble();
    bool finite = std::isfinite(number) || (name == "base" && number > 0);
    bool inRange = name == "truncate" ? number == 0 || number == 1 : number > 0;
    if (!finite || !inRange)
      return emitError() << "expects parameter '" << name
                         << "' of the frequencies to be "
                         << (name == "truncate" ? "0 or 1" : "positive")
                         << ", got " << number;
  }
  auto number = [&](StringRef name) {
    return parameters.getAs<FloatAttr>(name).getValueAsDouble();
  };
  if (rule == FrequencyRule::Llama3 &&
      number("high_freq_factor") <= number("low_freq_factor"))
    return emitError() << "expects 'high_freq_factor' ("
                       << number("high_freq_factor")
                       << ") to exceed 'low_freq_factor' ("
                       << number("low_freq_factor") << ")";
  // YaRN divides by the logarithm of the base.
  if (rule == FrequencyRule::Yarn &&
      (number("base") <= 1 || !std::isfinite(number("base"))))
    return emitError() << "expects a finite 'base' above 1 for frequency rule "
                          "'yarn', got "
                       << number("base");
  return success();
}

/// YaRN's ramp from unscaled (0) to scaled (1) frequencies.
static double yarnRamp(const FrequenciesAttr &rule, int64_t index) {
  double dim = rule.getDim();
  auto correction = [&](double beta) {
    return dim *
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
  high = std::min(high, dim - 1);
  if (low == high)
    high += 0.001;
  return std::clamp((index - low) / (high - low), 0.0, 1.0);
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

SmallVector<double> FrequenciesAttr::evaluate() const {
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < getDim() / 2; ++i) {
    // An infinite base gives 1 at i = 0 and 0 elsewhere.
    double frequency = std::pow(getParameter("base"),
                                -2.0 * i / static_cast<double>(getDim()));
    switch (getRule()) {
    case FrequencyRule::Default:
      break;
    case FrequencyRule::Linear:
      frequency /= getParameter("factor");
      break;
    case FrequencyRule::Llama3:
      frequency *= llama3Scale(*this, frequency);
      break;
    case FrequencyRule::Yarn: {
      double ramp = yarnRamp(*this, i);
      frequency =
          frequency * (1 - ramp) + frequency / getParameter("factor") * ramp;
      break;
    }
    }
    frequencies.push_back(frequency);
  }
  return frequencies;
}

Attribute FrequenciesAttr::parse(AsmParser &parser, Type) {
  StringRef ruleName;
  int64_t dim;
  SMLoc ruleLoc;
  if (parser.parseLess() || parser.getCurrentLocation(&ruleLoc) ||
      parser.parseKeyword(&ruleName))
    return {};
  std::optional<FrequencyRule> rule = symbolizeFrequencyRule(ruleName);
  if (!rule) {
    InFlightDiagnostic diag = parser.emitError(ruleLoc)
                              << "expects a frequency rule (";
    auto rules = llvm::seq<unsigned>(0, getMaxEnumValForFrequencyRule() + 1);
    llvm::interleaveComma(rules, diag, [&](unsigned value) {
      diag << stringifyFrequencyRule(*symbolizeFrequencyRule(value));
    });
    diag << "), got '" << ruleName << "'";
    return {};
  }
  if (parser.parseComma() || parser.parseKeyword("dim") ||
      parser.parseEqual() || parser.parseInteger(dim))
    return {};
  Builder &builder = parser.getBuilder();
  NamedAttrList parameters;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    double value;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    if (succeeded(parser.parseOptionalKeyword("inf")))
      value = std::numeric_limits<double>::infinity();
    else if (parser.parseFloat(value))
      return {};
    if (parameters.get(name)) {
      parser.emitError(loc)
          << "expects each parameter of the frequencies once, "
             "got '"
          << name << "' twice";
      return {};
    }
    parameters.append(name, builder.getF64FloatAttr(value));
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<FrequenciesAttr>(
      ruleLoc, parser.getContext(), *rule, dim,
      parameters.getDictionary(parser.getContext()));
}

void FrequenciesAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyFrequencyRule(getRule()) << ", dim = " << getDim();
  for (StringRef name : getParameterNames(getRule())) {
    printer << ", " << name << " = ";
    double value = getParameter(name);
    if (std::isinf(value))
      printer << "inf";
    else
      printer.printFloat(APFloat(value));
  }
  printer << ">";
}
