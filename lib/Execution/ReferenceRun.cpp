//===- ReferenceRun.cpp - Running the reference interpreter -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conversion between arrays and the values of the interpreter.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/ReferenceRun.h"

#include "attn/Execution/Errors.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::attn;

static reference::Scalar getScalar(const NdArray &array, int64_t index) {
  if (isFloat(array.getType()))
    return array.getValue(index).real();
  if (isComplex(array.getType()))
    return array.getValue(index);
  return array.getInteger(index);
}

static reference::RuntimeValue toRuntimeValue(const NdArray &array, Type type) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType)
    return getScalar(array, 0);
  reference::Tensor tensor =
      reference::Tensor::zeros(tensorType.getElementType(), array.getShape());
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i)
    tensor.setElement(i, getScalar(array, i));
  return tensor;
}

static void setElement(NdArray &array, int64_t index,
                       const reference::Scalar &value) {
  switch (value.getKind()) {
  case reference::ElementKind::Float:
    array.setValue(index, value.getFloat());
    return;
  case reference::ElementKind::Complex:
    array.getDataAs<std::complex<double>>()[index] = value.getComplex();
    return;
  case reference::ElementKind::Integer:
    // Not through a double, which cannot hold all of them.
    if (array.getType() == DType::I64)
      array.getDataAs<int64_t>()[index] = value.getInteger();
    else
      array.setValue(index, static_cast<double>(value.getInteger()));
    return;
  }
}

/// The array type that holds a result without loss.
static DType getReferenceType(DType type) {
  if (isFloat(type))
    return DType::F64;
  return isComplex(type) ? DType::C128 : type;
}

static llvm::Expected<NdArray> toArray(const reference::RuntimeValue &value,
                                       const ValueSpec &spec) {
  DType type = getReferenceType(spec.type);
  ArrayRef<int64_t> shape;
  if (value.isTensor())
    shape = value.getTensor().getShape();
  llvm::Expected<NdArray> array = NdArray::create(type, shape);
  if (!array)
    return array;
  for (int64_t i = 0, e = array->getNumElements(); i < e; ++i)
    setElement(*array, i,
               value.isTensor() ? value.getTensor().getElement(i)
                                : value.getScalar());
  return array;
}

namespace {
/// Tells failed checks from what the interpreter cannot do, which it reports by
/// naming itself.
class FailureWatch : public ScopedDiagnosticHandler {
public:
  explicit FailureWatch(MLIRContext *context)
      : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      if (StringRef(diagnostic.str()).contains("reference interpreter"))
        exitCode = exitFailure;
      return failure(); // for the next handler
    });
  }

  ExitCode getExitCode() const { return exitCode; }

private:
  ExitCode exitCode = exitAssertion;
};
} // namespace

llvm::Expected<SmallVector<NdArray, 0>>
attn::runReference(ModuleOp module, StringRef entry, ArrayRef<NdArray> inputs,
                   const reference::InterpreterOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  assert(function && "prepareEntry has found the entry");
  llvm::Expected<Signature> signature =
      Signature::get(function.getFunctionType());
  if (!signature)
    return signature.takeError();
  SmallVector<reference::RuntimeValue> arguments;
  for (auto [input, type] :
       llvm::zip_equal(inputs, function.getArgumentTypes()))
    arguments.push_back(toRuntimeValue(input, type));
  FailureWatch watch(module.getContext());
  FailureOr<SmallVector<reference::RuntimeValue>> results =
      reference::interpret(function, arguments, options);
  if (failed(results))
    return llvm::make_error<DiagnosedError>("interpretation failed",
                                            watch.getExitCode());
  SmallVector<NdArray, 0> outputs;
  for (auto [result, spec] : llvm::zip_equal(*results, signature->outputs)) {
    llvm::Expected<NdArray> output = toArray(result, spec);
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
  }
  return outputs;
}
