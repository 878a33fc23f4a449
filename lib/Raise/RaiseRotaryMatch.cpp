//===- RaiseRotaryMatch.cpp - Values that are rotations ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rotation is two pieces of an element map, halves or the even and the odd
/// elements of a range of the last dimension, that equal `a * c - b * s` and
/// `b * c + a * s`; other pieces pass through. The input is a value of the
/// graph whose elements are the `a` and `b`: it is searched for, so that the
/// way from it to the products does not matter.
///
/// Roundings to f16 or bf16 of the products are not required to be there:
/// `attn.rotary` computes in f32 at least, so its result is nearer to the exact
/// one. Those of cosines and sines are kept.
///
//===----------------------------------------------------------------------===//

#include "RaiseRotary.h"
#include "attn/Analysis/ConstantElements.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// One reading of two pieces as `a * c -+ b * s` and `b * c +- a * s`.
struct Reading {
  Expr a, b, c, s;
  bool inverse;
};

/// The rotated range of the last dimension, and the pieces that form it.
struct RotatedRange {
  const Piece *even = nullptr, *odd = nullptr;
  RotaryLayout layout = RotaryLayout::SplitHalf;
  int64_t first = 0, pairs = 0;
};

class Matcher {
public:
  Matcher(ElementExpression &elements, Value value, const ElementMap &map,
          std::string &reason)
      : elements(elements), context(elements.getContext()), value(value),
        map(map), reason(reason) {}

  std::optional<RotaryMatch> run();

private:
  bool findRange();
  SmallVector<Reading> getReadings() const;
  bool assignRoles(const Reading &reading, RotaryMatch &match) const;
  bool findInput(const Reading &reading, RotaryMatch &match);
  bool isInput(Value candidate, ArrayRef<RotaryRole> roles,
               const Reading &reading, RotaryMatch &match);
  void setFactors(const Reading &reading, RotaryMatch &match);
  bool dependsOn(const Reading &reading, unsigned dimension) const;
  Expr getVariable(unsigned dimension) const {
    return context.getIndex(dimension, range.even->dims[dimension].size);
  }

  ElementExpression &elements;
  ExpressionContext &context;
  Value value;
  const ElementMap &map;
  std::string &reason;
  RotatedRange range;
};

} // namespace

/// The expression without conversions and constant factors.
static Expr stripFactor(Expr expr) {
  while (true) {
    expr = stripFloatCasts(expr);
    if ((expr->is(ExprKind::MulF) || expr->is(ExprKind::DivF)) &&
        expr->getOperand(1)->isConstant())
      expr = expr->getOperand(0);
    else if (expr->is(ExprKind::MulF) && expr->getOperand(0)->isConstant())
      expr = expr->getOperand(1);
    else
      return expr;
  }
}

static bool isTrigonometric(Expr expr) {
  expr = stripFactor(expr);
  return expr->is(ExprKind::Cos) || expr->is(ExprKind::Sin);
}

static bool isConstantTable(Expr expr) {
  expr = stripFactor(expr);
  return expr->is(ExprKind::Load) &&
         ConstantElements::get(expr->getValue()).has_value();
}

/// How sure it is that these are the factors and not the rotated elements: a
/// product does not tell.
static int rankFactors(const Reading &reading) {
  if (isTrigonometric(reading.c) || isTrigonometric(reading.s))
    return 2;
  return isConstantTable(reading.c) && isConstantTable(reading.s) ? 1 : 0;
}

