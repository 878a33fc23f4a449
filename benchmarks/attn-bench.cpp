//===- attn-bench.cpp - Attention against the peak --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles the attention of each case of a configuration as attn-run does,
/// runs it in turns with a loop of independent fused multiply-adds, and prints
/// its rate as a fraction of the rate of that loop. See README.md.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Compiler.h"
#include "attn/Execution/Program.h"
#include "attn/Execution/RandomInputs.h"
#include "attn/Execution/ToolSupport.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

#include <ctime>

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;
namespace cl = llvm::cl;

static constexpr StringLiteral tool = "attn-bench";

namespace {
/// The command line. Made after the options of the LLVM library are dropped,
/// which would clash with these.
struct BenchOptions {
  cl::OptionCategory category{"attn-bench options"};
  cl::opt<std::string> config{cl::Positional, cl::Required,
                              cl::desc("<config.json>"), cl::cat(category)};
  cl::opt<std::string> json{"json", cl::desc("Write the results to this file"),
                            cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> filter{
      "filter", cl::desc("Run only cases whose name contains this"),
      cl::value_desc("text"), cl::cat(category)};
  cl::opt<unsigned> repetitions{"repetitions", cl::init(10),
                                cl::desc("Repetitions of each case (10)"),
                                cl::value_desc("n"), cl::cat(category)};
};

/// How many pairs of a head are kept.
constexpr int64_t allPairs = -1;
constexpr int64_t causalPairs = -2;

struct Case {
  std::string name, type = "f32", rotary = "none", mask = "none", bias = "none";
  int64_t batch = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1,
          headDim = 64;
  /// Kept pairs of one head, or one of the constants.
  int64_t pairs = allPairs;
  SmallVector<int64_t> plan;

  /// Useful operations.
  double countOperations() const;
  std::string formatSource() const;
  std::string getAccumulator() const { return type == "f64" ? "f64" : "f32"; }
};

/// A loop of independent multiply-adds, with enough chains to hide the latency
/// of one and few enough to stay in registers.
class PeakLoop {
public:
  PeakLoop(const CPUTarget &target, StringRef type) : type(type) {
    bool isWide = target.hasFeature("avx512f");
    lanes = (isWide ? 512 : 256) / (type == "f64" ? 64 : 32);
    chains = isWide ? 24 : 12;
  }

  /// A function of the number of iterations and of a number.
  std::string formatSource() const;
  double countOperations() const {
    return 2.0 * numIterations * chains * lanes;
  }

  static constexpr int64_t numIterations = 1 << 20;

private:
  std::string type;
  unsigned lanes;
  unsigned chains;
};

/// A compiled function with its inputs.
struct Benchmark {
  Program program;
  SmallVector<NdArray, 0> inputs;

  /// The CPU time of a call: other processes on the machine do not count.
  llvm::Expected<double> measure();
};

struct Result {
  double medianRatio, bestRatio, bestRate, compileSeconds;
};
} // namespace

double Case::countOperations() const {
  double kept = static_cast<double>(queries) * keys;
  if (pairs == causalPairs)
    kept = queries * (queries + 1) / 2.0;
  else if (pairs != allPairs)
    kept = pairs;
  return kept * 4 * headDim * batch * heads;
}

static std::string formatType(ArrayRef<int64_t> shape, StringRef element) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "tensor<";
  for (int64_t size : shape)
    os << size << 'x';
  os << element << '>';
  return text;
}

