//===- Signature.cpp - What a compiled function takes and gives -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Signatures from MLIR types and from JSON, and the conversion of arrays to
/// them.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Signature.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace mlir::attn;

std::string ValueSpec::format() const {
  std::string text;
  if (!shape.empty())
    text = formatShape(shape) + "x";
  return text + getMLIRName(type).str();
}

bool ValueSpec::isDynamic() const {
  return llvm::is_contained(shape, dynamicSize);
}

bool ValueSpec::fitsShape(ArrayRef<int64_t> actual) const {
  return actual.size() == shape.size() &&
         llvm::all_of(llvm::zip_equal(actual, shape), [](auto sizes) {
           auto [size, wanted] = sizes;
           return wanted == dynamicSize || size == wanted;
         });
}

static std::optional<DType> getElementType(Type type) {
  if (type.isIndex())
    return DType::I64;
  if (type.isUnsignedInteger(8))
    return DType::U8;
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && !integer.isSignless())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseMLIRName(name);
}

static llvm::Expected<ValueSpec> getSpec(Type type, std::string name) {
  ValueSpec spec;
  spec.name = std::move(name);
  Type elementType = type;
  spec.isTensor = false;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    spec.isTensor = true;
    elementType = tensor.getElementType();
    for (int64_t size : tensor.getShape())
      spec.shape.push_back(ShapedType::isDynamic(size) ? dynamicSize : size);
  }
  std::optional<DType> element = getElementType(elementType);
  // By value, C and LLVM disagree on how complex numbers travel.
  if (!element || (isComplex(*element) && !spec.isTensor)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return llvm::createStringError(
        "'%s' has type %s; expects a ranked tensor or scalar of i1, i8, i16, "
        "i32, i64, index, bf16, f16, f32 or f64, or a tensor of complex "
        "numbers",
        spec.name.c_str(), text.c_str());
  }
  spec.type = *element;
  return spec;
}

llvm::Expected<Signature> Signature::get(FunctionType type) {
  Signature signature;
  for (auto [index, input] : llvm::enumerate(type.getInputs())) {
    llvm::Expected<ValueSpec> spec =
        getSpec(input, "in" + std::to_string(index));
    if (!spec)
      return spec.takeError();
    signature.inputs.push_back(std::move(*spec));
  }
  for (auto [index, output] : llvm::enumerate(type.getResults())) {
    llvm::Expected<ValueSpec> spec =
        getSpec(output, "out" + std::to_string(index));
    if (!spec)
      return spec.takeError();
    signature.outputs.push_back(std::move(*spec));
  }
  return signature;
}

static llvm::json::Array toJSON(ArrayRef<ValueSpec> specs) {
  llvm::json::Array array;
  for (const ValueSpec &spec : specs) {
    llvm::json::Array shape;
    for (int64_t size : spec.shape)
      shape.push_back(size == dynamicSize ? llvm::json::Value(nullptr)
                                          : llvm::json::Value(size));
    array.push_back(
        llvm::json::Object{{"name", spec.name},
                           {"kind", spec.isTensor ? "tensor" : "scalar"},
                           {"type", getMLIRName(spec.type)},
                           {"shape", std::move(shape)}});
  }
  return array;
}

llvm::json::Array Signature::inputsToJSON() const { return toJSON(inputs); }

llvm::json::Array Signature::outputsToJSON() const { return toJSON(outputs); }

/// A size of a shape; null stands for a dynamic one.
static std::optional<int64_t> parseSize(const llvm::json::Value &value) {
  if (value.getAsNull())
    return dynamicSize;
  std::optional<int64_t> size = value.getAsInteger();
  return size && *size >= 0 ? size : std::nullopt;
}

static std::optional<ValueSpec> parseSpec(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  std::optional<StringRef> name = object->getString("name");
  std::optional<StringRef> kind = object->getString("kind");
  std::optional<DType> type =
      parseMLIRName(object->getString("type").value_or(""));
  const llvm::json::Array *shape = object->getArray("shape");
  if (!name || !type || !shape || (kind != "tensor" && kind != "scalar"))
    return std::nullopt;
  ValueSpec spec;
  spec.name = name->str();
  spec.type = *type;
  spec.isTensor = kind == "tensor";
  for (const llvm::json::Value &entry : *shape) {
    std::optional<int64_t> size = parseSize(entry);
    if (!size || !spec.isTensor)
      return std::nullopt;
    spec.shape.push_back(*size);
  }
  return spec;
}

static llvm::Error parseSpecs(const llvm::json::Object &object, StringRef key,
                              SmallVectorImpl<ValueSpec> &specs) {
  const llvm::json::Array *array = object.getArray(key);
  if (!array)
    return llvm::createStringError("manifest lacks '%s'", key.str().c_str());
  for (auto [index, value] : llvm::enumerate(*array)) {
    std::optional<ValueSpec> spec = parseSpec(value);
    if (!spec)
      return llvm::createStringError(
          "manifest, '%s': expects 'name', 'kind' (tensor or scalar), 'type' "
          "and 'shape' (sizes or null) of value %zu",
          key.str().c_str(), index);
    specs.push_back(std::move(*spec));
  }
  return llvm::Error::success();
}

llvm::Expected<Signature>
Signature::fromJSON(const llvm::json::Object &object) {
  Signature signature;
  if (llvm::Error error = parseSpecs(object, "inputs", signature.inputs))
    return std::move(error);
  if (llvm::Error error = parseSpecs(object, "outputs", signature.outputs))
    return std::move(error);
  return signature;
}

static bool fitsType(DType actual, DType expected) {
  if (actual == expected)
    return true;
  switch (expected) {
  case DType::BF16:
  case DType::F16:
    return actual == DType::F32;
  case DType::I8:
    return actual == DType::U8;
  case DType::U8:
    return actual == DType::I8;
  default:
    return false;
  }
}

/// A copy with elements of another type.
static llvm::Expected<NdArray> convertElements(const NdArray &array,
                                               DType type) {
  llvm::Expected<NdArray> result = NdArray::create(type, array.getShape());
  if (!result)
    return result;
  // Types of one width have the same bits, or are the same.
  if (getByteWidth(array.getType()) == getByteWidth(type)) {
    std::memcpy(result->getData(), array.getData(), array.getNumBytes());
    return result;
  }
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i)
    result->setValue(i, array.getValue(i).real());
  return result;
}

llvm::Expected<NdArray> attn::convertInput(const NdArray &array,
                                           const ValueSpec &spec) {
  if (!fitsType(array.getType(), spec.type)) {
    StringRef alternative = spec.type == DType::BF16 ? " (float32 in the file)"
                            : spec.type == DType::F16
                                ? " (float16 or float32 in the file)"
                                : "";
    return llvm::createStringError(
        "input '%s': expects element type %s%s, got %s", spec.name.c_str(),
        getMLIRName(spec.type).str().c_str(), alternative.str().c_str(),
        getNumpyName(array.getType()).str().c_str());
  }
  if (!spec.fitsShape(array.getShape()))
    return llvm::createStringError(
        "input '%s': expects shape %s, got %s", spec.name.c_str(),
        formatShape(spec.shape).c_str(), formatShape(array.getShape()).c_str());
  return convertElements(array, spec.type);
}

llvm::Expected<NdArray> attn::convertOutput(NdArray array) {
  if (array.getType() != DType::BF16)
    return array;
  return convertElements(array, DType::F32);
}