bool Matcher::findRange() {
  unsigned last = map.getRank() - 1;
  for (const Piece &piece : map.pieces) {
    for (unsigned d : llvm::seq(last))
      if (!piece.dims[d].offset->isConstantInt(0) ||
          piece.dims[d].stride != 1 || piece.dims[d].size != map.extents[d])
        return false;
    if (!piece.dims[last].offset->getConstantInt() ||
        !piece.dims[last].size->getConstantInt())
      return false;
  }
  // The pair of pieces whose elements are sums of products, if there is one.
  for (const Piece &even : map.pieces)
    for (const Piece &odd : map.pieces) {
      const PieceDim &e = even.dims[last], &o = odd.dims[last];
      int64_t size = *e.size->getConstantInt();
      int64_t step = *o.offset->getConstantInt() - *e.offset->getConstantInt();
      if (size < 1 || e.size != o.size || e.stride != o.stride)
        continue;
      bool halves = e.stride == 1 && step == size;
      bool pairs = e.stride == 2 && step == 1;
      auto isSum = [](const Piece &piece) {
        Expr sum = stripFloatCasts(piece.value);
        return (sum->is(ExprKind::AddF) || sum->is(ExprKind::SubF)) &&
               sum->getOperand(0)->is(ExprKind::MulF) &&
               sum->getOperand(1)->is(ExprKind::MulF);
      };
      if ((!halves && !pairs) || !isSum(even) || !isSum(odd))
        continue;
      range.even = &even;
      range.odd = &odd;
      range.layout =
          halves ? RotaryLayout::SplitHalf : RotaryLayout::Interleaved;
      range.first = *e.offset->getConstantInt();
      range.pairs = size;
      return true;
    }
  return false;
}

SmallVector<Reading> Matcher::getReadings() const {
  Expr even = range.even->value, odd = range.odd->value;
  // A rotation in f32 of narrow elements whose result is narrowed.
  Type narrow;
  if (even->is(ExprKind::TruncF) && odd->is(ExprKind::TruncF)) {
    narrow = even->getType();
    even = even->getOperand(0);
    odd = odd->getOperand(0);
  }
  SmallVector<Reading> readings;
  if (even->getKind() == odd->getKind())
    return readings;
  bool inverse = even->is(ExprKind::AddF);
  auto product = [&](Expr a, Expr b) {
    return context.getBinary(ExprKind::MulF, a, b);
  };
  auto widened = [&](Expr expr) -> Expr {
    if (!narrow)
      return expr;
    bool matches =
        expr->is(ExprKind::ExtF) && expr->getOperand(0)->getType() == narrow;
    return matches ? expr->getOperand(0) : nullptr;
  };
  auto read = [&](Expr first, Expr second) {
    for (int swap : {0, 1, 2, 3}) {
      Expr a = first->getOperand(swap & 1),
           c = first->getOperand(1 - (swap & 1));
      Expr b = second->getOperand(swap >> 1),
           s = second->getOperand(1 - (swap >> 1));
      Expr bc = product(b, c), as = product(a, s);
      bool same =
          inverse ? odd->getOperand(0) == bc && odd->getOperand(1) == as
                  : (odd->getOperand(0) == bc && odd->getOperand(1) == as) ||
                        (odd->getOperand(0) == as && odd->getOperand(1) == bc);
      a = widened(a);
      b = widened(b);
      if (same && a && b)
        readings.push_back({a, b, c, s, inverse});
    }
  };
  read(even->getOperand(0), even->getOperand(1));
  // A sum has no order; a difference has.
  if (inverse)
    read(even->getOperand(1), even->getOperand(0));
  // Only the surest ones count.
  int best = 0;
  for (const Reading &reading : readings)
    best = std::max(best, rankFactors(reading));
  llvm::erase_if(readings, [&](const Reading &reading) {
    return rankFactors(reading) < best;
  });
  return readings;
}

bool Matcher::dependsOn(const Reading &reading, unsigned dimension) const {
  Expr variable = getVariable(dimension);
  return variable->is(ExprKind::Index) &&
         (context.occurs(variable, reading.c) ||
          context.occurs(variable, reading.s));
}

/// The angle depends on the sequence, perhaps on the batch, and not on the
/// head. Where sizes of one leave a choice, the order of `attn.rotary` wins.
bool Matcher::assignRoles(const Reading &reading, RotaryMatch &match) const {
  using enum RotaryRole;
  unsigned rank = map.getRank();
  auto isUnit = [&](unsigned d) { return map.extents[d]->isConstantInt(1); };
  if (rank == 2) {
    match.roles = {Sequence, Feature};
    return true;
  }
  if (rank == 3) {
    if (dependsOn(reading, 0) && !dependsOn(reading, 1) && !isUnit(1))
      match.roles = {Sequence, Head, Feature};
    else
      match.roles = {Batch, Sequence, Feature};
    return true;
  }
  if (dependsOn(reading, 1) && dependsOn(reading, 2))
    return false;
  bool sequenceFirst = dependsOn(reading, 1) ||
                       (!dependsOn(reading, 2) && isUnit(1) && !isUnit(2));
  if (sequenceFirst)
    match.roles = {Batch, Sequence, Head, Feature};
  else
    match.roles = {Batch, Head, Sequence, Feature};
  return true;
}

