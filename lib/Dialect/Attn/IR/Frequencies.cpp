//===- Frequencies.cpp - Rules for rotary frequencies -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The frequency rules: which parameters each takes, their verification and
/// assembly.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <limits>

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
  static constexpr StringRef ntkNames[] = {"base", "alpha"};
  static constexpr StringRef mixedNames[] = {"base", "factor", "exponent"};
  static constexpr StringRef dynamicNames[] = {"base", "factor",
                                               "original_length"};
  static constexpr StringRef longRopeNames[] = {"base", "original_length",
                                                "short", "long"};
  static constexpr StringRef proportionalNames[] = {"base", "factor", "pairs"};
  switch (rule) {
  case FrequencyRule::Default:
    return defaultNames;
  case FrequencyRule::Linear:
  case FrequencyRule::NtkTwoStep:
    return linearNames;
  case FrequencyRule::Llama3:
    return llama3Names;
  case FrequencyRule::Yarn:
    return yarnNames;
  case FrequencyRule::Ntk:
    return ntkNames;
  case FrequencyRule::NtkMixed:
    return mixedNames;
  case FrequencyRule::DynamicNtk:
    return dynamicNames;
  case FrequencyRule::LongRope:
    return longRopeNames;
  case FrequencyRule::Proportional:
    return proportionalNames;
  }
  llvm_unreachable("unknown frequency rule");
}

static bool isList(StringRef name) { return name == "short" || name == "long"; }
static bool isInteger(StringRef name) { return name == "pairs"; }

bool FrequenciesAttr::isOfRunTime() const {
  return getRule() == FrequencyRule::DynamicNtk ||
         getRule() == FrequencyRule::LongRope;
}

double FrequenciesAttr::getParameter(StringRef name) const {
  if (isInteger(name))
    return getParameters().getAs<IntegerAttr>(name).getInt();
  return getParameters().getAs<FloatAttr>(name).getValueAsDouble();
}

ArrayRef<double> FrequenciesAttr::getList(StringRef name) const {
  return getParameters().getAs<DenseF64ArrayAttr>(name).asArrayRef();
}

