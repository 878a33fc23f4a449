//===- Masks.cpp - Random masks ---------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace mlir::attn;

/// An offset of causal masks and windows, some of them out of range; null for
/// none.
static Value makeOffset(ProgramBuilder &p, const Problem &problem) {
  int64_t high = std::max<int64_t>(problem.keys.size - problem.queries.size, 0);
  if (p.random.chance(30))
    return {};
  if (p.random.chance(50))
    return p.indexInput(-3, high + 4);
  return p.perBatch(problem.batch, -3, high + 4).value;
}

static Value makeCausal(ProgramBuilder &p, const Problem &problem) {
  return MaskCausalOp::create(p.b, p.loc, makeOffset(p, problem));
}

static Value makeWindow(ProgramBuilder &p, const Problem &problem) {
  auto side = [&]() -> IntegerAttr {
    if (p.random.chance(30))
      return {};
    return p.b.getI64IntegerAttr(p.random.choose<int64_t>({0, 1, 3, 20, 1000}));
  };
  IntegerAttr left = side(), right = side();
  return MaskWindowOp::create(p.b, p.loc, makeOffset(p, problem), left, right);
}

static Value makeChunk(ProgramBuilder &p, const Problem &problem) {
  Value start;
  if (p.random.chance(40))
    start = p.random.chance(50) ? p.indexInput(-2, 9)
                                : p.perBatch(problem.batch, -2, 9).value;
  return MaskChunkOp::create(p.b, p.loc, makeOffset(p, problem), start,
                             p.random.choose<int64_t>({1, 2, 5, 16, 1000}));
}

static Value makeDocument(ProgramBuilder &p, const Problem &problem) {
  // Few documents, so that some pairs are kept, and some padding.
  auto ids = [&](const Dim &tokens) {
    Type type = p.random.choose<Type>({p.b.getI64Type(), p.b.getI32Type()});
    Dim batch = p.random.chance(30) ? Dim{1} : problem.batch;
    return p.input(type, {batch, tokens}, -1, 3).value;
  };
  Value queries = ids(problem.queries);
  return MaskDocumentOp::create(p.b, p.loc, queries, ids(problem.keys));
}

static Value makePrefix(ProgramBuilder &p, const Problem &problem) {
  int64_t high = problem.keys.size + 3;
  Value length = p.random.chance(50)
                     ? p.indexInput(-1, high)
                     : p.perBatch(problem.batch, -1, high).value;
  return MaskPrefixOp::create(p.b, p.loc, length);
}

static Value makePadding(ProgramBuilder &p, const Problem &problem) {
  bool left = p.random.chance(50);
  Value keys = left ? p.sizeOf(problem.keysOf, problem.keysDim) : Value();
  // Below zero and above the number of keys on purpose.
  Tensor lengths = p.perBatch(problem.batch, -1, problem.keys.size + 3);
  return MaskPaddingOp::create(p.b, p.loc, lengths.value, keys,
                               left ? PaddingSide::Left : PaddingSide::Right);
}

static Value makeTensor(ProgramBuilder &p, const Problem &problem) {
  SmallVector<Dim> dims = {problem.batch, problem.queryHeads, problem.queries,
                           problem.keys};
  // That of exporters, or anything.
  bool keysOnly = p.random.chance(30);
  for (auto [d, dim] : llvm::enumerate(dims))
    if (keysOnly ? d == 1 || d == 2 : p.random.chance(30))
      dim = {1};
  Tensor values = p.input(p.b.getI1Type(), dims);
  return MaskTensorOp::create(
      p.b, p.loc, MaskType::get(p.b.getContext()), values.value,
      p.random.chance(60) ? MaskPolarity::Keep : MaskPolarity::Block);
}

/// Starts the region of `op`, whose block takes the indices of a pair.
static ValueRange startPair(ProgramBuilder &p, Operation *op) {
  SmallVector<Type> types(4, p.b.getIndexType());
  SmallVector<Location> locations(4, p.loc);
  return p.b
      .createBlock(&op->getRegion(0), op->getRegion(0).end(), types, locations)
      ->getArguments();
}

