//===- Program.h - Compiled functions that can be called --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function of tensors, compiled in this process or loaded from a shared
/// library, behind one interface.
///
/// Calling convention: the packed function `void attn_call_<entry>(void **)`
/// takes a pointer to the results (if there are any), then for each tensor
/// argument a pointer to its memref descriptor, and for each scalar a pointer
/// to it. Results are one descriptor or scalar, or a struct of several. Every
/// result tensor has an allocation of its own from malloc, which the caller
/// frees; arguments are neither written nor freed.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_PROGRAM_H
#define ATTN_EXECUTION_PROGRAM_H

#include "attn/Execution/Signature.h"
#include "attn/Target/CPU/CPUTarget.h"
#include <memory>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::attn {

/// What runs when a check in generated code fails. It gets the message and
/// must end the process.
using AssertHandler = void (*)(const char *message);

/// The outcome of one call.
struct ProgramResult {
  SmallVector<NdArray, 0> outputs;
  /// Time inside the compiled function.
  double seconds = 0;
};

class Program {
public:
  /// Compiles a module of the LLVM dialect for this machine.
  static llvm::Expected<Program> compile(ModuleOp module, StringRef entry,
                                         Signature signature,
                                         const CPUTarget &target);

  /// Loads a shared library that `attn-compile` made, with its manifest. Fails
  /// before anything of it runs unless both are as they were made.
  static llvm::Expected<Program> load(StringRef libraryPath,
                                      StringRef manifestPath);

  const Signature &getSignature() const { return signature; }

  /// The number of threads that a library was compiled for; 0 if OpenMP chooses
  /// at run time.
  unsigned getNumThreads() const { return threads; }

  /// Calls the function. The inputs must have the types and shapes of the
  /// signature, as `convertInput` and `makeRandomInputs` give them.
  llvm::Expected<ProgramResult> run(MutableArrayRef<NdArray> inputs) const;

  void setAssertHandler(AssertHandler handler) const;

private:
  using PackedFunction = void (*)(void **);
  using AssertSetter = void (*)(AssertHandler);

  Signature signature;
  unsigned threads = 0;
  PackedFunction function = nullptr;
  AssertSetter assertSetter = nullptr;
  /// Keeps the code alive.
  std::shared_ptr<void> owner;
};

/// Sets the number of threads of parallel code, for programs that are compiled
/// or loaded later.
void setNumThreads(unsigned numThreads);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_PROGRAM_H
