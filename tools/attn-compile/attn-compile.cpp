//===- attn-compile.cpp - Compile a graph to files --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes a graph to a shared library with its header and manifest, an object,
/// assembly, LLVM IR, or MLIR after any stage.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Compiler.h"
#include "attn/Execution/Interface.h"
#include "attn/Execution/OutputFile.h"
#include "attn/Execution/ToolSupport.h"
#include "attn/Target/CPU/Emit.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;
namespace cl = llvm::cl;

static constexpr StringLiteral tool = "attn-compile";

static constexpr StringLiteral overview = R"(compiles a graph

  The graph is a .mlir file (text or bytecode, linalg on tensors; - is the
  standard input). Attention, masks, position encodings and biases are recovered
  from it and compiled as what they are; --no-raise compiles it as it stands.

Kinds of --emit:
  shared       <out>.so with <out>.h and <out>.json beside it (the default)
  object       a position-independent object; link it with libattn_rt_cpu.a and,
               if the manifest says openmp, with libomp
  header       the C header alone
  manifest     the JSON manifest alone: signature, cpu, what was recovered
  llvm, asm    LLVM IR and assembly, optimised for the cpu
  mlir-<stage> MLIR after a stage; --emit=mlir-help lists the stages

Examples:
  attn-compile graph.mlir -o model.so
  attn-compile graph.mlir --emit=object --cpu=x86-64-v3 -o model.o
  attn-compile graph.mlir --emit=mlir-llvm -o - --print-stages
  attn-compile graph.mlir -o model.so --save-temps=stages

Exit codes:
  0  success
  1  wrong usage or input, or the graph cannot be compiled; no output is written
)";

