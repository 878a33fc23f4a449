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
  attn-compile made, with its .json manifest beside it.

  Inputs are the arrays in0, in1, ... of an .npz file; without --inputs they are
  made from a seed. Results are written as out0, out1, ... bf16 arrays are
  float32 in files.

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

namespace {
/// The command line. Made after the options of the LLVM library are dropped,
/// which would clash with these.
struct RunOptions {
  cl::OptionCategory category{"attn-run options"};
  cl::opt<std::string> inputPath{cl::Positional, cl::Required,
                                 cl::desc("<graph.mlir | model.so>"),
                                 cl::cat(category)};
  cl::opt<std::string> entry{"entry", cl::init("main"),
                             cl::desc("Function to run (main)"),
                             cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> inputs{
      "inputs", cl::desc("Arrays in0, in1, ... (.npz), or in0 (.npy)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> outputs{"outputs",
                               cl::desc("Where the results go (.npz or .npy)"),
                               cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> compare{"compare", cl::desc("Expected results (.npz)"),
                               cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> comparePrefix{
      "compare-prefix", cl::init("out"), cl::value_desc("prefix"),
      cl::desc("Names of the expected arrays: <prefix>0, ... (out)"),
      cl::cat(category)};
  cl::opt<std::string> atol{"atol", cl::init("1e-5"), cl::value_desc("x"),
                            cl::desc("Absolute tolerance of --compare (1e-5)"),
                            cl::cat(category)};
  cl::opt<std::string> rtol{
      "rtol", cl::init("1e-4"), cl::value_desc("x"),
      cl::desc("Tolerance relative to the expected value (1e-4)"),
      cl::cat(category)};
  cl::opt<std::string> seed{
      "seed", cl::init("0"), cl::value_desc("n"),
      cl::desc("Seed of random inputs (0): floats are N(0, 1), integers in "
               "[0, 8), bools 0 or 1"),
      cl::cat(category)};
  cl::list<std::string> shapes{
      "shapes", cl::CommaSeparated, cl::value_desc("in0=2x12,..."),
      cl::desc("Shapes of random inputs with dynamic sizes"),
      cl::cat(category)};
  cl::list<std::string> ranges{
      "random-range", cl::CommaSeparated, cl::value_desc("[inN=]a:b"),
      cl::desc("Random inputs in [a, b): all integer inputs, or the one named"),
      cl::cat(category)};
  CompilerFlags compiler{category};
  cl::opt<bool> noVectorize{"no-vectorize",
                            cl::desc("Compile to plain scalar loops"),
                            cl::cat(category)};
  cl::opt<std::string> reference{
      "reference", cl::ValueOptional, cl::value_desc("stage"),
      cl::desc("Interpret in double precision instead of compiling: the graph "
               "as it is, or as it is after a stage"),
      cl::cat(category)};
  cl::opt<std::string> manifest{
      "manifest", cl::value_desc("file"),
      cl::desc("Manifest of a library (beside it, .json)"), cl::cat(category)};
  cl::opt<std::string> benchmark{
      "benchmark", cl::ValueOptional, cl::value_desc("n"),
      cl::desc("Call the function n times (20) after warming up, print times"),
      cl::cat(category)};
};
} // namespace

/// Ends the process when a check in generated code fails.
static void reportAssertion(const char *message) {
  llvm::errs() << tool << ": error: run-time check failed: " << message << "\n";
  _Exit(exitAssertion);
}

/// Numbers come as text, since LLVM reports bad ones in a form of its own.
template <typename T>
static llvm::Error parseNumber(StringRef option, StringRef text, T &value) {
  if (!text.getAsInteger(10, value))
    return llvm::Error::success();
  return createStringError("--%s: expects a number, got '%s'",
                           option.str().c_str(), text.str().c_str());
}

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
  random.shapes[name] = std::move(shape);
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
  if (name.empty())
    random.integerRange = ValueRange64{low, high};
  else
    random.ranges[name] = ValueRange64{low, high};
  return llvm::Error::success();
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
makeInputsFromSeed(const Signature &signature, const RunOptions &options) {
  RandomInputOptions random;
  if (llvm::Error error = parseNumber("seed", options.seed, random.seed))
    return std::move(error);
  for (StringRef text : options.shapes)
    if (llvm::Error error = parseShapeOption(text, random))
      return std::move(error);
  for (StringRef text : options.ranges)
    if (llvm::Error error = parseRangeOption(text, random))
      return std::move(error);
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

static llvm::Expected<SmallVector<NdArray, 0>>
readInputs(const Signature &signature, const RunOptions &options) {
  if (options.inputs.empty())
    return makeInputsFromSeed(signature, options);
  llvm::Expected<SmallVector<NamedArray, 0>> arrays =
      readArrays(options.inputs);
  if (!arrays)
    return arrays.takeError();
  SmallVector<NdArray, 0> inputs;
  for (const ValueSpec &spec : signature.inputs) {
    const NdArray *array = findArray(*arrays, spec.name);
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
  Runner(const RunOptions &options, unsigned threads)
      : options(options), threads(threads) {}

  llvm::Error prepare();
  const Signature &getSignature() const { return signature; }
  const Program *getProgram() const { return program ? &*program : nullptr; }
  llvm::Expected<SmallVector<NdArray, 0>> run(MutableArrayRef<NdArray> inputs);

private:
  llvm::Error loadLibrary();
  llvm::Error prepareGraph();

  const RunOptions &options;
  unsigned threads;
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
  if (manifest.empty()) {
    manifest = StringRef(options.inputPath);
    llvm::sys::path::replace_extension(manifest, "json");
  }
  llvm::Expected<Program> loaded = Program::load(options.inputPath, manifest);
  if (!loaded)
    return loaded.takeError();
  program = std::move(*loaded);
  signature = program->getSignature();
  return llvm::Error::success();
}

/// Reads a graph and either compiles it or takes it to the stage that is to be
/// interpreted.
llvm::Error Runner::prepareGraph() {
  llvm::Expected<CPUTarget> target = CPUTarget::get(options.compiler.cpu);
  if (!target)
    return target.takeError();
  registerCompilerDialects(registry);
  context.emplace(registry);
  diagnostics.emplace(tool, &*context);
  llvm::Expected<OwningOpRef<ModuleOp>> parsed =
      parseGraph(options.inputPath, &*context);
  if (!parsed)
    return parsed.takeError();
  module = std::move(*parsed);
  llvm::Expected<Signature> found = prepareEntry(*module, options.entry);
  if (!found)
    return found.takeError();
  signature = std::move(*found);

  bool interprets = options.reference.getNumOccurrences() > 0;
  if (interprets && options.reference.empty())
    return llvm::Error::success();
  if (interprets &&
      llvm::none_of(getCompilerStages(), [&](const CompilerStage &stage) {
        return stage.name == options.reference;
      }))
    return createStringError("--reference: unknown stage '%s'; attn-compile "
                             "--emit=mlir-help lists the stages",
                             options.reference.c_str());
  CompilerOptions compilerOptions{*target};
  compilerOptions.raise = !options.compiler.noRaise;
  compilerOptions.vectorize = !options.noVectorize;
  compilerOptions.threads = threads;
  auto observer = [&](const CompilerStage &stage, double seconds) {
    if (options.compiler.printStages)
      printStage(stage.name, seconds);
    return llvm::Error::success();
  };
  if (llvm::Error error =
          runStages(*module, compilerOptions, observer, options.reference))
    return error;
  if (interprets)
    return llvm::Error::success();
  llvm::Expected<Program> compiled =
      Program::compile(*module, options.entry, signature, *target);
  if (!compiled)
    return compiled.takeError();
  program = std::move(*compiled);
  return llvm::Error::success();
}

llvm::Error Runner::prepare() {
  bool isLibrary = llvm::sys::path::extension(options.inputPath) == ".so";
  if (isLibrary && options.reference.getNumOccurrences() > 0)
    return createStringError("--reference needs a graph, not a library");
  if (llvm::Error error = isLibrary ? loadLibrary() : prepareGraph())
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

/// Prints the report; returns whether all results are within tolerance.
static llvm::Expected<bool> compareResults(ArrayRef<NamedArray> results,
                                           ArrayRef<NamedArray> expected,
                                           const Tolerance &tolerance,
                                           const RunOptions &options) {
  bool allPassed = true;
  for (auto [index, result] : llvm::enumerate(results)) {
    std::string name = options.comparePrefix + std::to_string(index);
    const NdArray *other = findArray(expected, name);
    if (!other)
      return createStringError("'%s' has no array '%s'",
                               options.compare.c_str(), name.c_str());
    llvm::Expected<Comparison> comparison =
        compareArrays(result.array, *other, tolerance);
    if (!comparison)
      return createStringError("%s: %s", result.name.c_str(),
                               llvm::toString(comparison.takeError()).c_str());
    llvm::outs() << result.name << ": ";
    printComparison(*comparison, isComplex(result.array.getType()),
                    llvm::outs());
    llvm::outs() << "\n";
    allPassed &= comparison->passed();
  }
  return allPassed;
}

static llvm::Error runBenchmark(const Program &program,
                                MutableArrayRef<NdArray> inputs,
                                const RunOptions &options) {
  unsigned count = 20;
  if (!options.benchmark.empty() &&
      (StringRef(options.benchmark).getAsInteger(10, count) || count == 0))
    return createStringError("--benchmark: expects a positive number, got '%s'",
                             options.benchmark.c_str());
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

static llvm::Expected<int> run(const RunOptions &options) {
  // Before the program runs, so that a typing error does not cost its time.
  SmallVector<NamedArray, 0> expected;
  if (!options.compare.empty()) {
    llvm::Expected<SmallVector<NamedArray, 0>> arrays =
        readArrays(options.compare);
    if (!arrays)
      return arrays.takeError();
    expected = std::move(*arrays);
  }
  if (options.benchmark.getNumOccurrences() > 0 &&
      options.reference.getNumOccurrences() > 0)
    return createStringError("--benchmark does not go with --reference");
  Tolerance tolerance;
  if (llvm::Error error =
          parseTolerance("atol", options.atol, tolerance.absolute))
    return std::move(error);
  if (llvm::Error error =
          parseTolerance("rtol", options.rtol, tolerance.relative))
    return std::move(error);
  llvm::Expected<unsigned> threads = options.compiler.getThreads();
  if (!threads)
    return threads.takeError();
  if (*threads > 0)
    setNumThreads(*threads);
  Runner runner(options, *threads);
  if (llvm::Error error = runner.prepare())
    return std::move(error);
  const Signature &signature = runner.getSignature();
  llvm::Expected<SmallVector<NdArray, 0>> inputs =
      readInputs(signature, options);
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
  if (!options.outputs.empty())
    if (llvm::Error error = writeArrays(options.outputs, outputs))
      return std::move(error);
  int exitCode = exitSuccess;
  if (!options.compare.empty()) {
    llvm::Expected<bool> passed =
        compareResults(outputs, expected, tolerance, options);
    if (!passed)
      return passed.takeError();
    exitCode = *passed ? exitSuccess : exitMismatch;
  }
  if (options.benchmark.getNumOccurrences() > 0)
    if (llvm::Error error =
            runBenchmark(*runner.getProgram(), *inputs, options))
      return std::move(error);
  return exitCode;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::ResetCommandLineParser();
  RunOptions options;
  if (!parseCommandLine(argc, argv, tool, overview, options.category))
    return exitFailure;
  if (options.compiler.listCPUs())
    return exitSuccess;
  llvm::Expected<int> exitCode = run(options);
  return exitCode ? *exitCode : reportError(tool, exitCode.takeError());
}
