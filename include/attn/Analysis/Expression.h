//===- Expression.h - Hash-consed element expressions -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Immutable expressions for the element of a tensor at symbolic indices.
///
/// Nodes live in an ExpressionContext and are unique: two expressions of one
/// context are structurally equal exactly when their pointers are. All nodes
/// are made by the `get*` functions of the context, which bring them to the
/// normal form below, so that different spellings of one thing meet.
///
/// **Types.** Every integer of more than one bit, and `index`, has type
/// `index`: an integer expression stands for a mathematical integer. Arithmetic
/// on narrow integers that is not proved to fit is wrapped in a `TruncI` node
/// that names the width; 64-bit arithmetic is assumed not to wrap. Booleans
/// have type `i1`; floating-point nodes carry the type that they are rounded
/// to.
///
/// **Integers** are polynomials: `Sum` (a constant and coefficient * monomial
/// terms, sorted), `Product` (a monomial of at least two atoms), `FloorDiv` and
/// `Mod` atoms where the ranges do not decide the result. So
/// `((a * 8 + b) floordiv 8)` with b in [0, 8) is `a`.
///
/// **Booleans** are in negation normal form over `Ge0` (P >= 0), `Eq0`, `Ne0`
/// of polynomials, `CmpF`, loads and `Not` of a load, under n-ary sorted `And`
/// and `Or`.
///
/// **Floats** are never reassociated and no rounding step is dropped. The
/// rewrites that are made are exact up to the sign of a zero and the payload of
/// a NaN: operands of commutative operations are sorted (a constant comes
/// last), negations move outwards (`a + -b` is `a - b`, `-a * b` is `-(a *
/// b)`), division by a power of two is multiplication, constants fold in their
/// own type, `x * 1`, `x + 0` and `x - 0` vanish, `fpowi(x, 2)` is `x * x`.
///
/// **Variables.** `Index(d, extent)` is the index along dimension d of a piece
/// of a value, in [0, extent); the extent is part of the variable, so ranges do
/// not depend on a context. A variable of extent one is the constant 0.
/// `Bound(level, extent)` is the variable of a `Reduce`; the level is one more
/// than the levels inside the body, hence equal reductions are equal pointers.
///
/// **Limits.** Depth is bounded by the analysis (values beyond become leaves),
/// which is why recursion over an expression is safe. Sizes of dimensions are
/// assumed to stay below 2^48. Integer division is assumed not to be by zero.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_EXPRESSION_H
#define ATTN_ANALYSIS_EXPRESSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/Allocator.h"

namespace mlir::attn {

class ExprNode;
class ExpressionContext;

/// A unique, immutable expression. Compare by pointer.
using Expr = const ExprNode *;

enum class ExprKind : uint8_t {
  // Leaves.
  Constant, // an integer, a boolean or a float
  Index,    // index along a dimension of the value's piece
  Bound,    // variable of an enclosing Reduce
  Dim,      // size of a dimension of a tensor
  Load,     // element of a tensor that is not looked through, or a scalar
  // Integers.
  Sum,
  Product,
  FloorDiv,
  Mod,
  DivSI, // towards zero, where it differs from FloorDiv
  RemSI,
  MaxSI,
  MinSI,
  AbsI,
  TruncI, // wraps to getWidth() bits, read as signed
  ExtUI,  // the getWidth() low bits, read as unsigned
  FPToSI,
  // Booleans.
  Ge0,
  Eq0,
  Ne0,
  CmpF,
  And,
  Or,
  Not,
  // Any type.
  Select,
  Reduce,
  Opaque, // any other operation, by name
  // Floats.
  AddF,
  SubF,
  MulF,
  DivF,
  RemF,
  NegF,
  AbsF,
  MaximumF,
  MinimumF,
  MaxNumF,
  MinNumF,
  PowF,
  FPowI,
  Exp,
  Exp2,
  ExpM1,
  Log,
  Log2,
  Log1P,
  Sqrt,
  Rsqrt,
  Sin,
  Cos,
  Tan,
  Tanh,
  Erf,
  Floor,
  Ceil,
  Round,
  RoundEven,
  Atan2,
  ExtF,
  TruncF,
  SIToFP,
  // Complex numbers.
  Complex, // (re, im)
  Re,
  Im,
};

/// `value` rounded to a float type of at most 64 bits.
double roundTo(APFloat value, Type type);

/// Name of a kind as printed ("cos", "sum").
StringRef getKindName(ExprKind kind);

class ExprNode : public llvm::FoldingSetNode {
public:
  ExprKind getKind() const { return kind; }
  bool is(ExprKind k) const { return kind == k; }
  Type getType() const { return type; }
  bool isInteger() const { return type.isIndex(); }
  bool isBool() const { return type.isInteger(1); }
  bool isFloat() const { return isa<FloatType>(type); }

  /// Operands; for Reduce the initial value, the body and the variables. An
  /// Index or a Bound has none, its extent is reached by getExtent().
  ArrayRef<Expr> getOperands() const { return operands; }
  Expr getOperand(unsigned i) const { return operands[i]; }
  unsigned getNumOperands() const { return operands.size(); }

