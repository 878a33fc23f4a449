//===- ElementExpression.cpp - Expressions of elements ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Visits values operands first, without recursion, and cuts index spaces.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/ElementExpression.h"
#include "ElementBuilder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;
using Impl = ElementExpression::Impl;

//===----------------------------------------------------------------------===//
// Order of visits
//===----------------------------------------------------------------------===//

const ElementMap *Impl::lookup(Value value) const {
  auto it = maps.find(value);
  return it == maps.end() ? nullptr : it->second.get();
}

/// Operations that the analysis looks through, or whose sizes it knows.
static bool isKnown(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics();
  StringRef dialect = op->getName().getDialectNamespace();
  if (op->getNumRegions() != 0)
    return isa<tensor::PadOp, tensor::GenerateOp>(op);
  return dialect == "tensor" || dialect == "arith" || dialect == "math" ||
         dialect == "complex" || dialect == "affine";
}

bool attn::hasElements(Type type) {
  if (isa<ShapedType>(type) && !isa<RankedTensorType>(type))
    return false;
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() <= 64;
  return isa<IndexType, FloatType, ComplexType>(element);
}

bool Impl::isStop(Value value) {
  Operation *op = value.getDefiningOp();
  if (!hasElements(value.getType()))
    return true;
  if (!op || !isKnown(op) || isa<tensor::EmptyOp>(op))
    return true;
  if (options.stopAt && options.stopAt(value))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && isFloatContraction(linalgOp);
}

void Impl::getDependencies(Value value, SmallVectorImpl<Value> &dependencies) {
  Operation *op = value.getDefiningOp();
  // Not looked through, but its sizes are those of its output.
  if (auto softmax = dyn_cast_if_present<linalg::SoftmaxOp>(op))
    dependencies.push_back(softmax.getOutput());
  if (!op || !isKnown(op))
    return;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (isStop(value)) {
    // The sizes may still be known.
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.hasStaticShape())
      return;
    if (linalgOp) {
      dependencies.push_back(
          linalgOp.getDpsInitOperand(cast<OpResult>(value).getResultNumber())
              ->get());
      return;
    }
  }
  llvm::append_range(dependencies, op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        for (Value operand : inner.getOperands())
          if (operand.getParentRegion() != &region)
            dependencies.push_back(operand);
}

