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
#include "attn/Execution/Manifest.h"
#include "attn/Execution/OutputFile.h"
#include "attn/Execution/ToolSupport.h"
#include "attn/Target/CPU/Emit.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
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
  header       the C header alone; nothing is compiled
  manifest     the JSON manifest alone: signature, cpu, what was recovered
  llvm, asm    LLVM IR and assembly, optimised for the cpu
  mlir-<stage> MLIR after a stage; --emit=mlir-help lists the stages

Examples:
  attn-compile graph.mlir -o model.so
  attn-compile graph.mlir --entry=decode --threads=8 -o decode.so
  attn-compile graph.mlir --emit=object --cpu=x86-64-v3 -o model.o
  attn-compile graph.mlir --emit=mlir-raised -o -
  attn-compile graph.mlir --emit=mlir-llvm -o - --print-stages
  attn-compile graph.mlir -o model.so --save-temps=stages

The manifest names the library that it belongs to by its size and checksum;
attn-run refuses any other, and one that was changed.

Exit codes:
  0  success
  1  wrong usage or input, or the graph cannot be compiled; no output is written
)";

namespace {
/// The command line. Made after the options of the LLVM library are dropped,
/// which would clash with these.
struct CompileOptions {
  cl::OptionCategory files{"Graph and output"};
  cl::OptionCategory compilation{"Compilation"};

  cl::opt<std::string> input{cl::Positional, cl::Optional,
                             cl::desc("<graph.mlir>"), cl::cat(files)};
  cl::opt<std::string> entry{"entry", cl::init("main"),
                             cl::desc("Function to compile (main)"),
                             cl::value_desc("name"), cl::cat(files)};
  cl::opt<std::string> output{"o",
                              cl::desc("Output file; - is the standard "
                                       "output, except for --emit=shared"),
                              cl::value_desc("file"), cl::cat(files)};
  cl::opt<std::string> emit{"emit", cl::init("shared"), cl::value_desc("kind"),
                            cl::desc("What to write (shared), see above"),
                            cl::cat(files)};
  cl::opt<std::string> saveTemps{
      "save-temps", cl::ValueOptional, cl::value_desc("dir"),
      cl::desc("Keep the IR after each stage in a folder (beside the output)"),
      cl::cat(files)};
  cl::opt<std::string> target{"target", cl::init("cpu"),
                              cl::desc("Kind of machine: cpu"),
                              cl::value_desc("name"), cl::cat(compilation)};
  CompilerFlags compiler{compilation};
  cl::opt<std::string> runtimeLibrary{
      "runtime-library", cl::value_desc("file"),
      cl::desc("libattn_rt_cpu.a, where it is not in ../lib of this program "
               "(--emit=shared)"),
      cl::cat(compilation)};
};

enum class EmitKind { Shared, Object, Header, Manifest, LLVM, Asm, MLIR };

using PrintFunction = llvm::function_ref<void(raw_ostream &)>;

/// One compilation.
class Driver {
public:
  Driver(const CompileOptions &options, std::string programPath)
      : options(options), programPath(std::move(programPath)) {}

  llvm::Error run();

private:
  llvm::Error parseEmitKind();
  llvm::Error checkOptions();
  llvm::Error checkOutput();
  llvm::Error lowerGraph(ModuleOp module, const CompilerOptions &compiler);
  llvm::Error emitCode(ModuleOp module, const CompilerOptions &compiler);
  llvm::Error writeShared(StringRef object, const llvm::Module &module,
                          llvm::json::Object manifest);
  llvm::json::Object getManifest(const CompilerOptions &compiler,
                                 bool usesOpenMP);

  llvm::Error saveTemp(StringRef stage, StringRef extension,
                       PrintFunction print);
  /// Writes `path`, but not over the input.
  llvm::Error write(StringRef path, PrintFunction print);
  /// Reports the time since the last call.
  void finishStep(StringRef name);