static Value makeGenerate(ProgramBuilder &p, const Problem &problem) {
  auto op = MaskGenerateOp::create(p.b, p.loc);
  OpBuilder::InsertionGuard guard(p.b);
  ValueRange pair = startPair(p, op);
  // (i * a + j + b + h) mod m < n
  Value sum = arith::MulIOp::create(p.b, p.loc, pair[2],
                                    p.index(p.random.between(0, 5)));
  for (Value other : {pair[3], pair[0], pair[1]})
    sum = arith::AddIOp::create(p.b, p.loc, sum, other);
  int64_t modulus = p.random.between(2, 7);
  Value rest = arith::RemUIOp::create(p.b, p.loc, sum, p.index(modulus));
  Value keep =
      arith::CmpIOp::create(p.b, p.loc, arith::CmpIPredicate::ult, rest,
                            p.index(p.random.between(0, modulus)));
  YieldOp::create(p.b, p.loc, keep);
  return op.getMask();
}

/// Keys whose id, read from a tensor, is that of the query.
static Value makeGenerateRead(ProgramBuilder &p, const Problem &problem) {
  Tensor ids = p.input(p.b.getI32Type(), {problem.keys}, 0, 3);
  auto op = MaskGenerateOp::create(p.b, p.loc);
  OpBuilder::InsertionGuard guard(p.b);
  ValueRange pair = startPair(p, op);
  Value wanted = arith::RemUIOp::create(p.b, p.loc, pair[2], p.index(3));
  Value found = tensor::ExtractOp::create(p.b, p.loc, ids.value, pair[3]);
  found = arith::IndexCastOp::create(p.b, p.loc, p.b.getIndexType(), found);
  Value keep = arith::CmpIOp::create(p.b, p.loc, arith::CmpIPredicate::eq,
                                     wanted, found);
  YieldOp::create(p.b, p.loc, keep);
  return op.getMask();
}

static Value makeAnd(ProgramBuilder &p, const Problem &problem);
static Value makeOr(ProgramBuilder &p, const Problem &problem);
static Value makeNot(ProgramBuilder &p, const Problem &problem);

static Value makeSlice(ProgramBuilder &p, const Problem &problem) {
  Value source =
      p.random.chance(50) ? makeCausal(p, problem) : makeGenerate(p, problem);
  Value zero = p.index(0);
  return MaskSliceOp::create(p.b, p.loc, source, zero, zero,
                             p.index(p.random.between(0, 9)),
                             p.index(p.random.between(0, 9)));
}

static constexpr MaskMaker makers[] = {
    {"mask.causal", makeCausal},
    {"mask.window", makeWindow},
    {"mask.chunk", makeChunk},
    {"mask.document", makeDocument},
    {"mask.prefix", makePrefix},
    {"mask.padding", makePadding},
    {"mask.tensor", makeTensor},
    {"mask.generate", makeGenerate},
    {"mask.generate_read", makeGenerateRead},
    {"mask.slice", makeSlice},
    {"mask.and", makeAnd},
    {"mask.or", makeOr},
    {"mask.not", makeNot},
};

ArrayRef<MaskMaker> attn::getMaskMakers() { return makers; }

/// An operand of another mask. Trees end with probability 1: fewer than half of
/// the makers have operands.
static Value makeOperand(ProgramBuilder &p, const Problem &problem) {
  return p.chooseMaker(getMaskMakers().drop_back(p.random.chance(60) ? 3 : 0))
      .make(p, problem);
}

static Value makeAnd(ProgramBuilder &p, const Problem &problem) {
  Value lhs = makeOperand(p, problem), rhs = makeOperand(p, problem);
  return MaskAndOp::create(p.b, p.loc, lhs, rhs);
}

static Value makeOr(ProgramBuilder &p, const Problem &problem) {
  Value lhs = makeOperand(p, problem), rhs = makeOperand(p, problem);
  return MaskOrOp::create(p.b, p.loc, lhs, rhs);
}

static Value makeNot(ProgramBuilder &p, const Problem &problem) {
  return MaskNotOp::create(p.b, p.loc, makeOperand(p, problem));
}

Value attn::makeMask(ProgramBuilder &p, const Problem &problem) {
  if (p.random.chance(20))
    return {};
  return p.chooseMaker(getMaskMakers()).make(p, problem);
}