std::string Case::formatSource() const {
  std::string q = formatType({batch, heads, queries, headDim}, type);
  std::string k = formatType({batch, keyHeads, keys, headDim}, type);
  std::string qt = formatType({1, queries, headDim / 2}, getAccumulator());
  std::string kt = formatType({1, keys, headDim / 2}, getAccumulator());
  bool rotates = rotary != "none";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "func.func @main(%q: " << q << ", %k: " << k << ", %v: " << k;
  if (rotates)
    os << ", %qc: " << qt << ", %qs: " << qt << ", %kc: " << kt
       << ", %ks: " << kt;
  os << ") -> " << q << " {\n";
  for (StringRef maker : {StringRef(mask), StringRef(bias)})
    if (maker != "none")
      os << "  " << maker << "\n";
  os << "  %o = tensor.empty() : " << q << "\n"
     << "  %r = attn.attention query(%q : " << q << ") key(%k : " << k
     << ") value(%v : " << k << ")";
  if (bias != "none")
    os << " bias(%bias)";
  if (mask != "none")
    os << " mask(%mask)";
  if (rotates)
    os << " rotate_query(%qc, %qs : " << qt << ", " << qt
       << ") rotate_key(%kc, %ks : " << kt << ", " << kt << ")";
  os << " outs(%o : " << q << ")";
  SmallVector<std::string> attributes;
  if (rotates) {
    attributes.push_back("query_rotation = #attn.rotation<" + rotary + ">");
    attributes.push_back("key_rotation = #attn.rotation<" + rotary + ">");
  }
  if (!plan.empty())
    attributes.push_back(
        llvm::formatv("plan = #attn.plan<query_block = {0}, key_block = {1}, "
                      "rows = {2}>",
                      plan[0], plan[1], plan[2]));
  if (!attributes.empty())
    os << " {" << llvm::join(attributes, ", ") << "}";
  os << "\n  return %r : " << q << "\n}\n";
  return text;
}

std::string PeakLoop::formatSource() const {
  std::string vector = llvm::formatv("vector<{0}x{1}>", lanes, type);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](llvm::function_ref<std::string(unsigned)> item) {
    llvm::interleaveComma(llvm::seq(chains), os,
                          [&](unsigned i) { os << item(i); });
  };
  os << "func.func @main(%count: i64, %x: " << type << ") -> " << type << " {\n"
     << "  %c0 = arith.constant 0 : i64\n  %c1 = arith.constant 1 : i64\n"
     << "  %a = vector.broadcast %x : " << type << " to " << vector
     << "\n  %r:" << chains
     << " = scf.for %i = %c0 to %count step %c1 iter_args(";
  list(
      [](unsigned i) -> std::string { return llvm::formatv("%v{0} = %a", i); });
  os << ") -> (";
  list([&](unsigned) { return vector; });
  os << ") : i64 {\n";
  for (unsigned i = 0; i < chains; ++i)
    os << llvm::formatv("    %w{0} = vector.fma %a, %v{0}, %a : {1}\n", i,
                        vector);
  os << "    scf.yield ";
  list([](unsigned i) -> std::string { return llvm::formatv("%w{0}", i); });
  os << " : ";
  list([&](unsigned) { return vector; });
  os << "\n  }\n";
  // Different weights, so that no chain can be dropped as equal to another.
  os << "  %s0 = arith.addf %r#0, %a : " << vector << "\n";
  for (unsigned i = 1; i < chains; ++i)
    os << llvm::formatv("  %s{0} = vector.fma %s{1}, %a, %r#{0} : {2}\n", i,
                        i - 1, vector);
  os << "  %e = vector.reduction <add>, %s" << chains - 1 << " : " << vector
     << " into " << type << "\n  return %e : " << type << "\n}\n";
  return text;
}

static double getCPUSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

llvm::Expected<double> Benchmark::measure() {
  double start = getCPUSeconds();
  llvm::Expected<ProgramResult> result = program.run(inputs);
  double seconds = getCPUSeconds() - start;
  if (!result)
    return result.takeError();
  // The clock may not have moved.
  return std::max(seconds, 1.0 / CLOCKS_PER_SEC);
}