  const CompileOptions &options;
  std::string programPath;
  EmitKind kind = EmitKind::Shared;
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
    if (name == "input" || findCPUStage(name))
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

/// `model.so` gives `model.h`.
static std::string replaceExtension(StringRef path, StringRef extension) {
  SmallString<128> result(path);
  llvm::sys::path::replace_extension(result, extension);
  return std::string(result);
}

llvm::Error Driver::checkOutput() {
  if (options.output.empty())
    return createStringError("no output given; use -o");
  SmallVector<std::string> paths = {options.output};
  if (kind == EmitKind::Shared) {
    if (options.output == "-")
      return createStringError(
          "a shared library cannot go to the standard output");
    StringRef extension = llvm::sys::path::extension(options.output);
    if (extension == ".h" || extension == ".json")
      return createStringError(
          "the library needs another name than its header and "
          "manifest, got '%s'",
          options.output.c_str());
    paths.push_back(replaceExtension(options.output, "h"));
    paths.push_back(replaceExtension(options.output, "json"));
    for (StringRef path : paths)
      if (isSpecialFile(path))
        return createStringError("'%s' is not a regular file",
                                 path.str().c_str());
  }
  for (StringRef path : paths) {
    if (llvm::Error error = checkOverwrite(path, options.input))
      return error;
    if (llvm::Error error = checkOverwrite(path, options.runtimeLibrary))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Driver::checkOptions() {
  if (options.input.empty())
    return createStringError(
        "no graph given; expects a file or - for the standard "
        "input");
  if (options.target != "cpu")
    return createStringError("unknown target '%s'; expects cpu",
                             options.target.c_str());
  if (llvm::Error error = parseEmitKind())
    return error;
  if (kind != EmitKind::Shared)
    if (llvm::Error error =
            rejectOptions({&options.runtimeLibrary},
                          "does not go with --emit=" + options.emit.getValue()))
      return error;
  const CompilerFlags &compiler = options.compiler;
  if (kind == EmitKind::Header)
    if (llvm::Error error = rejectOptions(
            {&compiler.cpu, &compiler.threads, &compiler.noRaise,
             &compiler.exactMasks, &compiler.noVectorize, &options.saveTemps},
            "does not go with --emit=header, which compiles nothing"))
      return error;
  if (llvm::Error error = checkOutput())
    return error;
  return kind == EmitKind::MLIR ? llvm::Error::success()
                                : checkEntryName(options.entry);
}

llvm::Error Driver::write(StringRef path, PrintFunction print) {
  if (llvm::Error error = checkOverwrite(path, options.input))
    return error;
  return writeOutputFile(path, [&](raw_ostream &os) {
    print(os);
    return llvm::Error::success();
  });
}

llvm::Error Driver::saveTemp(StringRef stage, StringRef extension,
                             PrintFunction print) {
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
  return write(path, print);
}

llvm::Error Driver::lowerGraph(ModuleOp module,
                               const CompilerOptions &compiler) {
  auto printModule = [&](raw_ostream &os) { module.print(os); };
  if (llvm::Error error = saveTemp("input", "mlir", printModule))
    return error;
  if (lastStage == "input")
    return llvm::Error::success();
  auto observer = [&](const CPUStage &stage, double seconds) {
    if (options.compiler.printStages)
      printStage(stage.name, seconds);
    if (stage.kind == CPUStageKind::Raised)
      recoveredOps = describeAttnOps(module);
    if (stage.name == "planned")
      plannedOps = describeAttnOps(module);
    return saveTemp(stage.name, "mlir", printModule);
  };
  return runStages(module, compiler, observer, lastStage);
}

llvm::json::Object Driver::getManifest(const CompilerOptions &compiler,
                                       bool usesOpenMP) {
  return makeManifest({options.entry, signature, compiler.target, usesOpenMP,
                       compiler.threads, std::move(recoveredOps),
                       std::move(plannedOps)});
}

static void printManifest(llvm::json::Object manifest, raw_ostream &os) {
  llvm::json::OStream(os, /*IndentSize=*/2)
      .value(llvm::json::Value(std::move(manifest)));
  os << "\n";
}

/// What the linker needs besides the object.
static llvm::Expected<LinkOptions> getLinkOptions(StringRef runtimeArchive,
                                                  bool usesOpenMP) {
  LinkOptions linkOptions;
  linkOptions.runtimeArchive = runtimeArchive.str();
  if (!llvm::sys::fs::exists(runtimeArchive))
    return createStringError(
        "cannot find the runtime library '%s'; give it with "
        "--runtime-library",
        linkOptions.runtimeArchive.c_str());
  if (!usesOpenMP)
    return linkOptions;
  llvm::Expected<std::string> openMPLibrary = findOpenMPLibrary();
  if (!openMPLibrary)
    return openMPLibrary.takeError();
  linkOptions.openMPLibrary = std::move(*openMPLibrary);
  return linkOptions;
}

llvm::Error Driver::writeShared(StringRef object, const llvm::Module &module,
                                llvm::json::Object manifest) {
  llvm::Expected<LinkOptions> linkOptions =
      getLinkOptions(options.runtimeLibrary.getNumOccurrences() == 0
                         ? findRuntimeArchive(programPath)
                         : std::string(options.runtimeLibrary),
                     usesOpenMP(module));
  if (!linkOptions)
    return linkOptions.takeError();
  SmallString<128> objectPath;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("attn-compile", "o", objectPath))
    return createStringError("cannot make a temporary file: %s",
                             code.message().c_str());
  llvm::FileRemover removeObject(objectPath);
  if (llvm::Error error =
          write(objectPath, [&](raw_ostream &os) { os << object; }))
    return error;

  llvm::Expected<PendingFile> library = PendingFile::create(options.output);
  if (!library)
    return library.takeError();
  if (llvm::Error error = linkSharedLibrary(
          objectPath, library->getTemporaryPath(), *linkOptions))
    return error;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> contents =
      llvm::MemoryBuffer::getFile(library->getTemporaryPath());
  if (!contents)
    return createStringError("cannot read what the linker wrote: %s",
                             contents.getError().message().c_str());
  sealManifest(manifest, (*contents)->getBuffer());

  llvm::Expected<PendingFile> header =
      PendingFile::create(replaceExtension(options.output, "h"));
  if (!header)
    return header.takeError();
  if (llvm::Error error = header->write([&](raw_ostream &os) {
        printHeader(options.entry, signature, os);
        return llvm::Error::success();
      }))
    return error;
  llvm::Expected<PendingFile> manifestFile =
      PendingFile::create(replaceExtension(options.output, "json"));
  if (!manifestFile)
    return manifestFile.takeError();
  if (llvm::Error error = manifestFile->write([&](raw_ostream &os) {
        printManifest(std::move(manifest), os);
        return llvm::Error::success();
      }))
    return error;
  // The library last: whoever sees it finds the files beside it.
  for (PendingFile *file : {&*header, &*manifestFile, &*library})
    if (llvm::Error error = file->keep())
      return error;
  return llvm::Error::success();
}

llvm::Error Driver::emitCode(ModuleOp module, const CompilerOptions &compiler) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      compiler.target.createTargetMachine();
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
  llvm::json::Object manifest = getManifest(compiler, usesOpenMP(**llvmModule));
  if (kind == EmitKind::Manifest)
    return write(options.output, [&](raw_ostream &os) {
      printManifest(std::move(manifest), os);
    });
  if (llvm::Error error = optimizeModule(**llvmModule, **machine))
    return error;
  finishStep("optimize");
  if (llvm::Error error = saveTemp("optimize", "ll", printModule))
    return error;
  if (kind == EmitKind::LLVM)
    return write(options.output, printModule);

  // In memory: the code generator wants to seek, which pipes cannot.
  SmallVector<char, 0> code;
  llvm::raw_svector_ostream os(code);
  llvm::CodeGenFileType fileType = kind == EmitKind::Asm
                                       ? llvm::CodeGenFileType::AssemblyFile
                                       : llvm::CodeGenFileType::ObjectFile;
  emitMachineCode(**llvmModule, **machine, fileType, os);
  finishStep("codegen");
  if (kind != EmitKind::Shared)
    return write(options.output, [&](raw_ostream &os) { os << code; });
  llvm::Error error = writeShared(StringRef(code.data(), code.size()),
                                  **llvmModule, std::move(manifest));
  finishStep("link");
  return error;
}

llvm::Error Driver::run() {
  if (llvm::Error error = checkOptions())
    return error;
  llvm::Expected<CompilerOptions> compiler = options.compiler.makeOptions();
  if (!compiler)
    return compiler.takeError();
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
    return write(options.output, [&](raw_ostream &os) {
      printHeader(options.entry, signature, os);
    });
  if (llvm::Error error = lowerGraph(**module, *compiler))
    return error;
  if (kind != EmitKind::MLIR)
    return emitCode(**module, *compiler);
  return write(options.output, [&](raw_ostream &os) { (*module)->print(os); });
}

/// The anchor of getMainExecutable.
static void anchor() {}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  ignoreWriteSignals();
  cl::ResetCommandLineParser();
  CompileOptions options;
  if (!parseCommandLine(argc, argv, tool, overview,
                        {&options.files, &options.compilation}))
    return exitFailure;
  if (options.compiler.listCPUs())
    return finishOutput(tool, exitSuccess);
  if (options.emit == "mlir-help") {
    llvm::outs() << "input: the graph as it was read\n";
    for (const CPUStage &stage : getCPUStages())
      llvm::outs() << stage.name << ": " << stage.description << "\n";
    return finishOutput(tool, exitSuccess);
  }
  std::string programPath = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&anchor));
  if (llvm::Error error = Driver(options, programPath).run())
    return reportError(tool, std::move(error));
  return exitSuccess;
}
