//===- ElementReads.cpp - Reading elements out of maps ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the piece in which indices fall and puts them in, or says where a
/// variable has to be cut so that they fall in one.
///
//===----------------------------------------------------------------------===//

#include "ElementBuilder.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::attn;
using Impl = ElementExpression::Impl;

/// More remainder classes than these are not told apart.
static constexpr int64_t kMaxModulus = 8;

Impl::Inside Impl::locate(Expr index, const PieceDim &dim, Expr &local) {
  local = context.getSub(index, dim.offset);
  Inside inside = Inside::Yes;
  if (dim.stride != 1) {
    Expr stride = context.getInt(dim.stride);
    Expr remainder = context.getMod(local, stride);
    if (!remainder->isConstantInt(0)) {
      if (remainder->isConstant())
        return Inside::No;
      inside = Inside::Unknown;
    }
    local = context.getFloorDiv(local, stride);
  }
  if (context.proveLess(local, context.getInt(0)) ||
      context.proveAtMost(dim.size, local))
    return Inside::No;
  if (!context.proveNonNegative(local) || !context.proveLess(local, dim.size))
    return Inside::Unknown;
  return inside;
}

/// Sets the cut that would decide whether `index` lies in `dim`, if there is
/// one.
void Impl::proposeCut(Expr index, const PieceDim &dim) {
  Expr local = context.getSub(index, dim.offset);
  if (!context.proveNonNegative(local) && proposeEdge(index, dim.offset))
    return;
  Expr end =
      context.getAdd(dim.offset, context.getScaled(dim.size, dim.stride));
  if (!context.proveLess(index, end) && proposeEdge(index, end))
    return;
  if (dim.stride != 1)
    proposeModulus(local, dim.stride);
}

/// Proposes to cut a variable of `index` where the index reaches `boundary`.
bool Impl::proposeEdge(Expr index, Expr boundary) {
  Polynomial polynomial = context.getPolynomial(index);
  // The variable with the largest step decides most.
  Expr atom = nullptr;
  int64_t step = 0;
  for (auto [term, factor] : polynomial.terms)
    if ((term->isVariable() || term->is(ExprKind::FloorDiv) ||
         term->is(ExprKind::Mod)) &&
        std::abs(factor) > std::abs(step)) {
      atom = term;
      step = factor;
    }
  if (!atom)
    return false;
  Expr rest = context.getSub(index, context.getScaled(atom, step));
  Expr distance = context.getSub(boundary, rest);
  if (rest->hasVariables()) {
    Interval range = context.getRange(rest);
    auto at = boundary->getConstantInt();
    if (!at || step < 0 || std::abs(range.lo) > (int64_t(1) << 48))
      return false;
    distance = context.getInt(*at - range.lo);
  }
  // The first value of the atom at or beyond the boundary.
  Expr edge = distance;
  if (step == -1)
    edge = context.getAdd(context.getScaled(distance, -1), 1);
  else if (step > 1)
    edge = context.getFloorDiv(context.getAdd(distance, step - 1),
                               context.getInt(step));
  else if (step != 1)
    return false;

  if (atom->is(ExprKind::FloorDiv))
    return proposeEdge(atom->getOperand(0),
                       context.getMul(edge, atom->getOperand(1)));
  if (atom->is(ExprKind::Mod)) {
    Expr inner = atom->getOperand(0);
    auto modulus = atom->getOperand(1)->getConstantInt();
    auto size = inner->isVariable() ? inner->getExtent()->getConstantInt()
                                    : std::nullopt;
    if (!modulus || !size)
      return false;
    if (*modulus <= *size / *modulus)
      cut = Cut{inner, nullptr, *modulus};
    else
      cut = Cut{inner, context.getInt(*modulus * std::max<int64_t>(
                                                     1, *size / *modulus / 2))};
    return true;
  }
  auto first = edge->getConstantInt();
  auto size = atom->getExtent()->getConstantInt();
  if (first && (*first <= 0 || (size && *first >= *size)))
    return false;
  cut = Cut{atom, edge};
  return true;
}

/// Proposes to cut a variable by its remainder so that the remainder of `index`
/// is known.
bool Impl::proposeModulus(Expr index, int64_t modulus) {
  for (auto [term, factor] : context.getPolynomial(index).terms) {
    if (factor == std::numeric_limits<int64_t>::min())
      continue;
    int64_t classes = modulus / std::gcd(modulus, factor);
    if (classes == 1)
      continue;
    Expr atom = term;
    if (atom->is(ExprKind::FloorDiv)) {
      auto divisor = atom->getOperand(1)->getConstantInt();
      if (!divisor || *divisor > kMaxModulus)
        continue;
      classes *= *divisor;
      atom = atom->getOperand(0);
    }
    if (!atom->isVariable() || classes > kMaxModulus)
      continue;
    cut = Cut{atom, nullptr, classes};
    return true;
  }
  return false;
}

/// The condition under which an index lies in a dimension of stride 1.
Expr Impl::getInsideCondition(Expr index, const PieceDim &dim) {
  Expr local = context.getSub(index, dim.offset);
  return context.getAnd(
      {context.getGe0(local), context.getLess(local, dim.size)});
}

Expr Impl::read(Value value, ArrayRef<Expr> indices) {
  const ElementMap *map = lookup(value);
  if (!hasElements(value.getType()) ||
      (map && map->getRank() != indices.size()))
    return nullptr;
  if (!map)
    return context.getLoad(value, indices);
  if (map->leaf)
    return context.getLoad(value, indices);

  bool onlyPiece = map->pieces.size() == 1;
  const Piece *undecided = nullptr;
  unsigned undecidedDim = 0;
  for (const Piece &piece : map->pieces) {
    Inside inside = Inside::Yes;
    ExprMap substitution;
    for (unsigned d = 0; d < piece.dims.size() && inside != Inside::No; ++d) {
      const PieceDim &dim = piece.dims[d];
      Expr local = indices[d];
      // Indices lie in the index space: nothing to prove for a whole dimension.
      bool whole = dim.offset->isConstantInt(0) && dim.stride == 1 &&
                   dim.size == map->extents[d];
      if (!onlyPiece && !whole) {
        Inside here = locate(indices[d], dim, local);
        if (here != Inside::Yes && inside == Inside::Yes) {
          inside = here;
          if (here == Inside::Unknown && !undecided) {
            undecided = &piece;
            undecidedDim = d;
          }
        } else if (here == Inside::No) {
          inside = here;
        }
      }
      Expr variable = context.getIndex(d, dim.size);
      if (variable->isVariable())
        substitution[variable] = local;
    }
    if (inside == Inside::Yes)
      return context.substitute(piece.value, substitution);
  }
  cut.reset();
  if (undecided)
    proposeCut(indices[undecidedDim], undecided->dims[undecidedDim]);
  if (cut)
    return nullptr;
  return context.getLoad(value, indices);
}