namespace {
/// The command line. Made after the options of the LLVM library are dropped,
/// which would clash with these.
struct CompileOptions {
  cl::OptionCategory category{"attn-compile options"};
  cl::opt<std::string> input{cl::Positional, cl::Optional,
                             cl::desc("<graph.mlir>"), cl::cat(category)};
  cl::opt<std::string> output{"o",
                              cl::desc("Output file; - is the standard "
                                       "output, except for --emit=shared"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> emit{"emit", cl::init("shared"), cl::value_desc("kind"),
                            cl::desc("What to write (shared), see above"),
                            cl::cat(category)};
  cl::opt<std::string> target{"target", cl::init("cpu"),
                              cl::desc("Kind of machine: cpu"),
                              cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> entry{"entry", cl::init("main"),
                             cl::desc("Function to compile (main)"),
                             cl::value_desc("name"), cl::cat(category)};
  CompilerFlags compiler{category};
  cl::opt<std::string> saveTemps{
      "save-temps", cl::ValueOptional, cl::value_desc("dir"),
      cl::desc("Keep the IR after each stage in a folder (beside the output)"),
      cl::cat(category)};
  cl::opt<std::string> runtimeLibrary{
      "runtime-library", cl::value_desc("file"),
      cl::desc("libattn_rt_cpu.a, where it is not in ../lib of this program"),
      cl::cat(category)};
};

enum class EmitKind { Shared, Object, Header, Manifest, LLVM, Asm, MLIR };

/// One compilation.
class Driver {
public:
  Driver(const CompileOptions &options, std::string programPath)
      : options(options), programPath(std::move(programPath)) {}

  llvm::Error run();

private:
  llvm::Error parseEmitKind();
  llvm::Error checkOptions();
  llvm::Error lowerGraph(ModuleOp module, const CPUTarget &target);
  llvm::Error emitCode(ModuleOp module, const CPUTarget &target);
  llvm::Error writeShared(StringRef object, const llvm::Module &module,
                          const CPUTarget &target);
  std::string getManifest(const CPUTarget &target, bool usesOpenMP);
  std::string getHeader();

  llvm::Error saveTemp(StringRef stage, StringRef extension,
                       llvm::function_ref<void(raw_ostream &)> print);
  llvm::Error write(StringRef path, StringRef contents);
  /// Reports the time since the last call.
  void finishStep(StringRef name);

  const CompileOptions &options;
  std::string programPath;
  EmitKind kind = EmitKind::Shared;
  unsigned threads = 0;
  /// With EmitKind::MLIR.
  std::string lastStage;
  Signature signature;
  llvm::json::Array recoveredOps, plannedOps;
  unsigned numTemps = 0;
  std::chrono::steady_clock::time_point stepStart;
};
} // namespace

void Driver::finishStep(StringRef name) {
  auto now = std::chrono::steady_clock::now();
  if (options.compiler.printStages)
    printStage(name, std::chrono::duration<double>(now - stepStart).count());
  stepStart = now;
}

llvm::Error Driver::parseEmitKind() {
  StringRef name = options.emit;
  if (name.consume_front("mlir-")) {
    lastStage = name.str();
    kind = EmitKind::MLIR;
    if (name == "input" ||
        llvm::any_of(getCompilerStages(), [&](const CompilerStage &stage) {
          return stage.name == name;
        }))
      return llvm::Error::success();
    return createStringError(
        "unknown stage '%s'; --emit=mlir-help lists the stages",
        name.str().c_str());
  }
  static constexpr std::pair<StringLiteral, EmitKind> kinds[] = {
      {"shared", EmitKind::Shared}, {"object", EmitKind::Object},
      {"header", EmitKind::Header}, {"manifest", EmitKind::Manifest},
      {"llvm", EmitKind::LLVM},     {"asm", EmitKind::Asm}};
  for (const auto &[known, value] : kinds) {
    if (name == known) {
      kind = value;
      return llvm::Error::success();
    }
  }
  return createStringError(
      "unknown kind '%s' of --emit; expects shared, object, "
      "header, manifest, llvm, asm or mlir-<stage>",
      name.str().c_str());
}

llvm::Error Driver::checkOptions() {
  if (options.input.empty())
    return createStringError(
        "no graph given; expects a file or - for the standard "
        "input");
  llvm::Expected<unsigned> parsed = options.compiler.getThreads();
  if (!parsed)
    return parsed.takeError();
  threads = *parsed;
  if (options.target != "cpu")
    return createStringError("unknown target '%s'; expects cpu",
                             options.target.c_str());
  if (llvm::Error error = parseEmitKind())
    return error;
  if (options.output.empty())
    return createStringError("no output given; use -o");
  if (kind == EmitKind::Shared && isSpecialFile(options.output))
    return createStringError("'%s' is not a regular file",
                             options.output.c_str());
  if (kind == EmitKind::Shared && options.output == "-")
    return createStringError(
        "a shared library cannot go to the standard output");
  StringRef extension = llvm::sys::path::extension(options.output);
  if (kind == EmitKind::Shared && (extension == ".h" || extension == ".json"))
    return createStringError(
        "the library needs another name than its header and "
        "manifest, got '%s'",
        options.output.c_str());
  return kind == EmitKind::MLIR ? llvm::Error::success()
                                : checkEntryName(options.entry);
}

llvm::Error Driver::write(StringRef path, StringRef contents) {
  return writeOutputFile(path, [&](raw_ostream &os) {
    os << contents;
    return llvm::Error::success();
  });
}

llvm::Error Driver::saveTemp(StringRef stage, StringRef extension,
                             llvm::function_ref<void(raw_ostream &)> print) {
  if (options.saveTemps.getNumOccurrences() == 0)
    return llvm::Error::success();
  SmallString<128> path(StringRef(options.saveTemps));
  if (path.empty())
    path = llvm::sys::path::parent_path(options.output);
  if (!path.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(path))
      return createStringError("cannot make the folder '%s': %s", path.c_str(),
                               code.message().c_str());
  StringRef stem =
      options.output == "-" ? "stdout" : llvm::sys::path::stem(options.output);
  llvm::sys::path::append(path, stem + "." + llvm::Twine(numTemps++) + "-" +
                                    stage + "." + extension);
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return write(path, text);
}

llvm::Error Driver::lowerGraph(ModuleOp module, const CPUTarget &target) {
  auto printModule = [&](raw_ostream &os) { module.print(os); };
  if (llvm::Error error = saveTemp("input", "mlir", printModule))
    return error;
  if (lastStage == "input")
    return llvm::Error::success();
  CompilerOptions compilerOptions{target};
  compilerOptions.raise = !options.compiler.noRaise;
  compilerOptions.threads = threads;
  auto observer = [&](const CompilerStage &stage, double seconds) {
    if (options.compiler.printStages)
      printStage(stage.name, seconds);
    if (stage.isRaising)
      recoveredOps = describeAttnOps(module);
    if (stage.name == "planned")
      plannedOps = describeAttnOps(module);
    return saveTemp(stage.name, "mlir", printModule);
  };
  return runStages(module, compilerOptions, observer, lastStage);
}

std::string Driver::getManifest(const CPUTarget &target, bool usesOpenMP) {
  llvm::json::Object manifest =
      makeManifest({options.entry, signature, target, usesOpenMP,
                    std::move(recoveredOps), std::move(plannedOps)});
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream(os, /*IndentSize=*/2)
      .value(llvm::json::Value(std::move(manifest)));
  os << "\n";
  return text;
}

std::string Driver::getHeader() {
  std::string text;
  llvm::raw_string_ostream os(text);
  printHeader(options.entry, signature, os);
  return text;
}

/// `model.so` gives `model.h`.
static std::string replaceExtension(StringRef path, StringRef extension) {
  SmallString<128> result(path);
  llvm::sys::path::replace_extension(result, extension);
  return std::string(result);
}

llvm::Error Driver::writeShared(StringRef object, const llvm::Module &module,
                                const CPUTarget &target) {
  LinkOptions linkOptions;
  linkOptions.runtimeArchive = options.runtimeLibrary.empty()
                                   ? findRuntimeArchive(programPath)
                                   : std::string(options.runtimeLibrary);
  if (!llvm::sys::fs::exists(linkOptions.runtimeArchive))
    return createStringError(
        "cannot find the runtime library '%s'; give it with "
        "--runtime-library",
        linkOptions.runtimeArchive.c_str());
  bool parallel = usesOpenMP(module);
  if (parallel) {
    linkOptions.openMPLibrary = findOpenMPLibrary();
    if (linkOptions.openMPLibrary.empty())
      return createStringError(
          "the code is parallel, but no OpenMP runtime (libomp) was found");
  }

  SmallString<128> objectPath;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("attn-compile", "o", objectPath))
    return createStringError("cannot make a temporary file: %s",
                             code.message().c_str());
  llvm::FileRemover removeObject(objectPath);
  if (llvm::Error error = write(objectPath, object))
    return error;
  llvm::Expected<llvm::sys::fs::TempFile> library =
      llvm::sys::fs::TempFile::create(options.output + ".tmp-%%%%%%");
  if (!library)
    return createStringError("cannot write '%s': %s", options.output.c_str(),
                             llvm::toString(library.takeError()).c_str());
  llvm::scope_exit discard([&] { llvm::consumeError(library->discard()); });
  if (llvm::Error error =
          linkSharedLibrary(objectPath, library->TmpName, linkOptions))
    return error;

  // The library last: whoever sees it finds the files beside it.
  std::string headerPath = replaceExtension(options.output, "h");
  std::string manifestPath = replaceExtension(options.output, "json");
  if (llvm::Error error = write(headerPath, getHeader()))
    return error;
  llvm::FileRemover removeHeader(headerPath);
  if (llvm::Error error = write(manifestPath, getManifest(target, parallel)))
    return error;
  llvm::FileRemover removeManifest(manifestPath);
  discard.release();
  if (llvm::Error error = library->keep(options.output))
    return createStringError("cannot write '%s': %s", options.output.c_str(),
                             llvm::toString(std::move(error)).c_str());
  removeHeader.releaseFile();
  removeManifest.releaseFile();
  return llvm::Error::success();
}

llvm::Error Driver::emitCode(ModuleOp module, const CPUTarget &target) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  stepStart = std::chrono::steady_clock::now();
  llvm::Expected<std::unique_ptr<llvm::Module>> llvmModule =
      translateToLLVMIR(module, options.entry, context, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  finishStep("translate");
  auto printModule = [&](raw_ostream &os) {
    (*llvmModule)->print(os, nullptr);
  };
  if (llvm::Error error = saveTemp("translate", "ll", printModule))
    return error;
  if (kind == EmitKind::Manifest)
    return write(options.output, getManifest(target, usesOpenMP(**llvmModule)));
  if (llvm::Error error = optimizeModule(**llvmModule, **machine))
    return error;
  finishStep("optimize");
  if (llvm::Error error = saveTemp("optimize", "ll", printModule))
    return error;
  if (kind == EmitKind::LLVM) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printModule(os);
    return write(options.output, text);
  }