bool Matcher::isInput(Value candidate, ArrayRef<RotaryRole> roles,
                      const Reading &reading, RotaryMatch &match) {
  ArrayRef<Expr> extents = elements.getExtents(candidate);
  SmallVector<unsigned> order;
  for (auto [dimension, role] : llvm::enumerate(roles)) {
    order.push_back(llvm::find(match.roles, role) - match.roles.begin());
    if (extents[dimension] != map.extents[order.back()])
      return false;
  }
  unsigned last = map.getRank() - 1;
  auto holds = [&](const Piece &piece, Expr expected, int64_t offset,
                   int64_t stride) {
    SmallVector<Expr> indices;
    for (unsigned dimension : order)
      indices.push_back(
          context.getIndex(dimension, piece.dims[dimension].size));
    indices[last] =
        context.getAdd(context.getScaled(indices[last], stride), offset);
    return elements.getElement(candidate, indices) == expected;
  };
  for (const Piece &piece : map.pieces)
    if (&piece != range.even && &piece != range.odd &&
        !holds(piece, piece.value, *piece.dims[last].offset->getConstantInt(),
               piece.dims[last].stride))
      return false;
  for (RotaryLayout layout :
       {RotaryLayout::SplitHalf, RotaryLayout::Interleaved}) {
    bool halves = layout == RotaryLayout::SplitHalf;
    int64_t stride = halves ? 1 : 2;
    int64_t step = halves ? range.pairs : 1;
    if (!holds(*range.even, reading.a, range.first, stride) ||
        !holds(*range.odd, reading.b, range.first + step, stride))
      continue;
    match.input = candidate;
    match.inputRoles.assign(roles.begin(), roles.end());
    match.layout = layout;
    return true;
  }
  return false;
}

bool Matcher::findInput(const Reading &reading, RotaryMatch &match) {
  auto type = cast<RankedTensorType>(value.getType());
  visitSources(elements, value, [&](Value candidate) {
    auto candidateType = dyn_cast<RankedTensorType>(candidate.getType());
    if (!candidateType || candidateType.getRank() != map.getRank() ||
        candidateType.getElementType() != type.getElementType())
      return false;
    if (isInput(candidate, match.roles, reading, match))
      return true;
    SmallVector<RotaryRole, 4> swapped = match.roles;
    if (swapped.size() != 4)
      return false;
    std::swap(swapped[1], swapped[2]);
    return isInput(candidate, swapped, reading, match);
  });
  return static_cast<bool>(match.input);
}

/// Brings the factors to variables that do not depend on the order of
/// dimensions, so that all rotations by one table share it.
void Matcher::setFactors(const Reading &reading, RotaryMatch &match) {
  RotaryFactors &factors = match.factors;
  factors.batch = factors.sequence = context.getInt(0);
  factors.length = context.getInt(1);
  factors.pairs = range.pairs;
  factors.pair = context.getIndex(2, context.getInt(range.pairs));
  ExprMap substitution;
  for (auto [dimension, role] : llvm::enumerate(match.roles)) {
    Expr variable = getVariable(dimension);
    Expr extent = map.extents[dimension];
    if (role == RotaryRole::Feature) {
      substitution[variable] = factors.pair;
      continue;
    }
    if (role == RotaryRole::Sequence) {
      factors.length = extent;
      factors.sequence = context.getIndex(1, extent);
      substitution[variable] = factors.sequence;
    }
    if (role == RotaryRole::Batch && dependsOn(reading, dimension)) {
      factors.batch = context.getIndex(0, extent);
      substitution[variable] = factors.batch;
    }
  }
  factors.cos = context.substitute(reading.c, substitution);
  factors.sin = context.substitute(reading.s, substitution);
}

