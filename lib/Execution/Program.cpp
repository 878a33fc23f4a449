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
#include "attn/Execution/Manifest.h"
#include "attn/Target/CPU/Emit.h"
#include "attn_rt.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <chrono>
#include <cstdlib>

using namespace mlir;
using namespace mlir::attn;

/// Makes the OpenMP runtime visible to code in this process.
static llvm::Error loadOpenMP() {
  llvm::Expected<std::string> path = findOpenMPLibrary();
  if (!path)
    return path.takeError();
  std::string message;
  if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(path->c_str(),
                                                        &message))
    return llvm::createStringError("cannot load '%s': %s", path->c_str(),
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
  emitMachineCode(**llvmModule, machine, llvm::CodeGenFileType::ObjectFile, os);
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
  // ORC gives the reason here, and that there was one as the error.
  auto reason = std::make_shared<std::string>();
  (*jit)->getExecutionSession().setErrorReporter([reason](llvm::Error error) {
    *reason = llvm::toString(std::move(error));
  });
  if (llvm::Error error = (*jit)->addObjectFile(std::move(*object)))
    return std::move(error);
  llvm::Expected<llvm::orc::ExecutorAddr> address =
      (*jit)->lookup(getPackedName(entry));
  if (!address) {
    std::string message = llvm::toString(address.takeError());
    return llvm::createStringError("cannot link the code: %s",
                                   reason->empty() ? message.c_str()
                                                   : reason->c_str());
  }

  Program program;
  program.signature = std::move(signature);
  program.function = address->toPtr<PackedFunction>();
  program.assertSetter = &attn_rt_set_assert_handler;
  program.owner = std::shared_ptr<llvm::orc::LLJIT>(std::move(*jit));
  return program;
}

llvm::Expected<Program> Program::load(StringRef libraryPath,
                                      StringRef manifestPath) {
  llvm::Expected<Manifest> manifest = readManifest(manifestPath, libraryPath);
  if (!manifest)
    return manifest.takeError();
  if (llvm::Error error = manifest->target.checkHost())
    return llvm::createStringError("'%s': %s", libraryPath.str().c_str(),
                                   llvm::toString(std::move(error)).c_str());

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
  program.threads = manifest->threads;
  std::string symbol = getPackedName(manifest->entry);
  program.function = reinterpret_cast<PackedFunction>(
      library.getAddressOfSymbol(symbol.c_str()));
  program.assertSetter = reinterpret_cast<AssertSetter>(
      library.getAddressOfSymbol("attn_rt_set_assert_handler"));
  if (!program.function || !program.assertSetter)
    return llvm::createStringError("'%s' has no function '%s'",
                                   libraryPath.str().c_str(), symbol.c_str());
  return program;
}

llvm::Expected<ProgramResult>
Program::run(MutableArrayRef<NdArray> inputs) const {
  assert(llvm::all_of_zip(signature.inputs, inputs,
                          [](const ValueSpec &spec, const NdArray &input) {
                            return spec.type == input.getType() &&
                                   spec.fitsShape(input.getShape());
                          }) &&
         "inputs contradict the signature");
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
