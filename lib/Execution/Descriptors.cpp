//===- Descriptors.cpp - Memref descriptors in memory -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A descriptor of rank r is {allocated, aligned, offset, sizes[r],
/// strides[r]}, all 8 bytes wide.
///
//===----------------------------------------------------------------------===//

#include "Descriptors.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::attn;

static_assert(sizeof(void *) == sizeof(int64_t),
              "descriptors are laid out for 64-bit machines");

/// Words before the sizes.
static constexpr size_t headWords = 3;

static size_t getDescriptorWords(size_t rank) { return headWords + 2 * rank; }

static SmallVector<int64_t, 8> makeDescriptor(NdArray &array) {
  ArrayRef<int64_t> shape = array.getShape();
  SmallVector<int64_t, 8> words(getDescriptorWords(shape.size()), 0);
  words[0] = words[1] = reinterpret_cast<int64_t>(array.getData());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    words[headWords + d] = shape[d];
    words[headWords + shape.size() + d] = stride;
    stride *= shape[d];
  }
  return words;
}

/// Size and alignment of a result inside the result struct.
static std::pair<size_t, size_t> getResultLayout(const ValueSpec &spec) {
  if (spec.isTensor)
    return {getDescriptorWords(spec.shape.size()) * sizeof(int64_t),
            sizeof(int64_t)};
  size_t size = getByteWidth(spec.type);
  return {size, isComplex(spec.type) ? size / 2 : size};
}

CallFrame::CallFrame(const Signature &signature,
                     MutableArrayRef<NdArray> inputs)
    : signature(signature) {
  size_t size = 0;
  for (const ValueSpec &output : signature.outputs) {
    auto [width, alignment] = getResultLayout(output);
    size = llvm::alignTo(size, alignment);
    resultOffsets.push_back(size);
    size += width;
  }
  results.assign(llvm::divideCeil(size, sizeof(int64_t)), 0);
  if (!signature.outputs.empty())
    slots.push_back(results.data());
  // Addresses must stay, so all descriptors exist before they are taken.
  for (NdArray &input : inputs)
    descriptors.push_back(makeDescriptor(input));
  for (auto [spec, input, descriptor] :
       llvm::zip_equal(signature.inputs, inputs, descriptors))
    slots.push_back(spec.isTensor ? static_cast<void *>(descriptor.data())
                                  : input.getData());
}

char *CallFrame::getResult(size_t index) {
  return reinterpret_cast<char *>(results.data()) + resultOffsets[index];
}

static llvm::Expected<NdArray> copyTensor(const ValueSpec &spec,
                                          const int64_t *words) {
  size_t rank = spec.shape.size();
  ArrayRef<int64_t> shape(words + headWords, rank);
  ArrayRef<int64_t> strides(words + headWords + rank, rank);
  llvm::Expected<NdArray> array = NdArray::create(spec.type, shape);
  if (!array)
    return array;
  if (array->getNumBytes() > 0)
    array->copyFrom(reinterpret_cast<const char *>(words[1]) +
                        words[2] *
                            static_cast<int64_t>(getByteWidth(spec.type)),
                    strides);
  return array;
}

llvm::Expected<SmallVector<NdArray, 0>>
CallFrame::takeResults(ArrayRef<NdArray> inputs) {
  // A result that is an argument, or two that are one allocation, would be a
  // bug of the compiler; do not turn it into a double free.
  llvm::SmallPtrSet<void *, 8> released;
  released.insert(nullptr);
  for (const NdArray &input : inputs)
    released.insert(const_cast<char *>(input.getData()));

  SmallVector<NdArray, 0> outputs;
  llvm::Error failure = llvm::Error::success();
  for (auto [index, spec] : llvm::enumerate(signature.outputs)) {
    const char *result = getResult(index);
    const auto *words = reinterpret_cast<const int64_t *>(result);
    llvm::Expected<NdArray> output = spec.isTensor
                                         ? copyTensor(spec, words)
                                         : NdArray::create(spec.type, {});
    if (!output) {
      failure = llvm::joinErrors(std::move(failure), output.takeError());
      continue;
    }
    if (!spec.isTensor)
      std::memcpy(output->getData(), result, output->getNumBytes());
    outputs.push_back(std::move(*output));
  }
  // Only now: two results may be views of one allocation.
  for (auto [index, spec] : llvm::enumerate(signature.outputs)) {
    if (!spec.isTensor)
      continue;
    void *allocated;
    std::memcpy(&allocated, getResult(index), sizeof(allocated));
    if (released.insert(allocated).second)
      std::free(allocated);
  }
  if (failure)
    return std::move(failure);
  return outputs;
}