std::optional<RotaryMatch> Matcher::run() {
  if (map.pieces.size() < 2 || !findRange())
    return std::nullopt;
  SmallVector<Reading> readings = getReadings();
  if (readings.empty()) {
    // Products of cosines or sines that do not pair up.
    auto mentions = [](Expr sum) {
      sum = stripFloatCasts(sum);
      return llvm::any_of(sum->getOperands(), [](Expr product) {
        return llvm::any_of(product->getOperands(), isTrigonometric);
      });
    };
    if (mentions(range.even->value) && mentions(range.odd->value))
      reason = "the two halves are not a*c - b*s and b*c + a*s of the same a, "
               "b, c and s";
    return std::nullopt;
  }

  int best = rankFactors(readings.front());
  std::optional<RotaryMatch> found;
  for (const Reading &reading : readings) {
    RotaryMatch match;
    match.layoutOut = range.layout;
    match.first = range.first;
    match.inverse = reading.inverse;
    match.partial = map.pieces.size() > 2;
    if (!assignRoles(reading, match)) {
      if (!found)
        reason = "the angle depends on two dimensions beside the batch";
      continue;
    }
    if (!findInput(reading, match)) {
      if (!found)
        reason = "no value of the graph holds the elements that are rotated";
      continue;
    }
    if (found && best == 0) {
      reason = "nothing tells the rotated elements from the factors";
      return std::nullopt;
    }
    reason.clear();
    setFactors(reading, match);
    found = std::move(match);
    if (best > 0)
      break;
  }
  return found;
}

/// The map of a value `[B * H, S, D]` as if it were `[B, H, S, D]`.
static ElementMap splitBatch(ExpressionContext &context, const ElementMap &map,
                             Expr batch, Expr heads) {
  ElementMap split;
  split.extents = {batch, heads, map.extents[1], map.extents[2]};
  for (const Piece &piece : map.pieces) {
    ExprMap substitution;
    auto substitute = [&](unsigned d, Expr by) {
      // A dimension of size one has no variable.
      Expr variable = context.getIndex(d, piece.dims[d].size);
      if (variable->is(ExprKind::Index))
        substitution[variable] = by;
    };
    substitute(0,
               context.getAdd(context.getMul(context.getIndex(0, batch), heads),
                              context.getIndex(1, heads)));
    for (unsigned d : {1, 2})
      substitute(d, context.getIndex(d + 1, piece.dims[d].size));
    Piece &part = split.pieces.emplace_back();
    part.dims = {PieceDim{context.getInt(0), 1, batch},
                 PieceDim{context.getInt(0), 1, heads}, piece.dims[1],
                 piece.dims[2]};
    part.value = context.substitute(piece.value, substitution);
  }
  return split;
}

std::optional<RotaryMatch> attn::matchRotary(ElementExpression &elements,
                                             Value value, std::string &reason) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isa<FloatType>(type.getElementType()) || type.getRank() < 2 ||
      type.getRank() > 4)
    return std::nullopt;
  const ElementMap &map = elements.getMap(value);
  std::optional<RotaryMatch> match =
      Matcher(elements, value, map, reason).run();
  if (match || type.getRank() != 3 || map.pieces.size() < 2 ||
      !llvm::all_of(map.pieces, [&](const Piece &piece) {
        return piece.dims[0].size == map.extents[0];
      }))
    return match;

  // Batch and heads may have been merged at once: then the input tells how they
  // are to be taken apart.
  ExpressionContext &context = elements.getContext();
  llvm::SmallSetVector<std::pair<Expr, Expr>, 4> splits;
  visitSources(elements, value, [&](Value candidate) {
    ArrayRef<Expr> extents = elements.getExtents(candidate);
    if (extents.size() != 4)
      return false;
    for (Expr heads : {extents[1], extents[2]})
      if (context.getMul(extents[0], heads) == map.extents[0])
        splits.insert({extents[0], heads});
    return false;
  });
  for (auto [batch, heads] : splits) {
    ElementMap split = splitBatch(context, map, batch, heads);
    match = Matcher(elements, value, split, reason).run();
    if (!match)
      continue;
    match->merged = true;
    return match;
  }
  return std::nullopt;
}
