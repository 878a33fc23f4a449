//===- attn-reference-test.cpp - Run functions for tests --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs every public function of a file through the reference interpreter, and
/// prints the results for FileCheck, or checks the diagnostics that it expects.
/// Arguments are those that the attribute `test.arguments` lists.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::reference;
namespace cl = llvm::cl;

/// NaNs have signs, which nothing defines.
static void printFloat(double value) {
  if (std::isnan(value))
    llvm::outs() << "nan";
  else
    llvm::outs() << llvm::format("%.6g", value);
}

static void printNumber(Scalar value) {
  switch (value.getKind()) {
  case ElementKind::Float:
    printFloat(value.getFloat());
    return;
  case ElementKind::Integer:
    llvm::outs() << value.getInteger();
    return;
  case ElementKind::Complex:
    llvm::outs() << '(';
    printFloat(value.getComplex().real());
    llvm::outs() << ',';
    printFloat(value.getComplex().imag());
    llvm::outs() << ')';
    return;
  }
}

/// Prints `name#0 [2] = 1 2`.
static void printResult(StringRef name, unsigned number,
                        const RuntimeValue &value) {
  llvm::outs() << name << '#' << number << " [";
  if (value.isTensor())
    llvm::interleaveComma(value.getTensor().getShape(), llvm::outs());
  llvm::outs() << "] =";
  if (value.isScalar()) {
    llvm::outs() << ' ';
    printNumber(value.getScalar());
  } else {
    const Tensor &tensor = value.getTensor();
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
      llvm::outs() << ' ';
      printNumber(tensor.getElement(i));
    }
  }
  llvm::outs() << '\n';
}

/// The value of a number or of dense elements. Its type need not be that of the
/// argument: it is for the interpreter to say so.
static RuntimeValue toValue(Attribute attr) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return Scalar(number.getValueAsDouble());
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return Scalar(number.getValue().getSExtValue());
  auto dense = cast<DenseElementsAttr>(attr);
  Tensor tensor =
      Tensor::zeros(dense.getElementType(), dense.getType().getShape());
  if (isa<FloatType>(dense.getElementType()))
    for (auto [i, number] : llvm::enumerate(dense.getValues<APFloat>()))
      tensor.setElement(i, number.convertToDouble());
  else
    for (auto [i, number] : llvm::enumerate(dense.getValues<APInt>()))
      tensor.setElement(i, number.getSExtValue());
  return tensor;
}

/// Runs the functions of one module; the last error decides.
static LogicalResult runFunctions(ModuleOp module,
                                  const InterpreterOptions &options) {
  LogicalResult status = success();
  for (auto function : module.getOps<func::FuncOp>()) {
    auto given = function->getAttrOfType<ArrayAttr>("test.arguments");
    if (function.isPrivate() || (!given && function.getNumArguments() != 0))
      continue;
    SmallVector<RuntimeValue> arguments;
    if (given)
      llvm::append_range(arguments, llvm::map_range(given, toValue));
    FailureOr<SmallVector<RuntimeValue>> results =
        interpret(function, arguments, options);
    if (failed(results)) {
      status = failure();
      continue;
    }
    for (auto [number, value] : llvm::enumerate(*results))
      printResult(function.getSymName(), number, value);
  }
  return status;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::opt<std::string> input(cl::Positional, cl::Required,
                             cl::desc("<file.mlir>"));
  cl::opt<bool> split("split-input-file", cl::desc("Split at // -----"));
  cl::opt<bool> verify("verify-diagnostics",
                       cl::desc("Check expected-error comments"));
  cl::opt<int64_t> maxElements("max-elements", cl::init(int64_t(1) << 20),
                               cl::desc("Limit of elements of a tensor"));
  cl::ParseCommandLineOptions(argc, argv, "runs functions by the reference\n");
  InterpreterOptions options;
  options.maxTensorElements = maxElements;

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << error << '\n';
    return EXIT_FAILURE;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<attn::AttnDialect>();

  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> buffer,
                     llvm::raw_ostream &) -> LogicalResult {
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(buffer), SMLoc());
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
    auto run = [&]() -> LogicalResult {
      OwningOpRef<ModuleOp> module =
          parseSourceFile<ModuleOp>(sources, &context);
      if (!module)
        return failure();
      return runFunctions(*module, options);
    };
    if (!verify) {
      SourceMgrDiagnosticHandler handler(*sources, &context);
      return run();
    }
    SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
    (void)run();
    return handler.verify();
  };
  LogicalResult status = splitAndProcessBuffer(
      std::move(file), process, llvm::outs(), split ? kDefaultSplitMarker : "");
  return succeeded(status) ? EXIT_SUCCESS : EXIT_FAILURE;
}