/// Compiles a function for one thread of this machine, and makes inputs.
static llvm::Expected<Benchmark> compile(MLIRContext &context,
                                         const CPUTarget &target,
                                         StringRef source,
                                         const RandomInputOptions &random) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return llvm::make_error<DiagnosedError>("the case does not parse");
  llvm::Expected<Signature> signature = prepareEntry(*module, "main");
  if (!signature)
    return signature.takeError();
  CompilerOptions options{target};
  options.threads = 1;
  auto observer = [](const CPUStage &, double) {
    return llvm::Error::success();
  };
  if (llvm::Error error = runStages(*module, options, observer))
    return std::move(error);
  llvm::Expected<Program> program =
      Program::compile(*module, "main", *signature, target);
  if (!program)
    return program.takeError();
  llvm::Expected<SmallVector<NamedArray, 0>> arrays =
      makeRandomInputs(*signature, random);
  if (!arrays)
    return arrays.takeError();
  Benchmark result{std::move(*program), {}};
  for (NamedArray &entry : *arrays)
    result.inputs.push_back(std::move(entry.array));
  return result;
}

/// The median and the best of some turns, each between two runs of the peak
/// loop.
static llvm::Expected<Result> measureCase(MLIRContext &context,
                                          const CPUTarget &target,
                                          const Case &benchmark,
                                          unsigned repetitions) {
  Result result = {};
  double start = getCPUSeconds();
  llvm::Expected<Benchmark> attention =
      compile(context, target, benchmark.formatSource(), {});
  if (!attention)
    return attention.takeError();
  result.compileSeconds = getCPUSeconds() - start;

  PeakLoop loop(target, benchmark.getAccumulator());
  RandomInputOptions random;
  double count = PeakLoop::numIterations;
  random.ranges["in0"] = {count, count + 1};
  random.ranges["in1"] = {0.25, 0.5};
  llvm::Expected<Benchmark> peak =
      compile(context, target, loop.formatSource(), random);
  if (!peak)
    return peak.takeError();

  // The first call fills caches.
  llvm::Expected<double> seconds = attention->measure();
  SmallVector<double> ratios;
  for (unsigned i = 0; seconds && i < repetitions; ++i) {
    llvm::Expected<double> before = peak->measure();
    if (!before)
      return before.takeError();
    seconds = attention->measure();
    if (!seconds)
      break;
    llvm::Expected<double> after = peak->measure();
    if (!after)
      return after.takeError();
    double rate = benchmark.countOperations() / *seconds;
    double peakRate = loop.countOperations() / std::min(*before, *after);
    ratios.push_back(rate / peakRate);
    result.bestRate = std::max(result.bestRate, rate);
  }
  if (!seconds)
    return seconds.takeError();
  llvm::sort(ratios);
  result.medianRatio = ratios[ratios.size() / 2];
  result.bestRatio = ratios.back();
  return result;
}

/// Reads a case; a missing key, or a value of the wrong kind, is an error.
static bool readCase(const llvm::json::Value &value, Case &result,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  std::optional<std::vector<int64_t>> plan;
  if (!map || !map.map("name", result.name) ||
      !map.map("heads", result.heads) ||
      !map.map("kv_heads", result.keyHeads) ||
      !map.map("queries", result.queries) || !map.map("keys", result.keys) ||
      !map.map("head_dim", result.headDim) ||
      !map.mapOptional("batch", result.batch) ||
      !map.mapOptional("type", result.type) ||
      !map.mapOptional("rotary", result.rotary) ||
      !map.mapOptional("mask", result.mask) ||
      !map.mapOptional("bias", result.bias) || !map.map("plan", plan))
    return false;
  if (const llvm::json::Value *pairs = value.getAsObject()->get("pairs")) {
    if (pairs->getAsString() == StringRef("causal"))
      result.pairs = causalPairs;
    else if (std::optional<int64_t> count = pairs->getAsInteger())
      result.pairs = *count;
    else {
      path.field("pairs").report("expected integer or \"causal\"");
      return false;
    }
  }
  if (plan && plan->size() != 3) {
    path.field("plan").report("expected [query_block, key_block, rows]");
    return false;
  }
  if (plan)
    result.plan.assign(plan->begin(), plan->end());
  for (int64_t size : {result.batch, result.heads, result.keyHeads,
                       result.queries, result.keys, result.headDim})
    if (size <= 0) {
      path.report("expected positive sizes");
      return false;
    }
  return true;
}

