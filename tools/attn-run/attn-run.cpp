//===- attn-run.cpp - Run a graph and compare its results -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles a graph in this process, or loads a library that attn-compile made,
/// calls it with arrays from a file or from a seed, and writes, compares or
/// times the results.
///
//===----------------------------------------------------------------------===//

#include "RunOptions.h"
#include "attn/Execution/Compare.h"
#include "attn/Execution/Compiler.h"
#include "attn/Execution/NpyIO.h"
#include "attn/Execution/Program.h"
#include "attn/Execution/RandomInputs.h"
#include "attn/Execution/ReferenceRun.h"
#include "attn/Execution/ToolSupport.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;
namespace cl = llvm::cl;

static constexpr StringLiteral tool = "attn-run";

static constexpr StringLiteral overview = R"(runs a graph

  The graph is a .mlir file (text or bytecode, linalg on tensors; - is the
  standard input), which is compiled for this machine, or a shared library that
  attn-compile made, with its .json manifest beside it. A library that is not
  the one that its manifest names is refused.

  Inputs are the arrays in0, in1, ... of an .npz file, which may hold others;
  without --inputs they are made from a seed. Results are written as out0, out1,
  ... bf16 arrays are float32 in files.

  --compare prints for each result whether it is within
  |got - expected| <= atol + rtol * |expected|, and where it differs most. NaN
  equals NaN; a NaN or infinity that meets something else is out of tolerance.

Examples:
  attn-run graph.mlir --inputs=data.npz --outputs=out.npz
  attn-run graph.mlir --inputs=data.npz --compare=data.npz --atol=1e-4
  attn-run graph.mlir --seed=7 --shapes=in0=2x12,in1=2x12 --benchmark=50
  attn-run model.so --inputs=data.npz --outputs=out.npz
  attn-run graph.mlir --inputs=data.npz --reference --outputs=truth.npz

Exit codes:
  0  success
  1  wrong usage or input, or the graph cannot be compiled
  2  a result is out of tolerance (--compare)
  3  a run-time check of the graph failed
)";

/// Ends the process when a check in generated code fails.
static void reportAssertion(const char *message) {
  llvm::errs() << tool << ": error: run-time check failed: " << message << "\n";
  _Exit(exitAssertion);
}

/// Names that no input has are mistakes, not wishes to ignore.
template <typename Map>
static llvm::Error checkInputNames(const Map &map, const Signature &signature,
                                   StringRef option) {
  for (const auto &entry : map)
    if (llvm::none_of(signature.inputs, [&](const ValueSpec &spec) {
          return spec.name == entry.first();
        }))
      return createStringError("--%s: the graph has no input '%s'",
                               option.str().c_str(),
                               entry.first().str().c_str());
  return llvm::Error::success();
}

static llvm::Expected<SmallVector<NdArray, 0>>
makeInputsFromSeed(const Signature &signature,
                   const RandomInputOptions &random) {
  if (llvm::Error error = checkInputNames(random.shapes, signature, "shapes"))
    return std::move(error);
  if (llvm::Error error =
          checkInputNames(random.ranges, signature, "random-range"))
    return std::move(error);
  llvm::Expected<SmallVector<NamedArray, 0>> arrays =
      makeRandomInputs(signature, random);
  if (!arrays)
    return arrays.takeError();
  SmallVector<NdArray, 0> inputs;
  for (NamedArray &entry : *arrays)
    inputs.push_back(std::move(entry.array));
  return inputs;
}

