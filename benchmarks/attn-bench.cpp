//===- attn-bench.cpp - Attention against the peak --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles the attention of each case of a configuration, runs it in turns
/// with a loop of independent fused multiply-adds, and prints its rate as a
/// fraction of the rate of that loop. See README.md.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToVector/Passes.h"
#include "attn/InitAll.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>

using namespace mlir;

static llvm::cl::opt<std::string> configFile(llvm::cl::Positional,
                                             llvm::cl::Required,
                                             llvm::cl::desc("<config.json>"));
static llvm::cl::opt<std::string>
    jsonFile("json", llvm::cl::desc("Write the results to this file"));
static llvm::cl::opt<std::string>
    filter("filter", llvm::cl::desc("Run only cases whose name contains this"));
static llvm::cl::opt<unsigned>
    repetitions("repetitions", llvm::cl::desc("Repetitions of each case"),
                llvm::cl::init(10));

namespace {

struct Case {
  std::string name, type = "f32", rotary = "none", mask = "none", bias = "none";
  int64_t batch = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1,
          headDim = 64;
  /// Kept pairs of one head; -1: all, -2: the causal triangle.
  int64_t pairs = -1;
  SmallVector<int64_t> plan;

  double operations() const;
  std::string source() const;
  std::string accumulator() const { return type == "f64" ? "f64" : "f32"; }
};

/// A contiguous buffer and its memref descriptor.
class Buffer {
public:
  Buffer(ArrayRef<int64_t> shape, StringRef type, std::mt19937 &generator,
         double magnitude);
  void *descriptor() { return fields.data(); }

private:
  std::unique_ptr<char, void (*)(void *)> data{nullptr, std::free};
  /// Base and aligned pointer, offset, sizes, strides.
  SmallVector<int64_t> fields;
};

struct Result {
  double medianRatio, bestRatio, bestRate, compileSeconds;
};

} // namespace

double Case::operations() const {
  double kept = static_cast<double>(queries) * keys;
  if (pairs >= 0)
    kept = pairs;
  else if (pairs == -2)
    kept = queries * (queries + 1) / 2.0;
  return kept * 4 * headDim * batch * heads;
}

/// The attention of the case as `@attention`, and the peak loop as `@peak`.
std::string Case::source() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto shaped = [&](ArrayRef<int64_t> shape, StringRef element) {
    std::string result = "memref<";
    for (int64_t size : shape)
      result += std::to_string(size) + "x";
    return result + element.str() + ">";
  };
  std::string acc = accumulator();
  std::string q = shaped({batch, heads, queries, headDim}, type);
  std::string k = shaped({batch, keyHeads, keys, headDim}, type);
  std::string qt = shaped({1, queries, headDim / 2}, acc);
  std::string kt = shaped({1, keys, headDim / 2}, acc);
  os << "func.func @attention(%q: " << q << ", %k: " << k << ", %v: " << k
     << ", %o: " << q << ", %qc: " << qt << ", %qs: " << qt << ", %kc: " << kt
     << ", %ks: " << kt << ") attributes {llvm.emit_c_interface} {\n";
  for (StringRef maker : {StringRef(mask), StringRef(bias)})
    if (maker != "none")
      os << "  " << maker << "\n";
  os << "  attn.attention query(%q : " << q << ") key(%k : " << k
     << ") value(%v : " << k << ")";
  if (bias != "none")
    os << " bias(%bias)";
  if (mask != "none")
    os << " mask(%mask)";
  if (rotary != "none")
    os << " rotate_query(%qc, %qs : " << qt << ", " << qt
       << ") rotate_key(%kc, %ks : " << kt << ", " << kt << ")";
  os << " outs(%o : " << q << ")";
  SmallVector<std::string> attributes;
  if (rotary != "none") {
    attributes.push_back("query_rotation = #attn.rotation<" + rotary + ">");
    attributes.push_back("key_rotation = #attn.rotation<" + rotary + ">");
  }
  if (plan.size() == 3)
    attributes.push_back(
        "plan = #attn.plan<query_block = " + std::to_string(plan[0]) +
        ", key_block = " + std::to_string(plan[1]) +
        ", rows = " + std::to_string(plan[2]) + ">");
  if (!attributes.empty())
    os << " {" << llvm::join(attributes, ", ") << "}";
  os << "\n  return\n}\n";

  // Enough independent chains to hide the latency of a multiply-add.
  constexpr int chains = 24;
  std::string lanes =
      "vector<" + std::to_string(acc == "f64" ? 8 : 16) + "x" + acc + ">";
  os << "func.func @peak(%n: index, %x: " << acc << ") -> " << acc
     << " attributes {llvm.emit_c_interface} {\n"
     << "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
     << "  %a = vector.broadcast %x : " << acc << " to " << lanes
     << "\n  %r:" << chains << " = scf.for %i = %c0 to %n step %c1 iter_args(";
  auto list = [&](llvm::function_ref<std::string(int)> item) {
    for (int i = 0; i < chains; ++i)
      os << (i ? ", " : "") << item(i);
  };
  list([](int i) { return "%v" + std::to_string(i) + " = %a"; });
  os << ") -> (";
  list([&](int) { return lanes; });
  os << ") {\n";
  for (int i = 0; i < chains; ++i)
    os << "    %w" << i << " = vector.fma %a, %v" << i << ", %a : " << lanes
       << "\n";
  os << "    scf.yield ";
  list([](int i) { return "%w" + std::to_string(i); });
  os << " : ";
  list([&](int) { return lanes; });
  os << "\n  }\n";
  // Different weights, so that no chain can be dropped as equal to another.
  os << "  %s0 = arith.addf %r#0, %a : " << lanes << "\n";
  for (int i = 1; i < chains; ++i)
    os << "  %s" << i << " = vector.fma %s" << i - 1 << ", %a, %r#" << i
       << " : " << lanes << "\n";
  os << "  %e = vector.reduction <add>, %s" << chains - 1 << " : " << lanes
     << " into " << acc << "\n  return %e : " << acc << "\n}\n";
  return text;
}