  /// Value of an integer or boolean constant.
  std::optional<int64_t> getConstantInt() const {
    if (kind != ExprKind::Constant || isFloat())
      return std::nullopt;
    return data;
  }
  /// Value of a float constant, exact for every type up to f64.
  std::optional<double> getConstantFloat() const {
    if (kind != ExprKind::Constant || !isFloat())
      return std::nullopt;
    return number;
  }
  bool isConstant() const { return kind == ExprKind::Constant; }
  bool isConstantInt(int64_t v) const {
    return kind == ExprKind::Constant && !isFloat() && data == v;
  }
  /// Whether it is a float constant that compares equal to v (so 0.0 matches
  /// both zeros).
  bool isConstantFloat(double v) const {
    return kind == ExprKind::Constant && isFloat() && number == v;
  }
  bool isTrue() const { return isBool() && isConstantInt(1); }
  bool isFalse() const { return isBool() && isConstantInt(0); }

  /// Index: the dimension. Bound: the level.
  unsigned getPosition() const { return data; }
  /// Number of values of an Index or a Bound.
  Expr getExtent() const { return extent; }
  bool isVariable() const {
    return kind == ExprKind::Index || kind == ExprKind::Bound;
  }

  /// Load, Dim: the tensor (or scalar) read.
  Value getValue() const { return Value::getFromOpaquePointer(pointer); }
  /// Dim: the dimension.
  unsigned getDimension() const { return data; }

  /// Sum: the constant, and the coefficient of each operand.
  int64_t getConstantTerm() const { return data; }
  ArrayRef<int64_t> getCoefficients() const { return coefficients; }

  arith::CmpFPredicate getPredicate() const {
    return static_cast<arith::CmpFPredicate>(data);
  }

  /// TruncI, ExtUI: the number of bits.
  unsigned getWidth() const { return data; }

  /// Reduce: how two elements are combined (AddF, MaximumF, Sum for integers,
  /// And...).
  ExprKind getCombiner() const { return static_cast<ExprKind>(data); }
  Expr getInit() const { return operands[0]; }
  Expr getBody() const { return operands[1]; }
  ArrayRef<Expr> getVariables() const { return operands.drop_front(2); }

  /// Opaque: the operation that it came from, for its name and attributes.
  OperationName getOpName() const {
    return OperationName::getFromOpaquePointer(pointer);
  }

  /// Nesting depth; a leaf has depth 1.
  unsigned getDepth() const { return depth; }
  /// Whether an Index or a Bound occurs.
  bool hasVariables() const { return variables; }
  /// Creation number, which orders operands.
  unsigned getId() const { return id; }

  void Profile(llvm::FoldingSetNodeID &nodeId) const;

private:
  friend class ExpressionContext;

  ExprKind kind = ExprKind::Constant;
  bool variables = false;
  unsigned depth = 1;
  unsigned id = 0;
  unsigned maxLevel = 0;
  Type type;
  ArrayRef<Expr> operands;
  ArrayRef<int64_t> coefficients;
  int64_t data = 0;
  double number = 0.0;
  Expr extent = nullptr;
  const void *pointer = nullptr;
  const void *attributes = nullptr;
};

/// A closed interval of integers; an end at the limit of int64_t is open.
struct Interval {
  int64_t lo = std::numeric_limits<int64_t>::min();
  int64_t hi = std::numeric_limits<int64_t>::max();
  bool contains(const Interval &other) const {
    return lo <= other.lo && other.hi <= hi;
  }
  bool isBounded() const { return !isOpen(lo) && !isOpen(hi); }
  static bool isOpen(int64_t end) {
    return end == std::numeric_limits<int64_t>::min() ||
           end == std::numeric_limits<int64_t>::max();
  }
};

/// A polynomial taken apart: `constant + sum coefficient * monomial`.
struct Polynomial {
  int64_t constant = 0;
  SmallVector<std::pair<Expr, int64_t>, 4> terms;

  /// Adds a multiple of another; equal monomials are not joined.
  void addScaled(const Polynomial &from, int64_t factor);
};

/// Values for the variables of an expression.
using ExprMap = llvm::DenseMap<Expr, Expr>;

/// Owns expressions and makes them in normal form.
class ExpressionContext {
public:
  explicit ExpressionContext(MLIRContext *context);
  ExpressionContext(const ExpressionContext &) = delete;
  ExpressionContext &operator=(const ExpressionContext &) = delete;

  MLIRContext *getMLIRContext() const { return context; }

  /// The type under which an element type appears: `index` for every integer of
  /// more than one bit, else the type itself.
  Type getExprType(Type type) const;

  // Leaves.
  Expr getInt(int64_t value);
  Expr getBool(bool value);
  /// A float constant; the value is rounded to the type.
  Expr getFloat(double value, Type type);
  Expr getFloat(const APFloat &value, Type type);
  Expr getIndex(unsigned dimension, Expr extent);
  Expr getDim(Value tensor, unsigned dimension);
  Expr getLoad(Value value, ArrayRef<Expr> indices = {});