/// The inputs among the arrays of a file; it may hold others.
static llvm::Expected<SmallVector<NdArray, 0>>
selectInputs(const Signature &signature, ArrayRef<NamedArray> arrays,
             const RunOptions &options) {
  SmallVector<NdArray, 0> inputs;
  for (const ValueSpec &spec : signature.inputs) {
    const NdArray *array = findArray(arrays, spec.name);
    if (!array)
      return createStringError("'%s' has no array '%s' (expects %s)",
                               options.inputs.c_str(), spec.name.c_str(),
                               spec.format().c_str());
    llvm::Expected<NdArray> input = convertInput(*array, spec);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

namespace {
/// What runs: a compiled program or, in its place, the interpreter.
class Runner {
public:
  Runner(const RunOptions &options, const RunSettings &settings)
      : options(options), settings(settings) {}

  llvm::Error prepare();
  const Signature &getSignature() const { return signature; }
  const Program *getProgram() const { return program ? &*program : nullptr; }
  llvm::Expected<SmallVector<NdArray, 0>> run(MutableArrayRef<NdArray> inputs);

private:
  llvm::Error loadLibrary();
  llvm::Error prepareGraph();
  llvm::Error compileGraph(const CompilerOptions &compiler);

  const RunOptions &options;
  const RunSettings &settings;
  DialectRegistry registry;
  /// Only with a graph.
  std::optional<MLIRContext> context;
  std::optional<ToolDiagnosticHandler> diagnostics;
  OwningOpRef<ModuleOp> module;
  std::optional<Program> program;
  Signature signature;
};
} // namespace

llvm::Error Runner::loadLibrary() {
  SmallString<128> manifest(StringRef(options.manifest));
  if (options.manifest.getNumOccurrences() == 0) {
    manifest = StringRef(options.graph);
    llvm::sys::path::replace_extension(manifest, "json");
  }
  llvm::Expected<Program> loaded = Program::load(options.graph, manifest);
  if (!loaded)
    return loaded.takeError();
  unsigned fixed = loaded->getNumThreads();
  if (fixed != 0 && options.compiler.threads.getNumOccurrences() > 0 &&
      fixed != settings.threads)
    return createStringError("--threads: '%s' was compiled for %u, got %u",
                             options.graph.c_str(), fixed, settings.threads);
  program = std::move(*loaded);
  signature = program->getSignature();
  return llvm::Error::success();
}

/// Takes the graph to the stage that is to be interpreted, or all the way.
llvm::Error Runner::compileGraph(const CompilerOptions &compiler) {
  auto observer = [&](const CPUStage &stage, double seconds) {
    if (options.compiler.printStages)
      printStage(stage.name, seconds);
    return llvm::Error::success();
  };
  if (llvm::Error error =
          runStages(*module, compiler, observer, options.reference))
    return error;
  if (settings.interprets)
    return llvm::Error::success();
  llvm::Expected<Program> compiled =
      Program::compile(*module, options.entry, signature, compiler.target);
  if (!compiled)
    return compiled.takeError();
  program = std::move(*compiled);
  return llvm::Error::success();
}

llvm::Error Runner::prepareGraph() {
  llvm::Expected<CompilerOptions> compiler = options.compiler.makeOptions();
  if (!compiler)
    return compiler.takeError();
  registerCompilerDialects(registry);
  context.emplace(registry);
  diagnostics.emplace(tool, &*context);
  llvm::Expected<OwningOpRef<ModuleOp>> parsed =
      parseGraph(options.graph, &*context);
  if (!parsed)
    return parsed.takeError();
  module = std::move(*parsed);
  llvm::Expected<Signature> found = prepareEntry(*module, options.entry);
  if (!found)
    return found.takeError();
  signature = std::move(*found);
  if (settings.interprets && options.reference.empty())
    return llvm::Error::success();
  return compileGraph(*compiler);
}

llvm::Error Runner::prepare() {
  if (llvm::Error error = settings.isLibrary ? loadLibrary() : prepareGraph())
    return error;
  if (program)
    program->setAssertHandler(reportAssertion);
  return llvm::Error::success();
}

llvm::Expected<SmallVector<NdArray, 0>>
Runner::run(MutableArrayRef<NdArray> inputs) {
  if (!program)
    return runReference(*module, options.entry, inputs);
  llvm::Expected<ProgramResult> result = program->run(inputs);
  if (!result)
    return result.takeError();
  return std::move(result->outputs);
}

/// What --compare compares each result with; none without it.
static llvm::Expected<SmallVector<const NdArray *>>
findExpected(const Signature &signature, ArrayRef<NamedArray> arrays,
             const RunOptions &options) {
  SmallVector<const NdArray *> expected;
  if (options.compare.getNumOccurrences() == 0)
    return expected;
  for (size_t index = 0; index < signature.outputs.size(); ++index) {
    std::string name = options.comparePrefix + std::to_string(index);
    expected.push_back(findArray(arrays, name));
    if (!expected.back())
      return createStringError("'%s' has no array '%s'",
                               options.compare.c_str(), name.c_str());
  }
  return expected;
}

/// Prints the report; returns whether all results are within tolerance.
static llvm::Expected<bool> compareResults(ArrayRef<NamedArray> results,
                                           ArrayRef<const NdArray *> expected,
                                           const Tolerance &tolerance) {
  bool allPassed = true;
  for (auto [result, other] : llvm::zip_equal(results, expected)) {
    llvm::Expected<Comparison> comparison =
        compareArrays(result.array, *other, tolerance);
    if (!comparison)
      return createStringError("%s: %s", result.name.c_str(),
                               llvm::toString(comparison.takeError()).c_str());
    llvm::outs() << result.name << ": ";
    printComparison(*comparison, result.array, *other, llvm::outs());
    llvm::outs() << "\n";
    allPassed &= comparison->passed();
  }
  return allPassed;
}

static llvm::Error runBenchmark(const Program &program,
                                MutableArrayRef<NdArray> inputs,
                                unsigned count) {
  SmallVector<double> times;
  // The first calls fill caches and start threads.
  unsigned numWarmUps = std::min(count, 3u);
  for (unsigned i = 0; i < numWarmUps + count; ++i) {
    llvm::Expected<ProgramResult> result = program.run(inputs);
    if (!result)
      return result.takeError();
    if (i >= numWarmUps)
      times.push_back(result->seconds);
  }
  llvm::sort(times);
  llvm::outs() << llvm::format(
      "benchmark: %u calls, min %.3f ms, median %.3f ms, max %.3f ms, "
      "median/min %.2f\n",
      count, times.front() * 1e3, times[count / 2] * 1e3, times.back() * 1e3,
      times[count / 2] / times.front());
  return llvm::Error::success();
}

namespace {
/// The files with arrays, read before anything is compiled, and the one that
/// holds inputs and expected results only once.
class ArrayFiles {
public:
  llvm::Error read(const RunOptions &options);

  ArrayRef<NamedArray> getInputs() const { return inputs; }
  ArrayRef<NamedArray> getExpected() const {
    return sameFile ? inputs : expected;
  }

private:
  SmallVector<NamedArray, 0> inputs;
  SmallVector<NamedArray, 0> expected;
  bool sameFile = false;
};
} // namespace

llvm::Error ArrayFiles::read(const RunOptions &options) {
  auto readInto = [](StringRef path,
                     SmallVector<NamedArray, 0> &result) -> llvm::Error {
    llvm::Expected<SmallVector<NamedArray, 0>> arrays = readArrays(path);
    if (!arrays)
      return arrays.takeError();
    result = std::move(*arrays);
    return llvm::Error::success();
  };
  bool hasInputs = options.inputs.getNumOccurrences() > 0;
  if (hasInputs)
    if (llvm::Error error = readInto(options.inputs, inputs))
      return error;
  if (options.compare.getNumOccurrences() == 0)
    return llvm::Error::success();
  sameFile =
      hasInputs && options.compare.getValue() == options.inputs.getValue();
  return sameFile ? llvm::Error::success()
                  : readInto(options.compare, expected);
}

static llvm::Expected<int> run(const RunOptions &options) {
  llvm::Expected<RunSettings> settings = checkOptions(options);
  if (!settings)
    return settings.takeError();
  ArrayFiles files;
  if (llvm::Error error = files.read(options))
    return std::move(error);
  if (settings->threads > 0)
    setNumThreads(settings->threads);
  Runner runner(options, *settings);
  if (llvm::Error error = runner.prepare())
    return std::move(error);
  // Before the program runs, so that a mistake does not cost its time.
  const Signature &signature = runner.getSignature();
  if (llvm::Error error =
          checkNumArrays(options.outputs, signature.outputs.size()))
    return std::move(error);
  llvm::Expected<SmallVector<const NdArray *>> expected =
      findExpected(signature, files.getExpected(), options);
  if (!expected)
    return expected.takeError();
  llvm::Expected<SmallVector<NdArray, 0>> inputs =
      options.inputs.getNumOccurrences() > 0
          ? selectInputs(signature, files.getInputs(), options)
          : makeInputsFromSeed(signature, settings->random);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<SmallVector<NdArray, 0>> results = runner.run(*inputs);
  if (!results)
    return results.takeError();

  SmallVector<NamedArray, 0> outputs;
  for (auto [spec, array] : llvm::zip_equal(signature.outputs, *results)) {
    llvm::Expected<NdArray> output = convertOutput(std::move(array));
    if (!output)
      return output.takeError();
    outputs.push_back({spec.name, std::move(*output)});
  }
  if (options.outputs.getNumOccurrences() > 0)
    if (llvm::Error error = writeArrays(options.outputs, outputs))
      return std::move(error);
  int exitCode = exitSuccess;
  if (options.compare.getNumOccurrences() > 0) {
    llvm::Expected<bool> passed =
        compareResults(outputs, *expected, settings->tolerance);
    if (!passed)
      return passed.takeError();
    exitCode = *passed ? exitSuccess : exitMismatch;
  }
  if (settings->numCalls > 0)
    if (llvm::Error error =
            runBenchmark(*runner.getProgram(), *inputs, settings->numCalls))
      return std::move(error);
  return exitCode;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  ignoreWriteSignals();
  cl::ResetCommandLineParser();
  RunOptions options;
  if (!parseCommandLine(argc, argv, tool, overview,
                        {&options.graphs, &options.data, &options.measuring}))
    return exitFailure;
  if (options.compiler.listCPUs())
    return finishOutput(tool, exitSuccess);
  llvm::Expected<int> exitCode = run(options);
  if (!exitCode)
    return reportError(tool, exitCode.takeError());
  return finishOutput(tool, *exitCode);
}
