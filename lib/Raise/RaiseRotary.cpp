//===- RaiseRotary.cpp - Recover rotary embeddings --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Walks values in program order and replaces those that are rotations. What
/// comes after sees a leaf, so each rotation is found once, at the value that
/// completes it: where a later one adds the elements that pass through, there.
///
//===----------------------------------------------------------------------===//

#include "RaiseRotary.h"
#include "GraphWalk.h"
#include "attn/Raise/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::attn {
#define GEN_PASS_DEF_RAISEROTARYPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

class Raiser {
public:
  explicit Raiser(MLIRContext *mlirContext)
      : context(mlirContext), elements(context), builder(mlirContext) {}

  void visit(Operation *op);
  bool hasRaised() const { return raised; }
  /// Explains a computation of cosines or sines that no rotation came of,
  /// unless something was explained before.
  void explainOthers(Operation *root);

private:
  struct TableKey {
    Expr cos, sin, batch, length;
    bool operator==(const TableKey &other) const {
      return cos == other.cos && sin == other.sin && batch == other.batch &&
             length == other.length;
    }
  };
  struct SharedTable {
    TableKey key;
    Value cos, sin;
    std::string what;
  };

  bool raise(Value value, const RotaryMatch &match);
  bool raiseExtension(Value value);
  FailureOr<SharedTable> getTable(const RotaryFactors &factors, Value value,
                                  std::string &reason);
  void missed(Value value, StringRef reason);
  void markDead(Operation *op);
  bool isDead(Operation *op) const {
    return !op->use_empty() &&
           llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return dead.contains(user); });
  }

  ExpressionContext context;
  ElementExpression elements;
  OpBuilder builder;
  SmallVector<SharedTable> tables;
  /// Operations whose results only dead ones use. They stay until the end: the
  /// analysis knows their values.
  llvm::DenseSet<Operation *> dead;
  llvm::DenseSet<Value> explained;
  bool raised = false;
};

} // namespace

static SmallVector<int64_t> getOrder(ArrayRef<RotaryRole> roles) {
  auto order = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(roles.size())));
  llvm::sort(order, [&](int64_t a, int64_t b) { return roles[a] < roles[b]; });
  return order;
}

/// For dimensions in the order of `attn.rotary`, the groups of its four that
/// each one is.
static SmallVector<ReassociationIndices> getGroups(ArrayRef<RotaryRole> roles) {
  SmallVector<bool> present(4, false);
  for (RotaryRole role : roles)
    present[static_cast<unsigned>(role)] = true;
  SmallVector<ReassociationIndices> groups(1);
  bool full = false;
  for (int64_t dimension : llvm::seq<int64_t>(0, 4)) {
    if (full && present[dimension]) {
      groups.emplace_back();
      full = false;
    }
    groups.back().push_back(dimension);
    full |= present[dimension];
  }
  return groups;
}

/// Brings a value to `[B, H, S, D]`.
static Value toCanonical(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<RotaryRole> roles) {
  value = emitTranspose(builder, loc, value, getOrder(roles));
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 4)
    return value;
  SmallVector<RotaryRole> ordered(roles);
  llvm::sort(ordered);
  SmallVector<OpFoldResult> sizes(4, builder.getIndexAttr(1));
  SmallVector<int64_t> shape(4, 1);
  for (auto [role, size, extent] :
       llvm::zip_equal(ordered, tensor::getMixedSizes(builder, loc, value),
                       type.getShape())) {
    sizes[static_cast<unsigned>(role)] = size;
    shape[static_cast<unsigned>(role)] = extent;
  }
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      getGroups(roles), sizes);
}

/// The way back.
static Value fromCanonical(OpBuilder &builder, Location loc, Value value,
                           ArrayRef<RotaryRole> roles) {
  if (roles.size() != 4)
    value =
        tensor::CollapseShapeOp::create(builder, loc, value, getGroups(roles));
  return emitTranspose(builder, loc, value,
                       invertPermutationVector(getOrder(roles)));
}

void Raiser::missed(Value value, StringRef reason) {
  remark::missed(value.getLoc(),
                 remark::RemarkOpts::name("RaiseRotary").category("attn-raise"))
      << remark::reason("{0}", reason.str());
}

FailureOr<Raiser::SharedTable> Raiser::getTable(const RotaryFactors &factors,
                                                Value value,
                                                std::string &reason) {
  Operation *point = value.getDefiningOp();
  TableKey key{factors.cos, factors.sin, factors.batch, factors.length};
  for (const SharedTable &table : tables) {
    Operation *owner = table.cos.getDefiningOp();
    if (table.key == key && owner->getBlock() == point->getBlock() &&
        owner->isBeforeInBlock(point))
      return table;
  }
  SharedTable table{key, Value(), Value(), ""};
  FailureOr<std::pair<Value, Value>> emitted = emitRotaryFactors(
      builder, value.getLoc(), elements, factors, value, table.what, reason);
  if (failed(emitted))
    return failure();
  std::tie(table.cos, table.sin) = *emitted;
  if (!reason.empty())
    missed(value, reason);
  if (table.cos.getDefiningOp())
    tables.push_back(table);
  return table;
}