  SmallVector<char, 0> code;
  llvm::raw_svector_ostream os(code);
  llvm::CodeGenFileType fileType = kind == EmitKind::Asm
                                       ? llvm::CodeGenFileType::AssemblyFile
                                       : llvm::CodeGenFileType::ObjectFile;
  if (llvm::Error error =
          emitMachineCode(**llvmModule, **machine, fileType, os))
    return error;
  finishStep("codegen");
  StringRef bytes(code.data(), code.size());
  if (kind != EmitKind::Shared)
    return write(options.output, bytes);
  llvm::Error error = writeShared(bytes, **llvmModule, target);
  finishStep("link");
  return error;
}

llvm::Error Driver::run() {
  if (llvm::Error error = checkOptions())
    return error;
  llvm::Expected<CPUTarget> target = CPUTarget::get(options.compiler.cpu);
  if (!target)
    return target.takeError();
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  ToolDiagnosticHandler diagnostics(tool, &context);
  stepStart = std::chrono::steady_clock::now();
  llvm::Expected<OwningOpRef<ModuleOp>> module =
      parseGraph(options.input, &context);
  if (!module)
    return module.takeError();
  finishStep("parse");
  llvm::Expected<Signature> found = prepareEntry(**module, options.entry);
  if (!found)
    return found.takeError();
  signature = std::move(*found);
  if (kind == EmitKind::Header)
    return write(options.output, getHeader());
  if (llvm::Error error = lowerGraph(**module, *target))
    return error;
  if (kind != EmitKind::MLIR)
    return emitCode(**module, *target);
  std::string text;
  llvm::raw_string_ostream os(text);
  (*module)->print(os);
  return write(options.output, text);
}

/// The anchor of getMainExecutable.
static void anchor() {}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::ResetCommandLineParser();
  CompileOptions options;
  if (!parseCommandLine(argc, argv, tool, overview, options.category))
    return exitFailure;
  if (options.compiler.listCPUs())
    return exitSuccess;
  if (options.emit == "mlir-help") {
    llvm::outs() << "input: the graph as it was read\n";
    for (const CompilerStage &stage : getCompilerStages())
      llvm::outs() << stage.name << ": " << stage.description << "\n";
    return exitSuccess;
  }
  std::string programPath = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&anchor));
  if (llvm::Error error = Driver(options, programPath).run())
    return reportError(tool, std::move(error));
  return exitSuccess;
}
