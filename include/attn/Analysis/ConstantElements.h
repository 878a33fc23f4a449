//===- ConstantElements.h - Reading dense constants -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One way to read the elements of a constant tensor, whether it is a
/// DenseElementsAttr (splat or not) or a dense_resource blob.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_CONSTANTELEMENTS_H
#define ATTN_ANALYSIS_CONSTANTELEMENTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace mlir::attn {

/// A view of a constant of integers (also i1 and index) or floats. It borrows
/// the attribute's storage; elements are read on demand, in row-major order.
class ConstantElements {
public:
  /// Nothing if the attribute is no dense constant, its element type is not
  /// supported, or a resource is missing or too short.
  static std::optional<ConstantElements> get(Attribute attribute);
  /// For the result of a constant-like operation.
  static std::optional<ConstantElements> get(Value value);

  ShapedType getType() const { return type; }
  ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getNumElements() const { return type.getNumElements(); }
  bool isFloat() const;
  bool isSplat() const { return splat; }

  /// Element by row-major position; 0 or 1 for i1, sign-extended otherwise.
  int64_t getInt(int64_t position) const;
  /// Element by row-major position, exact for every type up to f64; integers
  /// are converted.
  double getFloat(int64_t position) const;
  APFloat getAPFloat(int64_t position) const;
  /// Row-major position of an element; nothing if it lies outside.
  std::optional<int64_t> getPosition(ArrayRef<int64_t> indices) const;

  /// All elements as doubles.
  SmallVector<double> getFloats() const;

  /// Least and greatest element of an integer constant that is not too large to
  /// look at.
  std::optional<std::pair<int64_t, int64_t>> getIntRange() const;

private:
  APInt getBits(int64_t position) const;

  ShapedType type;
  DenseElementsAttr dense;
  ArrayRef<char> raw;
  bool splat = false;
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_CONSTANTELEMENTS_H