const ElementMap &Impl::getMap(Value value) {
  SmallVector<Value> stack = {value};
  llvm::SmallDenseSet<Value> expanded;
  while (!stack.empty()) {
    Value next = stack.back();
    if (lookup(next)) {
      stack.pop_back();
      continue;
    }
    if (expanded.insert(next).second) {
      SmallVector<Value> dependencies;
      getDependencies(next, dependencies);
      for (Value dependency : dependencies)
        if (!lookup(dependency) && !expanded.contains(dependency))
          stack.push_back(dependency);
      if (stack.back() != next)
        continue;
    }
    auto map = build(next);
    maps[next] = std::move(map);
    stack.pop_back();
  }
  return *lookup(value);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// A map of one piece, a Load of the value.
static void makeLeaf(ExpressionContext &context, Value value, ElementMap &map) {
  Piece piece;
  SmallVector<Expr> indices;
  for (auto [dim, extent] : llvm::enumerate(map.extents)) {
    piece.dims.push_back({context.getInt(0), 1, extent});
    indices.push_back(context.getIndex(dim, extent));
  }
  piece.value = context.getLoad(value, indices);
  map.pieces.assign({piece});
  map.asserted.clear();
  map.leaf = true;
}

bool attn::cutDim(ExpressionContext &context, const PieceDim &dim,
                  const Cut &cut, SmallVectorImpl<PieceDim> &parts) {
  if (cut.at) {
    Expr rest = context.getSub(dim.size, cut.at);
    auto below = cut.at->getConstantInt(), above = rest->getConstantInt();
    if ((below && *below <= 0) || (above && *above <= 0))
      return false;
    parts.push_back({dim.offset, dim.stride, cut.at});
    parts.push_back(
        {context.getAdd(dim.offset, context.getScaled(cut.at, dim.stride)),
         dim.stride, rest});
    return true;
  }
  for (int64_t r = 0; r < cut.modulus; ++r) {
    Expr size =
        context.getFloorDiv(context.getAdd(dim.size, cut.modulus - 1 - r),
                            context.getInt(cut.modulus));
    if (size->isConstantInt(0))
      continue;
    parts.push_back({context.getAdd(dim.offset, dim.stride * r),
                     dim.stride * cut.modulus, size});
  }
  return parts.size() > 1;
}

bool Impl::buildPieces(Value value, ElementMap &map) {
  unsigned maxPieces = options.maxPieces;
  if (isa<FloatType>(getElementTypeOrSelf(value.getType())))
    maxPieces = std::min(maxPieces, options.maxFloatPieces);
  Piece whole;
  for (Expr extent : map.extents)
    whole.dims.push_back({context.getInt(0), 1, extent});
  SmallVector<Piece> boxes = {whole};
  while (!boxes.empty()) {
    Piece box = boxes.pop_back_val();
    SmallVector<Expr> indices;
    for (auto [position, dim] : llvm::enumerate(box.dims))
      indices.push_back(context.getAdd(
          dim.offset,
          context.getScaled(context.getIndex(position, dim.size), dim.stride)));
    cut.reset();
    box.value = elementOf(cast<OpResult>(value), indices);
    if (box.value) {
      if (box.value->getDepth() > options.maxDepth)
        return false;
      map.pieces.push_back(std::move(box));
      continue;
    }
    if (!cut)
      return false;
    unsigned position = cut->variable->getPosition();
    SmallVector<PieceDim> parts;
    if (!cut->variable->is(ExprKind::Index) || position >= box.dims.size() ||
        cut->variable != context.getIndex(position, box.dims[position].size) ||
        !cutDim(context, box.dims[position], *cut, parts))
      return false;
    if (map.pieces.size() + boxes.size() + parts.size() > maxPieces)
      return false;
    for (PieceDim &part : llvm::reverse(parts)) {
      box.dims[position] = part;
      boxes.push_back(box);
    }
  }
  return true;
}

static bool isSameDim(const PieceDim &a, const PieceDim &b) {
  return a.offset == b.offset && a.stride == b.stride && a.size == b.size;
}

/// Joins b to a if they are adjacent along `dim` and say the same.
bool Impl::mergeAlong(Piece &a, const Piece &b, unsigned dim) {
  const PieceDim &first = a.dims[dim], &second = b.dims[dim];
  if (first.stride != second.stride ||
      second.offset !=
          context.getAdd(first.offset,
                         context.getScaled(first.size, first.stride)))
    return false;
  for (unsigned d = 0; d < a.dims.size(); ++d)
    if (d != dim && !isSameDim(a.dims[d], b.dims[d]))
      return false;
  Expr size = context.getAdd(first.size, second.size);
  Expr joint = context.getIndex(dim, size);
  // Without a variable (a part of size 1) the expression says nothing about
  // its neighbours, so the parts must both have one or not depend on it.
  auto over = [&](const Piece &piece, Expr position) {
    Expr variable = context.getIndex(dim, piece.dims[dim].size);
    if (!variable->isVariable())
      return piece.value;
    return context.substitute(piece.value, {{variable, position}});
  };
  Expr joined = over(a, joint);
  if (joined != over(b, context.getSub(joint, first.size)))
    return false;
  // A part of size 1 that agrees only by accident, where the other depends on
  // the variable, cannot occur: its expression would have to contain it.
  a.dims[dim].size = size;
  a.value = joined;
  return true;
}

void Impl::mergePieces(ElementMap &map) {
  bool changed = map.pieces.size() > 1;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i + 1 < map.pieces.size() && !changed; ++i)
      for (unsigned j = i + 1; j < map.pieces.size() && !changed; ++j)
        for (unsigned d = 0; d < map.getRank() && !changed; ++d)
          if (mergeAlong(map.pieces[i], map.pieces[j], d)) {
            map.pieces.erase(map.pieces.begin() + j);
            changed = true;
          }
  }
}

