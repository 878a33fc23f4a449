//===- Emit.h - From the LLVM dialect to machine code -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Translation, optimisation, and the forms in which code leaves the compiler.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_EMIT_H
#define ATTN_TARGET_CPU_EMIT_H

#include "mlir/Support/LLVM.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::attn {

/// The C function of an entry, as MLIR names it.
std::string getCInterfaceName(StringRef entry);

/// The function `void(void **)` of an entry: it takes pointers to the result
/// (if there is one), to each memref descriptor and to each scalar.
std::string getPackedName(StringRef entry);

/// Translates a module of the LLVM dialect whose function `entry` has a C
/// interface. The result exports the C function and the packed function and
/// nothing else.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVMIR(ModuleOp module, StringRef entry, llvm::LLVMContext &context,
                  const llvm::TargetMachine &machine);

/// Runs LLVM's -O3 pipeline.
llvm::Error optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

/// Writes assembly or a position-independent object.
void emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                     llvm::CodeGenFileType fileType,
                     llvm::raw_pwrite_stream &os);

/// Whether the code calls the OpenMP runtime.
bool usesOpenMP(const llvm::Module &module);

struct LinkOptions {
  /// The static library with what generated code calls.
  std::string runtimeArchive;
  /// The OpenMP runtime; empty if the code does not use it.
  std::string openMPLibrary;
};

/// Links an object into a shared library with the first compiler driver or
/// linker on PATH, whose messages go through a file beside the object.
llvm::Error linkSharedLibrary(StringRef objectPath, StringRef outputPath,
                              const LinkOptions &options);

/// The OpenMP runtime library that the project was configured with, or one in
/// the usual places.
llvm::Expected<std::string> findOpenMPLibrary();

/// The runtime archive beside the given program (`../lib`).
std::string findRuntimeArchive(StringRef programPath);

} // namespace mlir::attn

#endif // ATTN_TARGET_CPU_EMIT_H