  // Integers.
  Expr getPolynomial(Polynomial polynomial);
  Polynomial getPolynomial(Expr expr) const;
  Expr getAdd(Expr a, Expr b);
  Expr getAdd(Expr a, int64_t b) { return getAdd(a, getInt(b)); }
  Expr getSub(Expr a, Expr b);
  Expr getScaled(Expr a, int64_t factor);
  Expr getMul(Expr a, Expr b);
  Expr getFloorDiv(Expr a, Expr b);
  Expr getMod(Expr a, Expr b);
  Expr getMax(Expr a, Expr b);
  Expr getMin(Expr a, Expr b);
  Expr getAbsI(Expr a);
  /// Wraps to a signed integer of that many bits, if it may not fit.
  Expr getTruncI(Expr a, unsigned width);

  // Booleans.
  Expr getGe0(Expr a);
  Expr getEq0(Expr a);
  Expr getNe0(Expr a) { return getNot(getEq0(a)); }
  Expr getLess(Expr a, Expr b);
  Expr getAtMost(Expr a, Expr b);
  Expr getCmpF(arith::CmpFPredicate predicate, Expr a, Expr b);
  Expr getNot(Expr a);
  Expr getAnd(ArrayRef<Expr> operands);
  Expr getOr(ArrayRef<Expr> operands);

  // Any type.
  Expr getSelect(Expr condition, Expr ifTrue, Expr ifFalse);
  /// A reduction over `variables` (Index or Bound nodes that occur in `body`),
  /// which the result binds.
  Expr getReduce(ExprKind combiner, ArrayRef<Expr> variables, Expr body,
                 Expr init);
  /// Applies a combiner of a Reduce to two values.
  Expr getCombined(ExprKind combiner, Expr a, Expr b);
  Expr getOpaque(OperationName name, DictionaryAttr attributes, Type type,
                 ArrayRef<Expr> operands);

  // Floats. The type is that of the first operand.
  Expr getUnary(ExprKind kind, Expr a);
  Expr getBinary(ExprKind kind, Expr a, Expr b);
  Expr getFPowI(Expr base, Expr exponent);
  /// ExtF, TruncF or SIToFP to `type`.
  Expr getCast(ExprKind kind, Expr a, Type type);
  Expr getFPToSI(Expr a, unsigned width);
  // Complex numbers.
  Expr getComplex(Expr re, Expr im);
  Expr getRe(Expr a);
  Expr getIm(Expr a);

  /// Replaces variables (or any nodes) and brings the result to normal form.
  Expr substitute(Expr expr, const ExprMap &map);

  /// Bounds of an integer expression.
  Interval getRange(Expr expr);
  /// Cheap proofs on integer expressions, over all values of the variables and
  /// sizes; false means "not proved".
  bool proveNonNegative(Expr expr);
  bool proveLess(Expr a, Expr b) {
    return proveNonNegative(getAdd(getSub(b, a), -1));
  }
  bool proveAtMost(Expr a, Expr b);
  bool proveEqual(Expr a, Expr b) {
    return a == b || getSub(a, b)->isConstantInt(0);
  }
  /// Whether `variable` occurs in `expr`.
  bool occurs(Expr variable, Expr expr) const;

  /// Prints as text; `state` names the values, by number if there is none.
  void print(raw_ostream &os, Expr expr, AsmState *state = nullptr) const;
  std::string toString(Expr expr) const;

private:
  Expr make(ExprNode node);
  Expr makeOp(ExprKind kind, Type type, ArrayRef<Expr> operands,
              int64_t data = 0);
  Expr computeNot(Expr a);
  Expr rebuild(Expr expr, ArrayRef<Expr> operands);
  Expr substituteIn(Expr expr, const ExprMap &map, ExprMap &done);
  Expr getExtreme(bool greatest, Expr variable, Expr body);
  Expr openReduce(Expr reduce, SmallVectorImpl<Expr> &variables);
  Expr getBound(unsigned level, Expr extent);
  Expr getProduct(Expr a, Expr b);
  void divide(const Polynomial &a, const Polynomial &b, Polynomial &quotient,
              Polynomial &rest);
  Interval computeRange(Expr expr);
  Expr foldOverSelect(ExprKind kind, Expr a, Expr b);
  Expr getNary(ExprKind kind, ArrayRef<Expr> operands);

  MLIRContext *context;
  Type indexType, boolType;
  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<ExprNode> nodes;
  llvm::DenseMap<Expr, Interval> ranges;
  llvm::DenseMap<Expr, Expr> negations;
  unsigned nextId = 0;
  unsigned nextTemporary = 0;
};

/// The factors of a monomial: the operands of a Product, else itself.
ArrayRef<Expr> getFactors(const Expr &monomial);

/// The factors of `a` without those of `b`, or nothing if b does not divide a.
std::optional<SmallVector<Expr>> divideMonomials(Expr a, Expr b);

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_EXPRESSION_H