std::unique_ptr<ElementMap> Impl::build(Value value) {
  auto map = std::make_unique<ElementMap>();
  computeExtents(value, *map);
  if (isStop(value) || !buildPieces(value, *map)) {
    makeLeaf(context, value, *map);
    cut.reset();
    return map;
  }
  mergePieces(*map);
  if (auto op = value.getDefiningOp<linalg::LinalgOp>())
    collectAsserted(op, *map);
  cut.reset();
  Expr single = map->getSingle();
  map->leaf =
      single && single->is(ExprKind::Load) && single->getValue() == value;
  return map;
}

//===----------------------------------------------------------------------===//
// The public face
//===----------------------------------------------------------------------===//

ElementExpression::ElementExpression(ExpressionContext &context,
                                     ElementExpressionOptions options)
    : context(context),
      impl(std::make_unique<Impl>(context, std::move(options))) {}

ElementExpression::~ElementExpression() = default;

const ElementMap &ElementExpression::getMap(Value value) {
  return impl->getMap(value);
}

SmallVector<Expr> ElementExpression::getVariables(Value value) {
  SmallVector<Expr> variables;
  for (auto [dim, extent] : llvm::enumerate(getExtents(value)))
    variables.push_back(context.getIndex(dim, extent));
  return variables;
}

Expr ElementExpression::getElement(Value value, ArrayRef<Expr> indices) {
  impl->getMap(value);
  Expr element = impl->read(value, indices);
  impl->clearCut();
  return element ? element : context.getLoad(value, indices);
}

std::optional<ContractionElement>
ElementExpression::getContraction(Value value, ArrayRef<Expr> indices) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() ||
      !linalg::isaContractionOpInterface(op) || op.getNumDpsInputs() != 2)
    return std::nullopt;
  OpOperand *init =
      op.getDpsInitOperand(cast<OpResult>(value).getResultNumber());
  SmallVector<Expr> loops(op.getNumLoops(), nullptr);
  for (auto [result, index] :
       llvm::zip_equal(op.getMatchingIndexingMap(init).getResults(), indices))
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      loops[dim.getPosition()] = index;

  ContractionElement contraction;
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    if (loops[loop])
      continue;
    // The size of a summed dimension is that of an operand's dimension.
    Expr extent = nullptr;
    for (OpOperand *input : op.getDpsInputOperands())
      for (auto [dim, result] :
           llvm::enumerate(op.getMatchingIndexingMap(input).getResults()))
        if (result == getAffineDimExpr(loop, value.getContext()))
          extent = getExtents(input->get())[dim];
    if (!extent)
      return std::nullopt;
    loops[loop] =
        context.getIndex(indices.size() + contraction.variables.size(), extent);
    // Over one element nothing is summed.
    if (loops[loop]->isVariable())
      contraction.variables.push_back(loops[loop]);
  }
  auto getIndices = [&](OpOperand *operand) {
    SmallVector<Expr> result;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      result.push_back(applyAffine(context, expr, loops));
    return result;
  };
  contraction.lhs = op.getDpsInputOperand(0)->get();
  contraction.rhs = op.getDpsInputOperand(1)->get();
  contraction.lhsIndices = getIndices(op.getDpsInputOperand(0));
  contraction.rhsIndices = getIndices(op.getDpsInputOperand(1));
  contraction.init = getElement(init->get(), indices);
  return contraction;
}

void ElementExpression::print(raw_ostream &os, Value value, AsmState *state) {
  for (const Piece &piece : getMap(value).pieces) {
    os << '[';
    llvm::interleaveComma(piece.dims, os, [&](const PieceDim &dim) {
      if (!dim.offset->isConstantInt(0) || dim.stride != 1) {
        context.print(os, dim.offset, state);
        os << " + ";
        if (dim.stride != 1)
          os << dim.stride << " * ";
      }
      os << "0:";
      context.print(os, dim.size, state);
    });
    os << "] -> ";
    context.print(os, piece.value, state);
    os << '\n';
  }
}
