//===- RunOptions.cpp - The command line of attn-run ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An option that would have no effect is a mistake, and so an error.
///
//===----------------------------------------------------------------------===//

#include "RunOptions.h"

#include "attn/Execution/NpyIO.h"
#include "attn/Execution/OutputFile.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;

static llvm::Error parseTolerance(StringRef option, StringRef text,
                                  double &value) {
  if (!text.getAsDouble(value) && value >= 0)
    return llvm::Error::success();
  return createStringError(
      "--%s: expects a number that is not negative, got '%s'",
      option.str().c_str(), text.str().c_str());
}

/// Parses `in0=2x12`.
static llvm::Error parseShapeOption(StringRef text,
                                    RandomInputOptions &random) {
  auto [name, sizes] = text.split('=');
  SmallVector<int64_t> shape;
  SmallVector<StringRef> parts;
  if (sizes != "scalar")
    sizes.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return createStringError("--shapes: expects name=AxBx..., got '%s'",
                               text.str().c_str());
    shape.push_back(size);
  }
  if (!random.shapes.try_emplace(name, std::move(shape)).second)
    return createStringError("--shapes: '%s' is given more than once",
                             name.str().c_str());
  return llvm::Error::success();
}

/// Parses `0:2` or `in1=0:2`.
static llvm::Error parseRangeOption(StringRef text,
                                    RandomInputOptions &random) {
  StringRef name, bounds = text;
  if (text.contains('='))
    std::tie(name, bounds) = text.split('=');
  auto [lowText, highText] = bounds.split(':');
  double low, high;
  // Integers beyond 2^53 have no exact double.
  constexpr double limit = 0x1p53;
  if (lowText.getAsDouble(low) || highText.getAsDouble(high) || !(low < high) ||
      low < -limit || high > limit)
    return createStringError(
        "--random-range: expects [name=]low:high with low < high, "
        "got '%s'",
        text.str().c_str());
  ValueRange64 range{low, high};
  bool isNew = true;
  if (!name.empty())
    isNew = random.ranges.try_emplace(name, range).second;
  else if ((isNew = !random.integerRange))
    random.integerRange = range;
  if (isNew)
    return llvm::Error::success();
  return createStringError("--random-range: '%s' is given more than once",
                           name.empty() ? "low:high" : name.str().c_str());
}

/// Options that only some graphs or ways to run them have a use for.
static llvm::Error checkGraphOptions(const RunOptions &options,
                                     const RunSettings &settings) {
  const CompilerFlags &compiler = options.compiler;
  if (settings.isLibrary)
    return rejectOptions({&options.entry, &options.reference, &compiler.cpu,
                          &compiler.noRaise, &compiler.exactMasks,
                          &compiler.noVectorize, &compiler.printStages},
                         "needs a graph, not a library");
  if (llvm::Error error =
          rejectOptions({&options.manifest}, "needs a library, not a graph"))
    return error;
  if (!settings.interprets)
    return llvm::Error::success();
  if (llvm::Error error =
          rejectOptions({&options.benchmark}, "does not go with --reference"))
    return error;
  if (options.reference.empty())
    return rejectOptions({&compiler.cpu, &compiler.threads, &compiler.noRaise,
                          &compiler.exactMasks, &compiler.noVectorize,
                          &compiler.printStages},
                         "does not go with --reference without a stage, which "
                         "compiles nothing");
  const CPUStage *stage = findCPUStage(options.reference);
  if (!stage)
    return createStringError("--reference: unknown stage '%s'; attn-compile "
                             "--emit=mlir-help lists the stages",
                             options.reference.c_str());
  if (stage->kind > CPUStageKind::Linalg)
    return createStringError(
        "--reference: expects a stage on tensors (checked, "
        "raised, planned or linalg), got '%s'",
        options.reference.c_str());
  return llvm::Error::success();
}

/// Whether the input is a compiled library, by its name or by how it starts.
static bool isLibrary(StringRef path) {
  if (llvm::sys::path::extension(path) == ".so")
    return true;
  llvm::file_magic magic;
  return path != "-" && !llvm::identify_magic(path, magic) &&
         magic == llvm::file_magic::elf_shared_object;
}

static llvm::Error parseRandomOptions(const RunOptions &options,
                                      RandomInputOptions &random) {
  if (options.inputs.getNumOccurrences() > 0)
    // Lists have an operator & of their own.
    return rejectOptions({&options.seed, std::addressof(options.shapes),
                          std::addressof(options.ranges)},
                         "does not go with --inputs");
  llvm::Expected<uint64_t> seed =
      parseNumber("seed", options.seed, /*low=*/0, UINT64_MAX);
  if (!seed)
    return seed.takeError();
  random.seed = *seed;
  for (StringRef text : options.shapes)
    if (llvm::Error error = parseShapeOption(text, random))
      return error;
  for (StringRef text : options.ranges)
    if (llvm::Error error = parseRangeOption(text, random))
      return error;
  return llvm::Error::success();
}

static llvm::Error parseCompareOptions(const RunOptions &options,
                                       Tolerance &tolerance) {
  if (options.compare.getNumOccurrences() == 0)
    return rejectOptions({&options.comparePrefix, &options.atol, &options.rtol},
                         "needs --compare");
  if (llvm::Error error =
          parseTolerance("atol", options.atol, tolerance.absolute))
    return error;
  return parseTolerance("rtol", options.rtol, tolerance.relative);
}

static llvm::Error checkOutputs(const RunOptions &options, StringRef manifest) {
  if (options.outputs.getNumOccurrences() == 0)
    return llvm::Error::success();
  if (llvm::Error error = checkArrayPath(options.outputs))
    return createStringError("--outputs: %s",
                             llvm::toString(std::move(error)).c_str());
  for (StringRef input : {StringRef(options.graph), StringRef(options.inputs),
                          StringRef(options.compare), manifest})
    if (llvm::Error error = checkOverwrite(options.outputs, input))
      return error;
  return llvm::Error::success();
}

llvm::Expected<RunSettings> attn::checkOptions(const RunOptions &options) {
  if (options.graph.empty())
    return createStringError("no graph given; expects a .mlir file, a library "
                             "(.so) or - for the standard input");
  RunSettings settings;
  settings.isLibrary = isLibrary(options.graph);
  settings.interprets = options.reference.getNumOccurrences() > 0;
  if (llvm::Error error = checkGraphOptions(options, settings))
    return std::move(error);
  llvm::Expected<unsigned> threads = options.compiler.getThreads();
  if (!threads)
    return threads.takeError();
  settings.threads = *threads;
  if (llvm::Error error = parseRandomOptions(options, settings.random))
    return std::move(error);
  if (llvm::Error error = parseCompareOptions(options, settings.tolerance))
    return std::move(error);
  if (options.benchmark.getNumOccurrences() > 0) {
    constexpr unsigned defaultCalls = 20, maxCalls = 1000000;
    llvm::Expected<uint64_t> numCalls =
        options.benchmark.empty()
            ? defaultCalls
            : parseNumber("benchmark", options.benchmark, /*low=*/1, maxCalls);
    if (!numCalls)
      return numCalls.takeError();
    settings.numCalls = static_cast<unsigned>(*numCalls);
  }
  if (llvm::Error error = checkOutputs(options, options.manifest))
    return std::move(error);
  return settings;
}
