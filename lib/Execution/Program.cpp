//===- Program.cpp - Compiled functions that can be called ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The in-process path compiles to an object in memory and links it with ORC:
/// the same object that `attn-compile` would write.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Program.h"

#include "Descriptors.h"
#include "attn/Target/CPU/Emit.h"
#include "attn_rt.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <chrono>
#include <cstdlib>

using namespace mlir;
using namespace mlir::attn;

/// Makes the OpenMP runtime visible to code in this process.
static llvm::Error loadOpenMP() {
  std::string path = findOpenMPLibrary();
  if (path.empty())
    return llvm::createStringError(
        "the code is parallel, but no OpenMP runtime (libomp) was found");
  std::string message;
  if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(path.c_str(), &message))
    return llvm::createStringError("cannot load '%s': %s", path.c_str(),
                                   message.c_str());
  return llvm::Error::success();
}

/// Compiles to an object in memory.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileToObject(ModuleOp module, StringRef entry,
                llvm::TargetMachine &machine) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> llvmModule =
      translateToLLVMIR(module, entry, context, machine);
  if (!llvmModule)
    return llvmModule.takeError();
  if (llvm::Error error = optimizeModule(**llvmModule, machine))
    return std::move(error);
  if (usesOpenMP(**llvmModule))
    if (llvm::Error error = loadOpenMP())
      return std::move(error);
  SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (llvm::Error error = emitMachineCode(
          **llvmModule, machine, llvm::CodeGenFileType::ObjectFile, os))
    return std::move(error);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(object), "attn", /*RequiresNullTerminator=*/false);
}

/// A linker for objects that may call this process and the runtime.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> createLinker() {
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit;
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  auto generator =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
          (*jit)->getDataLayout().getGlobalPrefix());
  if (!generator)
    return generator.takeError();
  library.addGenerator(std::move(*generator));
  llvm::orc::SymbolMap symbols;
  auto define = [&](StringRef name, auto *function) {
    symbols[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  define("attn_rt_assert_fail", &attn_rt_assert_fail);
  define("attn_rt_assert_fail_values", &attn_rt_assert_fail_values);
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  return jit;
}

llvm::Expected<Program> Program::compile(ModuleOp module, StringRef entry,
                                         Signature signature,
                                         const CPUTarget &target) {
  if (llvm::Error error = target.checkHost())
    return std::move(error);
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> object =
      compileToObject(module, entry, **machine);
  if (!object)
    return object.takeError();
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = createLinker();
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = (*jit)->addObjectFile(std::move(*object)))
    return std::move(error);
  llvm::Expected<llvm::orc::ExecutorAddr> address =
      (*jit)->lookup(getPackedName(entry));
  if (!address)
    return address.takeError();

  Program program;
  program.signature = std::move(signature);
  program.function = address->toPtr<PackedFunction>();
  program.assertSetter = &attn_rt_set_assert_handler;
  program.owner = std::shared_ptr<llvm::orc::LLJIT>(std::move(*jit));
  return program;
}

namespace {
/// What a manifest says that is needed to call the library.
struct Manifest {
  std::string symbol;
  Signature signature;
};
} // namespace

static llvm::Expected<Manifest> parseManifest(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != "attn-manifest")
    return llvm::createStringError("not a manifest of attn-compile");
  if (object->getInteger("version") != 1)
    return llvm::createStringError("unknown manifest version");
  std::optional<StringRef> symbol = object->getString("call");
  std::optional<StringRef> cpu = object->getString("cpu");
  std::optional<StringRef> features = object->getString("features");
  if (!symbol || !cpu || !features)
    return llvm::createStringError(
        "manifest lacks 'call', 'cpu' or 'features'");
  llvm::Expected<CPUTarget> target = CPUTarget::get(*cpu, *features);
  if (!target)
    return target.takeError();
  if (llvm::Error error = target->checkHost())
    return std::move(error);
  llvm::Expected<Signature> signature = Signature::fromJSON(*object);
  if (!signature)
    return signature.takeError();
  return Manifest{symbol->str(), std::move(*signature)};
}

llvm::Expected<Program> Program::load(StringRef libraryPath,
                                      StringRef manifestPath) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> text =
      llvm::MemoryBuffer::getFile(manifestPath);
  if (!text)
    return llvm::createStringError("cannot read the manifest '%s': %s",
                                   manifestPath.str().c_str(),
                                   text.getError().message().c_str());
  llvm::Expected<Manifest> manifest = parseManifest((*text)->getBuffer());
  if (!manifest)
    return llvm::createStringError(
        "'%s': %s", manifestPath.str().c_str(),
        llvm::toString(manifest.takeError()).c_str());

  // Without a slash the loader would search its own path.
  SmallString<128> absolutePath(libraryPath);
  llvm::sys::fs::make_absolute(absolutePath);
  std::string message;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(absolutePath.c_str(),
                                                     &message);
  if (!library.isValid())
    return llvm::createStringError("cannot load '%s': %s",
                                   libraryPath.str().c_str(), message.c_str());
  Program program;
  program.signature = std::move(manifest->signature);
  program.function = reinterpret_cast<PackedFunction>(
      library.getAddressOfSymbol(manifest->symbol.c_str()));
  program.assertSetter = reinterpret_cast<AssertSetter>(
      library.getAddressOfSymbol("attn_rt_set_assert_handler"));
  if (!program.function || !program.assertSetter)
    return llvm::createStringError("'%s' has no function '%s'",
                                   libraryPath.str().c_str(),
                                   manifest->symbol.c_str());
  return program;
}

static llvm::Error checkInput(const ValueSpec &spec, const NdArray &input) {
  bool fits = input.getType() == spec.type &&
              input.getShape().size() == spec.shape.size();
  for (size_t d = 0; fits && d < spec.shape.size(); ++d)
    fits = spec.shape[d] == dynamicSize || spec.shape[d] == input.getShape()[d];
  if (fits)
    return llvm::Error::success();
  return llvm::createStringError("input '%s': expects %s, got %s of shape %s",
                                 spec.name.c_str(), spec.format().c_str(),
                                 getMLIRName(input.getType()).str().c_str(),
                                 formatShape(input.getShape()).c_str());
}

llvm::Expected<ProgramResult>
Program::run(MutableArrayRef<NdArray> inputs) const {
  if (inputs.size() != signature.inputs.size())
    return llvm::createStringError("expects %zu inputs, got %zu",
                                   signature.inputs.size(), inputs.size());
  for (auto [spec, input] : llvm::zip_equal(signature.inputs, inputs))
    if (llvm::Error error = checkInput(spec, input))
      return std::move(error);

  CallFrame frame(signature, inputs);
  auto start = std::chrono::steady_clock::now();
  function(frame.getSlots());
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  llvm::Expected<SmallVector<NdArray, 0>> outputs = frame.takeResults(inputs);
  if (!outputs)
    return outputs.takeError();
  return ProgramResult{std::move(*outputs), elapsed.count()};
}

void Program::setAssertHandler(AssertHandler handler) const {
  assertSetter(handler);
}

void attn::setNumThreads(unsigned numThreads) {
  // The OpenMP runtime reads this when it starts.
  setenv("OMP_NUM_THREADS", std::to_string(numThreads).c_str(),
         /*overwrite=*/1);
}