static llvm::Expected<SmallVector<Case, 0>>
readCases(const BenchOptions &options) {
  auto file = llvm::MemoryBuffer::getFile(options.config);
  if (!file)
    return createStringError("'%s': %s", options.config.c_str(),
                             file.getError().message().c_str());
  llvm::Expected<llvm::json::Value> config =
      llvm::json::parse((*file)->getBuffer());
  if (!config)
    return createStringError("'%s': %s", options.config.c_str(),
                             llvm::toString(config.takeError()).c_str());
  const llvm::json::Array *array = config->getAsArray();
  if (!array)
    return createStringError("'%s': expects an array of cases",
                             options.config.c_str());
  SmallVector<Case, 0> cases;
  for (auto [number, value] : llvm::enumerate(*array)) {
    Case benchmark;
    llvm::json::Path::Root root("case");
    if (!readCase(value, benchmark, root))
      return createStringError("'%s': case %zu: %s", options.config.c_str(),
                               number, llvm::toString(root.getError()).c_str());
    if (StringRef(benchmark.name).contains(options.filter))
      cases.push_back(std::move(benchmark));
  }
  return cases;
}

static llvm::Error writeResults(llvm::json::Array results, StringRef path) {
  std::error_code code;
  llvm::ToolOutputFile output(path, code, llvm::sys::fs::OF_Text);
  if (code)
    return createStringError("'%s': %s", path.str().c_str(),
                             code.message().c_str());
  output.os() << llvm::formatv("{0:2}\n",
                               llvm::json::Value(std::move(results)));
  output.keep();
  return llvm::Error::success();
}

static llvm::Error run(const BenchOptions &options) {
  if (options.repetitions == 0)
    return createStringError("--repetitions: expects a positive number, got 0");
  llvm::Expected<SmallVector<Case, 0>> cases = readCases(options);
  if (!cases)
    return cases.takeError();
  llvm::Expected<CPUTarget> target = CPUTarget::get("native");
  if (!target)
    return target.takeError();
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  ToolDiagnosticHandler diagnostics(tool, &context);
  setNumThreads(1);

  llvm::json::Array results;
  llvm::outs() << "case                          median of peak   best   "
                  "GFLOP/s   compile s\n";
  for (const Case &benchmark : *cases) {
    llvm::Expected<Result> result =
        measureCase(context, *target, benchmark, options.repetitions);
    if (!result) {
      llvm::errs() << tool << ": in case '" << benchmark.name << "'\n";
      return result.takeError();
    }
    llvm::outs() << llvm::left_justify(benchmark.name, 30)
                 << llvm::format(
                        "%12.1f %% %6.1f %%  %8.1f  %9.2f\n",
                        100 * result->medianRatio, 100 * result->bestRatio,
                        result->bestRate / 1e9, result->compileSeconds);
    llvm::outs().flush();
    results.push_back(
        llvm::json::Object{{"name", benchmark.name},
                           {"median_of_peak", result->medianRatio},
                           {"best_of_peak", result->bestRatio},
                           {"best_gflops", result->bestRate / 1e9},
                           {"compile_seconds", result->compileSeconds}});
  }
  if (options.json.empty())
    return llvm::Error::success();
  return writeResults(std::move(results), options.json);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::ResetCommandLineParser();
  BenchOptions options;
  if (!parseCommandLine(argc, argv, tool, "attention against the peak",
                        &options.category))
    return exitFailure;
  if (llvm::Error error = run(options))
    return reportError(tool, std::move(error));
  return exitSuccess;
}