Buffer::Buffer(ArrayRef<int64_t> shape, StringRef type, std::mt19937 &generator,
               double magnitude) {
  const llvm::fltSemantics &semantics =
      type == "f64"    ? llvm::APFloat::IEEEdouble()
      : type == "f16"  ? llvm::APFloat::IEEEhalf()
      : type == "bf16" ? llvm::APFloat::BFloat()
                       : llvm::APFloat::IEEEsingle();
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  size_t bytes = llvm::APFloat::getSizeInBits(semantics) / 8;
  size_t total = llvm::alignTo(count * bytes + 1, 64);
  data.reset(static_cast<char *>(std::aligned_alloc(64, total)));
  std::normal_distribution<double> normal(0, magnitude);
  for (int64_t i = 0; i < count; ++i) {
    llvm::APFloat x(normal(generator));
    bool inexact;
    x.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
    uint64_t bits = x.bitcastToAPInt().getZExtValue();
    std::memcpy(data.get() + i * bytes, &bits, bytes);
  }
  auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(data.get()));
  fields = {address, address, 0};
  fields.append(shape.begin(), shape.end());
  int64_t stride = count;
  for (int64_t size : shape) {
    stride /= size;
    fields.push_back(stride);
  }
}

/// CPU time: other processes on the machine do not count.
static double secondsOf(llvm::function_ref<void()> work) {
  std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

static llvm::Expected<std::unique_ptr<ExecutionEngine>>
compile(MLIRContext &context, const Case &benchmark) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(benchmark.source(), &context);
  if (!module)
    return llvm::createStringError("the case does not parse");
  PassManager pm(&context);
  pm.addPass(attn::createLowerAttentionToVectorPass());
  attn::CPUPipelineOptions options;
  options.parallel = false;
  attn::buildLowerToLLVMPipeline(pm, options);
  if (failed(pm.run(*module)))
    return llvm::createStringError("the case does not compile");
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  auto machine = host->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto optimize = makeOptimizingTransformer(3, 0, machine->get());
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = optimize;
  engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto engineMachine = host->createTargetMachine();
  if (!engineMachine)
    return engineMachine.takeError();
  return ExecutionEngine::create(*module, engineOptions,
                                 std::move(*engineMachine));
}

