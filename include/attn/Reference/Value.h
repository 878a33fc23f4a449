//===- Value.h - Values of the reference interpreter ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values that the reference interpreter computes with. Every float type is
/// held as a double, so that a result can serve as the truth for any of them;
/// integers are held at 64 bits in the canonical form of their width.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_REFERENCE_VALUE_H
#define ATTN_REFERENCE_VALUE_H

#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"

#include <cassert>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace mlir::attn::reference {

/// How the elements of a type are held.
enum class ElementKind { Float, Integer, Complex };

/// The kind for a scalar type, or nothing where the interpreter has no such
/// values (numbers above 64 bits, vectors, memrefs, ...).
std::optional<ElementKind> getElementKind(Type type);

/// Brings an integer into the canonical form of its type: sign-extended from
/// the type's width, except i1, which is 0 or 1.
int64_t canonicalizeInteger(int64_t value, Type type);

/// One float, integer or complex number.
class Scalar {
public:
  Scalar() : Scalar(int64_t(0)) {}
  Scalar(double value) : kind(ElementKind::Float), real(value), imaginary(0) {}
  Scalar(int64_t value) : kind(ElementKind::Integer), integer(value) {}
  Scalar(std::complex<double> value)
      : kind(ElementKind::Complex), real(value.real()),
        imaginary(value.imag()) {}
  static Scalar fromBool(bool value) { return Scalar(int64_t(value)); }

  ElementKind getKind() const { return kind; }
  double getFloat() const {
    assert(kind == ElementKind::Float && "not a float");
    return real;
  }
  int64_t getInteger() const {
    assert(kind == ElementKind::Integer && "not an integer");
    return integer;
  }
  std::complex<double> getComplex() const {
    assert(kind == ElementKind::Complex && "not a complex number");
    return {real, imaginary};
  }

private:
  ElementKind kind;
  union {
    double real;
    int64_t integer;
  };
  double imaginary = 0;
};

/// A dense row-major tensor. Copies share their elements until one of them is
/// written.
class Tensor {
public:
  Tensor() = default;

  /// A tensor of zeros. The element type must have a kind and the sizes must
  /// not be negative.
  static Tensor zeros(Type elementType, ArrayRef<int64_t> shape);

  /// A tensor whose elements all equal `value`.
  static Tensor filled(Type elementType, ArrayRef<int64_t> shape, Scalar value);

  Type getElementType() const { return elementType; }
  ElementKind getKind() const { return *getElementKind(elementType); }
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDimSize(unsigned dim) const { return shape[dim]; }
  int64_t getNumElements() const;

  ArrayRef<double> getFloats() const {
    return std::get<std::vector<double>>(*data);
  }
  ArrayRef<int64_t> getIntegers() const {
    return std::get<std::vector<int64_t>>(*data);
  }

  MutableArrayRef<double> getMutableFloats() {
    detach();
    return std::get<std::vector<double>>(*data);
  }
  MutableArrayRef<int64_t> getMutableIntegers() {
    detach();
    return std::get<std::vector<int64_t>>(*data);
  }
  MutableArrayRef<std::complex<double>> getMutableComplexes() {
    detach();
    return std::get<std::vector<std::complex<double>>>(*data);
  }

  /// Whether there is an element at `indices`.
  bool isInBounds(ArrayRef<int64_t> indices) const;
  /// The place of the element at `indices` in row-major order.
  int64_t getLinearIndex(ArrayRef<int64_t> indices) const;

  Scalar getElement(int64_t linearIndex) const;
  Scalar getElement(ArrayRef<int64_t> indices) const {
    return getElement(getLinearIndex(indices));
  }
  void setElement(int64_t linearIndex, Scalar value);
  void setElement(ArrayRef<int64_t> indices, Scalar value) {
    setElement(getLinearIndex(indices), value);
  }

  /// The same elements in another shape with as many of them.
  Tensor withShape(ArrayRef<int64_t> newShape) const;

private:
  using Data = std::variant<std::vector<double>, std::vector<int64_t>,
                            std::vector<std::complex<double>>>;

  /// Gives this tensor elements of its own before they are written.
  void detach() {
    if (data.use_count() > 1)
      data = std::make_shared<Data>(*data);
  }

  Type elementType;
  SmallVector<int64_t, 4> shape;
  std::shared_ptr<Data> data;
};

/// One pair of the space that masks and biases are functions of.
struct PairIndex {
  int64_t batch = 0;
  int64_t head = 0;
  int64_t query = 0;
  int64_t key = 0;
  /// The accumulator type of the op that asks, of which biases are numbers;
  /// null if it asks for a mask.
  Type accumulator;
};

/// A mask (whether the query may attend to the key, as an i1) or a bias (the
/// score term of the pair). It fails, after a diagnostic, where the pair has no
/// value, because an operand is too small for it.
using PairFunction = std::function<FailureOr<Scalar>(const PairIndex &)>;

/// The value of one SSA value.
class RuntimeValue {
public:
  RuntimeValue() = default;
  RuntimeValue(Scalar value) : value(value) {}
  RuntimeValue(Tensor value) : value(std::move(value)) {}
  /// Masks and biases call those that they are made of; `size` counts the calls
  /// for one pair.
  RuntimeValue(PairFunction function, unsigned size)
      : value(std::make_shared<const Symbolic>(
            Symbolic{std::move(function), size})) {}

  bool isScalar() const { return std::holds_alternative<Scalar>(value); }
  bool isTensor() const { return std::holds_alternative<Tensor>(value); }

  const Scalar &getScalar() const { return *std::get_if<Scalar>(&value); }
  double getFloat() const { return getScalar().getFloat(); }
  int64_t getInteger() const { return getScalar().getInteger(); }
  std::complex<double> getComplex() const { return getScalar().getComplex(); }
  const Tensor &getTensor() const { return *std::get_if<Tensor>(&value); }
  Tensor &getTensor() { return *std::get_if<Tensor>(&value); }
  /// The function of a mask or bias.
  const PairFunction &getPairFunction() const {
    return (*std::get_if<std::shared_ptr<const Symbolic>>(&value))->function;
  }
  /// How many calls one pair of a mask or bias takes; 0 for other values.
  unsigned getSize() const {
    const auto *symbolic = std::get_if<std::shared_ptr<const Symbolic>>(&value);
    return symbolic ? (*symbolic)->size : 0;
  }

private:
  struct Symbolic {
    PairFunction function;
    unsigned size;
  };

  std::variant<std::monostate, Scalar, Tensor, std::shared_ptr<const Symbolic>>
      value;
};

} // namespace mlir::attn::reference

#endif // ATTN_REFERENCE_VALUE_H
