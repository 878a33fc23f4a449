//===- Emit.cpp - From the LLVM dialect to machine code ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code runs in-process and from files through the same steps, so that what the
/// tests run is what the compiler ships.
///
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/Emit.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

std::string attn::getCInterfaceName(StringRef entry) {
  return ("_mlir_ciface_" + entry).str();
}

std::string attn::getPackedName(StringRef entry) {
  return ("attn_call_" + entry).str();
}

/// Adds `void packed(void **args)`, which calls `callee`. Pointers go through,
/// scalars are loaded, and a scalar result is stored to the first argument.
static void addPackedFunction(llvm::Module &module, llvm::Function &callee,
                              StringRef name) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                              /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, name, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  unsigned next = 0;
  auto loadSlot = [&]() -> llvm::Value * {
    llvm::Value *slot = builder.CreateConstGEP1_64(builder.getPtrTy(),
                                                   function->getArg(0), next++);
    return builder.CreateLoad(builder.getPtrTy(), slot);
  };
  llvm::Type *resultType = callee.getReturnType();
  llvm::Value *result = resultType->isVoidTy() ? nullptr : loadSlot();
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : callee.args()) {
    llvm::Value *slot = loadSlot();
    arguments.push_back(argument.getType()->isPointerTy()
                            ? slot
                            : builder.CreateLoad(argument.getType(), slot));
  }
  llvm::Value *value = builder.CreateCall(&callee, arguments);
  if (result)
    builder.CreateStore(value, result);
  builder.CreateRetVoid();
}

static bool isFloat16(llvm::Type *type) {
  return type->isHalfTy() || type->isBFloatTy();
}

/// The type that C passes for `type`: the bits of 16-bit floats, for which not
/// all compilers have types.
static llvm::Type *getCType(llvm::Type *type) {
  return isFloat16(type) ? llvm::Type::getInt16Ty(type->getContext()) : type;
}

/// Gives `callee` the name of the C function; where its scalars are not those
/// of C, to a function in front of it.
static void exportInterface(llvm::Module &module, llvm::Function &callee,
                            StringRef name) {
  llvm::FunctionType *type = callee.getFunctionType();
  // Callers take the whole byte of a bool.
  if (type->getReturnType()->isIntegerTy(1))
    callee.addRetAttr(llvm::Attribute::ZExt);
  if (!isFloat16(type->getReturnType()) &&
      llvm::none_of(type->params(), isFloat16))
    return;
  callee.setName(name + "_float16");
  SmallVector<llvm::Type *> parameters =
      llvm::map_to_vector(type->params(), getCType);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(getCType(type->getReturnType()), parameters,
                              /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, name, module);
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));
  SmallVector<llvm::Value *> arguments;
  for (auto [argument, wanted] : llvm::zip_equal(
           llvm::make_pointer_range(function->args()), type->params()))
    arguments.push_back(builder.CreateBitCast(argument, wanted));
  llvm::Value *result = builder.CreateCall(&callee, arguments);
  if (type->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(builder.CreateBitCast(result, function->getReturnType()));
}

llvm::Expected<std::unique_ptr<llvm::Module>>
attn::translateToLLVMIR(ModuleOp module, StringRef entry,
                        llvm::LLVMContext &context,
                        const llvm::TargetMachine &machine) {
  // LLVM's verifier would print what it finds.
  std::string reason;
  std::unique_ptr<llvm::Module> llvmModule;
  {
    ScopedDiagnosticHandler handler(
        module.getContext(),
        [&](Diagnostic &diagnostic) { reason = diagnostic.str(); });
    llvmModule = translateModuleToLLVMIR(module, context, "graph",
                                         /*disableVerification=*/true);
  }
  llvm::raw_string_ostream os(reason);
  if (!llvmModule || llvm::verifyModule(*llvmModule, &os))
    return llvm::createStringError("cannot translate to LLVM IR: %s",
                                   reason.c_str());
  llvmModule->setTargetTriple(machine.getTargetTriple());
  llvmModule->setDataLayout(machine.createDataLayout());
  llvmModule->setPICLevel(llvm::PICLevel::BigPIC);

  std::string interfaceName = getCInterfaceName(entry);
  llvm::Function *callee = llvmModule->getFunction(interfaceName);
  if (!callee || callee->isDeclaration())
    return llvm::createStringError("function '%s' has no C interface after "
                                   "lowering",
                                   entry.str().c_str());
  // A function of the graph may be called so.
  std::string packedName = getPackedName(entry);
  if (llvm::GlobalValue *other = llvmModule->getNamedValue(packedName))
    other->setName(packedName + "_graph");
  addPackedFunction(*llvmModule, *callee, packedName);
  exportInterface(*llvmModule, *callee, interfaceName);

  // A function called main or exp must not meet the ones of the program that
  // loads the code.
  for (llvm::GlobalObject &object : llvmModule->global_objects()) {
    StringRef name = object.getName();
    bool exported = name == interfaceName || name == packedName;
    if (!object.isDeclaration() && !exported && !object.hasAppendingLinkage())
      object.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::Function &function : *llvmModule) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
  return llvmModule;
}

llvm::Error attn::optimizeModule(llvm::Module &module,
                                 llvm::TargetMachine &machine) {
  return makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                   &machine)(&module);
}

void attn::emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::CodeGenFileType fileType,
                           llvm::raw_pwrite_stream &os) {
  llvm::legacy::PassManager passes;
  [[maybe_unused]] bool failed =
      machine.addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr, fileType);
  assert(!failed && "the target writes assembly and objects");
  passes.run(module);
}

bool attn::usesOpenMP(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() &&
           (function.getName().starts_with("__kmpc_") ||
            function.getName().starts_with("omp_"));
  });
}