static llvm::Expected<Result> measure(MLIRContext &context,
                                      const Case &benchmark) {
  Result result;
  std::unique_ptr<ExecutionEngine> engine;
  void (*attention)(void **) = nullptr, (*peak)(void **) = nullptr;
  llvm::Error error = llvm::Error::success();
  result.compileSeconds = secondsOf([&] {
    llvm::ErrorAsOutParameter guard(error);
    auto compiled = compile(context, benchmark);
    if (!compiled) {
      error = compiled.takeError();
      return;
    }
    engine = std::move(*compiled);
    auto lookUp = [&](StringRef name, void (*&target)(void **)) {
      auto found = engine->lookupPacked(name);
      if (found)
        target = *found;
      else
        error = llvm::joinErrors(std::move(error), found.takeError());
    };
    lookUp("_mlir_ciface_attention", attention);
    lookUp("_mlir_ciface_peak", peak);
  });
  if (error)
    return error;

  std::mt19937 generator(1);
  const Case &c = benchmark;
  SmallVector<int64_t> q = {c.batch, c.heads, c.queries, c.headDim};
  SmallVector<int64_t> k = {c.batch, c.keyHeads, c.keys, c.headDim};
  SmallVector<int64_t> qt = {1, c.queries, c.headDim / 2};
  SmallVector<int64_t> kt = {1, c.keys, c.headDim / 2};
  std::string acc = c.accumulator();
  Buffer buffers[] = {{q, c.type, generator, 1}, {k, c.type, generator, 1},
                      {k, c.type, generator, 1}, {q, c.type, generator, 1},
                      {qt, acc, generator, 0.7}, {qt, acc, generator, 0.7},
                      {kt, acc, generator, 0.7}, {kt, acc, generator, 0.7}};
  SmallVector<void *> pointers, arguments;
  for (Buffer &buffer : buffers)
    pointers.push_back(buffer.descriptor());
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);

  bool isDouble = acc == "f64";
  double lanes = isDouble ? 8 : 16;
  auto peakRate = [&] {
    int64_t count = 1 << 20;
    float single = 0.5f, singleResult;
    double wide = 0.5, wideResult;
    void *values[] = {&count, isDouble ? static_cast<void *>(&wide) : &single,
                      isDouble ? static_cast<void *>(&wideResult)
                               : &singleResult};
    return count * 24 * lanes * 2 / secondsOf([&] { peak(values); });
  };

  SmallVector<double> ratios;
  result.bestRate = 0;
  attention(arguments.data());
  for (unsigned i = 0; i < repetitions; ++i) {
    double before = peakRate();
    double rate =
        c.operations() / secondsOf([&] { attention(arguments.data()); });
    double after = peakRate();
    ratios.push_back(rate / std::max(before, after));
    result.bestRate = std::max(result.bestRate, rate);
  }
  llvm::sort(ratios);
  result.medianRatio = ratios[ratios.size() / 2];
  result.bestRatio = ratios.back();
  return result;
}

/// Reads a case; an unknown key, or a value of the wrong kind, is an error.
static bool readCase(const llvm::json::Value &value, Case &result,
                     llvm::json::Path path) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object) {
    path.report("expected object");
    return false;
  }
  llvm::json::ObjectMapper map(value, path);
  std::optional<std::string> type, rotary, mask, bias;
  std::optional<int64_t> batch;
  std::optional<std::vector<int64_t>> plan;
  if (!map || !map.map("name", result.name) ||
      !map.map("heads", result.heads) ||
      !map.map("kv_heads", result.keyHeads) ||
      !map.map("queries", result.queries) || !map.map("keys", result.keys) ||
      !map.map("head_dim", result.headDim) || !map.map("batch", batch) ||
      !map.map("type", type) || !map.map("rotary", rotary) ||
      !map.map("mask", mask) || !map.map("bias", bias) ||
      !map.map("plan", plan))
    return false;
  if (const llvm::json::Value *pairs = object->get("pairs")) {
    if (pairs->getAsString() == StringRef("causal"))
      result.pairs = -2;
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
  result.batch = batch.value_or(result.batch);
  result.type = type.value_or(result.type);
  result.rotary = rotary.value_or(result.rotary);
  result.mask = mask.value_or(result.mask);
  result.bias = bias.value_or(result.bias);
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

static int runAll() {
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "error: " << message << "\n";
    return 1;
  };
  auto file = llvm::MemoryBuffer::getFile(configFile);
  if (!file)
    return fail(configFile + ": " + file.getError().message());
  auto config = llvm::json::parse((*file)->getBuffer());
  if (!config)
    return fail(configFile + ": " + llvm::toString(config.takeError()));
  const llvm::json::Array *cases = config->getAsArray();
  if (!cases)
    return fail(configFile + ": expected an array of cases");

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  attn::registerAllAttnDialects(registry);
  MLIRContext context(registry);

  llvm::json::Array results;
  llvm::outs() << "case                          median of peak   best   "
                  "GFLOP/s   compile s\n";
  for (const llvm::json::Value &value : *cases) {
    Case benchmark;
    llvm::json::Path::Root root("case");
    if (!readCase(value, benchmark, root))
      return fail(llvm::toString(root.getError()));
    if (benchmark.name.find(filter) == std::string::npos)
      continue;
    llvm::Expected<Result> result = measure(context, benchmark);
    if (!result)
      return fail(benchmark.name + ": " + llvm::toString(result.takeError()));
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
  if (jsonFile.empty())
    return 0;
  std::error_code code;
  llvm::ToolOutputFile output(jsonFile, code, llvm::sys::fs::OF_Text);
  if (code)
    return fail(jsonFile + ": " + code.message());
  output.os() << llvm::formatv("{0:2}\n",
                               llvm::json::Value(std::move(results)));
  output.keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "attention against the machine's peak\n");
  return runAll();
}