FrequenciesAttr FrequenciesAttr::get(MLIRContext *context, FrequencyRule rule,
                                     int64_t dim, ArrayRef<double> values) {
  Builder builder(context);
  SmallVector<NamedAttribute> parameters;
  for (auto [name, value] : llvm::zip_equal(getParameterNames(rule), values)) {
    assert(!isList(name) && "the rule takes lists");
    Attribute parameter = builder.getF64FloatAttr(value);
    if (isInteger(name))
      parameter = builder.getI64IntegerAttr(static_cast<int64_t>(value));
    parameters.push_back(builder.getNamedAttr(name, parameter));
  }
  return get(context, rule, dim, builder.getDictionaryAttr(parameters));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyNumber(EmitError emitError, StringRef name,
                                  double number) {
  bool finite = std::isfinite(number) || (name == "base" && number > 0);
  bool inRange = name == "truncate" ? number == 0 || number == 1 : number > 0;
  StringRef expected = "positive and finite";
  if (name == "truncate")
    expected = "0.0 or 1.0";
  else if (name == "base")
    expected = "positive";
  // frequencies_c5
  if (!finite || !inRange)
    return emitError() << "expects parameter '" << name
                       << "' of the frequencies to be " << expected << ", got "
                       << number;
  return success();
}

static LogicalResult verifyList(EmitError emitError, StringRef name,
                                ArrayRef<double> numbers, int64_t pairs) {
  // frequencies_c7
  if (static_cast<int64_t>(numbers.size()) != pairs)
    return emitError() << "expects parameter '" << name
                       << "' of the frequencies to have " << pairs
                       << " numbers, got " << numbers.size();
  for (double number : numbers)
    if (failed(verifyNumber(emitError, name, number)))
      return failure();
  return success();
}

static LogicalResult verifyParameter(EmitError emitError, StringRef name,
                                     Attribute value, FrequencyRule rule,
                                     int64_t dim) {
  auto number = dyn_cast_or_null<FloatAttr>(value);
  if (number && number.getType().isF64() && !isList(name) && !isInteger(name))
    return verifyNumber(emitError, name, number.getValueAsDouble());
  auto list = dyn_cast_or_null<DenseF64ArrayAttr>(value);
  if (list && isList(name))
    return verifyList(emitError, name, list.asArrayRef(), dim / 2);
  auto integer = dyn_cast_or_null<IntegerAttr>(value);
  // frequencies_c4
  if (!integer || !integer.getType().isInteger(64) || !isInteger(name)) {
    InFlightDiagnostic diag =
        emitError() << "expects parameter '" << name << "' for frequency rule '"
                    << stringifyFrequencyRule(rule) << "', got ";
    return value ? diag << value : diag << "none";
  }
  // frequencies_c6
  if (integer.getInt() < 0 || integer.getInt() > dim / 2)
    return emitError() << "expects parameter '" << name
                       << "' of the frequencies to be from 0 to " << dim / 2
                       << ", got " << integer.getInt();
  return success();
}

LogicalResult FrequenciesAttr::verify(EmitError emitError, FrequencyRule rule,
                                      int64_t dim, DictionaryAttr parameters) {
  // The bound keeps `evaluate` from exhausting memory.
  constexpr int64_t maxDim = 1 << 20;
  // frequencies_c2
  if (dim <= 0 || dim % 2 || dim > maxDim)
    return emitError() << "expects a positive even 'dim' of the frequencies, "
                          "at most "
                       << maxDim << ", got " << dim;
  ArrayRef<StringRef> names = getParameterNames(rule);
  // frequencies_c3
  for (NamedAttribute parameter : parameters)
    if (StringRef name = parameter.getName(); !llvm::is_contained(names, name))
      return emitError() << "expects no parameter '" << name
                         << "' for frequency rule '"
                         << stringifyFrequencyRule(rule) << "', got "
                         << parameter.getValue();
  for (StringRef name : names)
    if (failed(
            verifyParameter(emitError, name, parameters.get(name), rule, dim)))
      return failure();
  auto number = [&](StringRef name) {
    return parameters.getAs<FloatAttr>(name).getValueAsDouble();
  };
  // frequencies_c8
  if (rule == FrequencyRule::Llama3 &&
      number("high_freq_factor") <= number("low_freq_factor"))
    return emitError() << "expects 'high_freq_factor' ("
                       << number("high_freq_factor")
                       << ") to exceed 'low_freq_factor' ("
                       << number("low_freq_factor") << ")";
  // frequencies_c9: YaRN divides by the logarithm of the base.
  if (rule == FrequencyRule::Yarn &&
      (number("base") <= 1 || !std::isfinite(number("base"))))
    return emitError() << "expects a finite 'base' above 1 for frequency rule "
                          "'yarn', got "
                       << number("base");
  // frequencies_c11: equal, they bound a ramp of no width, a step.
  if (rule == FrequencyRule::Yarn && number("beta_fast") < number("beta_slow"))
    return emitError() << "expects 'beta_fast' (" << number("beta_fast")
                       << ") to be at least 'beta_slow' ("
                       << number("beta_slow") << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Parses a number, which may be infinite.
static ParseResult parseNumber(AsmParser &parser, double &value) {
  if (succeeded(parser.parseOptionalKeyword("inf"))) {
    value = std::numeric_limits<double>::infinity();
    return success();
  }
  return parser.parseFloat(value);
}

/// Parses the value of parameter `name`, or returns null after an error.
static Attribute parseValue(AsmParser &parser, StringRef name) {
  Builder &builder = parser.getBuilder();
  if (isInteger(name)) {
    int64_t value;
    return parser.parseInteger(value) ? Attribute()
                                      : builder.getI64IntegerAttr(value);
  }
  if (isList(name)) {
    SmallVector<double> values;
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parseNumber(parser, values.emplace_back());
        }))
      return {};
    return builder.getDenseF64ArrayAttr(values);
  }
  double value;
  return parseNumber(parser, value) ? Attribute()
                                    : builder.getF64FloatAttr(value);
}

static void printNumber(AsmPrinter &printer, double value) {
  if (std::isinf(value))
    printer << "inf";
  else
    printer.printFloat(APFloat(value));
}

Attribute FrequenciesAttr::parse(AsmParser &parser, Type) {
  StringRef ruleName;
  int64_t dim;
  SMLoc ruleLoc;
  if (parser.parseLess() || parser.getCurrentLocation(&ruleLoc) ||
      parser.parseKeyword(&ruleName))
    return {};
  std::optional<FrequencyRule> rule = symbolizeFrequencyRule(ruleName);
  // frequencies_c1
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
  NamedAttrList parameters;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return {};
    // frequencies_c10: before the value, which for `dim` has another syntax.
    if (name == "dim" || parameters.get(name)) {
      parser.emitError(loc)
          << "expects each parameter of the frequencies once, "
             "got '"
          << name << "' twice";
      return {};
    }
    if (parser.parseEqual())
      return {};
    Attribute value = parseValue(parser, name);
    if (!value)
      return {};
    parameters.append(name, value);
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
    if (isInteger(name)) {
      printer << static_cast<int64_t>(getParameter(name));
    } else if (isList(name)) {
      printer << "[";
      llvm::interleaveComma(getList(name), printer,
                            [&](double value) { printNumber(printer, value); });
      printer << "]";
    } else {
      printNumber(printer, getParameter(name));
    }
  }
  printer << ">";
}
