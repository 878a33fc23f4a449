//===- Signature.h - What a compiled function takes and gives ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The inputs and outputs of an entry function, as callers see them: element
/// types and shapes of tensors, named in0.. and out0... It comes from the
/// function in MLIR or from the manifest of a compiled library.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_SIGNATURE_H
#define ATTN_EXECUTION_SIGNATURE_H

#include "attn/Execution/NdArray.h"
#include "llvm/Support/JSON.h"

namespace mlir {
class FunctionType;
} // namespace mlir

namespace mlir::attn {

/// The size of a dimension that only run time knows.
constexpr int64_t dynamicSize = -1;

/// One input or output.
struct ValueSpec {
  std::string name;
  DType type = DType::F32;
  /// Sizes; `dynamicSize` where dynamic. Empty for scalars and tensors of rank
  /// 0.
  SmallVector<int64_t> shape;
  /// False for a scalar that is passed by value.
  bool isTensor = true;

  /// E.g. `2x?xf32`.
  std::string format() const;
  bool isDynamic() const;
  /// Whether a value of this shape may be passed.
  bool fitsShape(ArrayRef<int64_t> actual) const;
};

struct Signature {
  SmallVector<ValueSpec, 0> inputs;
  SmallVector<ValueSpec, 0> outputs;

  /// Fails on a type that cannot cross the boundary, naming it.
  static llvm::Expected<Signature> get(FunctionType type);

  /// The arrays `inputs` and `outputs` of a manifest.
  static llvm::Expected<Signature> fromJSON(const llvm::json::Object &object);
  llvm::json::Array inputsToJSON() const;
  llvm::json::Array outputsToJSON() const;
};

/// Converts an array from a file to what `spec` asks for: f16 and bf16 may
/// come as f32, everything else in its own type. Fails, naming the input, on
/// another type or a shape that contradicts a static size.
llvm::Expected<NdArray> convertInput(const NdArray &array,
                                     const ValueSpec &spec);

/// The form of a result for a file: bf16 becomes f32.
llvm::Expected<NdArray> convertOutput(NdArray array);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_SIGNATURE_H
