//===- ElementBuilder.h - Computes element maps -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The working part of ElementExpression. A map is made by asking for the
/// element at the variables of the whole index space; where that falls on both
/// sides of an edge (of a concat, a pad, a strided slice...), the read asks for
/// a cut of one variable, the box is cut there, and each part is asked for
/// again.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ANALYSIS_ELEMENTBUILDER_H
#define ATTN_LIB_ANALYSIS_ELEMENTBUILDER_H

#include "attn/Analysis/ElementExpression.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {

/// Applies a scalar operation (or an elementwise one on tensors) to
/// expressions; null if it has regions, no operands to speak of, or more than
/// one result.
Expr applyScalarOp(ExpressionContext &context, Operation *op,
                   ArrayRef<Expr> operands);

/// Whether values of a type have elements that expressions can speak of: ranked
/// tensors and scalars of floats, complex numbers and integers up to 64 bits.
bool hasElements(Type type);

/// An affine expression over dimensions and symbols.
Expr applyAffine(ExpressionContext &context, AffineExpr expr,
                 ArrayRef<Expr> dims, ArrayRef<Expr> symbols = {});

/// How a reduction combines, from the operation that does it.
std::optional<ExprKind> getCombinerKind(Operation *op);

/// Whether a linalg operation is a contraction or convolution of floats, at
/// which expressions stop.
bool isFloatContraction(linalg::LinalgOp op);

/// Where a variable has to be cut: below and from `at` on, or by its remainder.
struct Cut {
  Expr variable;
  Expr at;
  int64_t modulus = 0;
};

/// Cuts one dimension; false if the cut does not lie inside.
bool cutDim(ExpressionContext &context, const PieceDim &dim, const Cut &cut,
            SmallVectorImpl<PieceDim> &parts);

class ElementExpression::Impl {
public:
  Impl(ExpressionContext &context, ElementExpressionOptions options)
      : context(context), options(std::move(options)) {}

  const ElementMap &getMap(Value value);

  /// The element of a value whose map exists. Null with a pending cut if the
  /// indices fall on both sides of an edge and a cut would decide.
  Expr read(Value value, ArrayRef<Expr> indices);
  Expr readScalar(Value value) { return read(value, {}); }

  void clearCut() { cut.reset(); }

private:
  // ElementExpression.cpp
  bool isStop(Value value);
  void getDependencies(Value value, SmallVectorImpl<Value> &dependencies);
  std::unique_ptr<ElementMap> build(Value value);
  bool buildPieces(Value value, ElementMap &map);
  void mergePieces(ElementMap &map);
  bool mergeAlong(Piece &a, const Piece &b, unsigned dim);
  const ElementMap *lookup(Value value) const;

  // ElementReads.cpp
  /// Whether an index lies in a part of a dimension.
  enum class Inside { Yes, No, Unknown };
  Inside locate(Expr index, const PieceDim &dim, Expr &local);
  void proposeCut(Expr index, const PieceDim &dim);
  bool proposeEdge(Expr index, Expr boundary);
  bool proposeModulus(Expr index, int64_t modulus);
  Expr getInsideCondition(Expr index, const PieceDim &dim);

  // ElementOps.cpp
  void computeExtents(Value value, ElementMap &map);
  Expr getFoldResult(OpFoldResult value);
  Expr elementOf(OpResult result, ArrayRef<Expr> indices);
  Expr elementOfSlice(tensor::ExtractSliceOp op, ArrayRef<Expr> indices);
  Expr elementOfInsertSlice(tensor::InsertSliceOp op, ArrayRef<Expr> indices);
  Expr elementOfConcat(tensor::ConcatOp op, ArrayRef<Expr> indices);
  Expr elementOfPad(tensor::PadOp op, ArrayRef<Expr> indices);
  Expr elementOfInsert(tensor::InsertOp op, ArrayRef<Expr> indices);
  Expr elementOfFromElements(tensor::FromElementsOp op, ArrayRef<Expr> indices);
  SmallVector<Expr> collapsedToSource(tensor::CollapseShapeOp op,
                                      ArrayRef<Expr> indices);
  SmallVector<Expr> expandedToSource(tensor::ExpandShapeOp op,
                                     ArrayRef<Expr> indices);
  Expr elementOfReshape(tensor::ReshapeOp op, ArrayRef<Expr> indices);
  Expr linearize(ArrayRef<Expr> indices, ArrayRef<Expr> extents);
  SmallVector<Expr> delinearize(Expr position, ArrayRef<Expr> extents);

  // ElementBodies.cpp
  Expr elementOfLinalg(linalg::LinalgOp op, unsigned result,
                       ArrayRef<Expr> indices);
  Expr elementOfReduction(linalg::LinalgOp op, unsigned result,
                          MutableArrayRef<Expr> loops,
                          ArrayRef<unsigned> reduced, ArrayRef<Expr> indices);
  Expr getLoopExtent(linalg::LinalgOp op, unsigned loop);
  /// The value of `wanted` in a body; `argument` gives block arguments.
  Expr evaluateBody(Block &body, Value wanted, ArrayRef<Expr> loops,
                    function_ref<Expr(BlockArgument)> argument);
  Expr evaluateLinalgBody(linalg::LinalgOp op, Value wanted,
                          ArrayRef<Expr> loops, bool readInits);
  Expr evaluateBodyOp(Operation *op, ArrayRef<Expr> operands,
                      ArrayRef<Expr> loops);
  void collectAsserted(linalg::LinalgOp op, ElementMap &map);

  ExpressionContext &context;
  ElementExpressionOptions options;
  llvm::DenseMap<Value, std::unique_ptr<ElementMap>> maps;
  std::optional<Cut> cut;
};

} // namespace mlir::attn

#endif // ATTN_LIB_ANALYSIS_ELEMENTBUILDER_H