bool Raiser::raise(Value value, const RotaryMatch &match) {
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  builder.setInsertionPoint(op);
  std::string reason;
  FailureOr<SharedTable> table = getTable(match.factors, value, reason);
  if (failed(table)) {
    if (explained.insert(value).second)
      missed(value, reason);
    return false;
  }
  Value input = toCanonical(builder, loc, match.input, match.inputRoles);
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, input),
      cast<ShapedType>(input.getType()).getElementType());
  auto layoutOut =
      match.layout == match.layoutOut
          ? RotaryLayoutAttr()
          : RotaryLayoutAttr::get(builder.getContext(), match.layoutOut);
  auto rotary = RotaryOp::create(
      builder, loc, TypeRange{init.getType()}, input, table->cos, table->sin,
      init, RotaryLayoutAttr::get(builder.getContext(), match.layout),
      layoutOut, builder.getI64IntegerAttr(match.first),
      match.inverse ? builder.getUnitAttr() : UnitAttr());
  Value result = fromCanonical(builder, loc, rotary.getResult(0), match.roles);
  if (match.merged)
    result = tensor::CollapseShapeOp::create(
        builder, loc, result,
        SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
  if (result.getType() != value.getType())
    result = tensor::CastOp::create(builder, loc, value.getType(), result);
  value.replaceAllUsesWith(result);
  markDead(op);
  raised = true;
  remark::passed(loc,
                 remark::RemarkOpts::name("RaiseRotary").category("attn-raise"))
      << llvm::formatv("rotation of {0} elements from {1}, {2}, by {3}",
                       2 * match.factors.pairs, match.first,
                       stringifyRotaryLayout(match.layout), table->what)
             .str();
  return true;
}

void Raiser::markDead(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *current = worklist.pop_back_val();
    if (!dead.insert(current).second)
      continue;
    for (Value operand : current->getOperands())
      if (Operation *source = operand.getDefiningOp())
        if (isDead(source))
          worklist.push_back(source);
  }
}

/// Raises a later value that is the same rotation with elements that pass
/// through, if there is one.
bool Raiser::raiseExtension(Value value) {
  constexpr unsigned maxSteps = 4;
  // An analysis of its own: this one has to see what comes after as it is once
  // the rotation is raised.
  ElementExpression ahead(context);
  llvm::SetVector<Value> reached;
  reached.insert(value);
  bool found = false;
  size_t begin = 0;
  for (unsigned step = 0; step < maxSteps; ++step) {
    size_t end = reached.size();
    for (; begin < end; ++begin) {
      Value current = reached[begin];
      for (Operation *user : llvm::to_vector(current.getUsers())) {
        if (user->getBlock() != value.getParentBlock() ||
            user->getNumResults() != 1 || dead.contains(user))
          continue;
        Value result = user->getResult(0);
        std::string reason;
        std::optional<RotaryMatch> match = matchRotary(ahead, result, reason);
        if (match && match->partial)
          found |= raise(result, *match);
        else if (match)
          reached.insert(result);
      }
    }
  }
  return found;
}

/// Whether a rotation is computed from a value.
static bool leadsToRotation(Operation *op) {
  constexpr size_t maxOps = 256;
  llvm::SetVector<Operation *> reached;
  reached.insert(op);
  for (size_t next = 0; next < reached.size() && next < maxOps; ++next) {
    if (isa<RotaryOp, RotaryTableOp>(reached[next]))
      return true;
    reached.insert(reached[next]->user_begin(), reached[next]->user_end());
  }
  return reached.size() >= maxOps;
}

void Raiser::explainOthers(Operation *root) {
  if (!explained.empty())
    return;
  root->walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    if (op->getNumResults() != 1 ||
        !op->walk([](Operation *inner) {
             return isa<math::CosOp, math::SinOp>(inner)
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           }).wasInterrupted())
      return WalkResult::advance();
    if (leadsToRotation(op))
      return WalkResult::advance();
    missed(op->getResult(0),
           "cosines or sines are computed that no rotation is by");
    return WalkResult::interrupt();
  });
}

void Raiser::visit(Operation *op) {
  if (op->getNumResults() != 1 || dead.contains(op))
    return;
  Value value = op->getResult(0);
  // One explanation for a rotation that is none, not one for each value that is
  // made of it.
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return explained.contains(operand); }))
    explained.insert(value);
  std::string reason;
  std::optional<RotaryMatch> match = matchRotary(elements, value, reason);
  if (!match) {
    if (!reason.empty() && explained.insert(value).second)
      missed(value, reason);
    return;
  }
  if (!match->partial && raiseExtension(value) && dead.contains(op))
    return;
  if (raise(value, *match))
    explained.erase(value);
}

namespace {

struct RaiseRotaryPass : attn::impl::RaiseRotaryPassBase<RaiseRotaryPass> {
  void runOnOperation() override {
    Raiser raiser(&getContext());
    visitGraph(getOperation(), [&](Operation *op) { raiser.visit(op); });
    if (raiser.hasRaised()) {
      eraseDeadCode(getOperation());
    } else {
      markAllAnalysesPreserved();
    }
    raiser.explainOthers(getOperation());
  }
};

} // namespace
