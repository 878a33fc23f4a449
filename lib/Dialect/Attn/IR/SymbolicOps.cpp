//===- SymbolicOps.cpp - Shared by mask and bias ops ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks that span a mask or bias and the op that uses it.
///
//===----------------------------------------------------------------------===//

#include "SymbolicOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"

using namespace mlir;
using namespace mlir::attn;

/// The number of ops up to which a mask or bias is emitted. Emission follows
/// every use of an operand, shared or not, so ops are counted as often as they
/// would be emitted. The bound also stops at cycles, which regions without
/// dominance allow.
static constexpr unsigned maxEmitted = 4096;

/// A value that `value` is made of and that no mask or bias op makes; `value`
/// itself if too many ops make it; null if IR can be emitted for it.
static Value findUnknown(Value value) {
  SmallVector<Value> worklist = {value};
  for (unsigned emitted = 0; !worklist.empty(); ++emitted) {
    Value made = worklist.pop_back_val();
    Operation *op = made.getDefiningOp();
    if (!isa_and_nonnull<SymbolicOpInterface>(op))
      return made;
    if (emitted == maxEmitted)
      return value;
    for (Value operand : op->getOperands())
      if (isa<MaskType, BiasType>(operand.getType()))
        worklist.push_back(operand);
  }
  return Value();
}

bool attn::isKnownMaskOrBias(Value value) { return !findUnknown(value); }

LogicalResult attn::verifyKnownMaskOrBias(Operation *op, StringRef name,
                                          Value value) {
  Value unknown = value ? findUnknown(value) : Value();
  if (!unknown)
    return success();
  InFlightDiagnostic diag =
      op->emitOpError("expects '")
      << name << "' to be made by ops that emit "
      << (isa<MaskType>(value.getType()) ? "masks" : "biases") << ", got ";
  Operation *owner = unknown.getDefiningOp();
  if (isa_and_nonnull<SymbolicOpInterface>(owner))
    diag << "one that depends on itself or on more than " << maxEmitted
         << " ops";
  else if (owner)
    diag << "one that depends on the result of '" << owner->getName() << "'";
  else
    diag << "one that depends on a block argument";
  diag.attachNote(unknown.getLoc()) << "which is defined here";
  return diag;
}

LogicalResult attn::verifyPairRegion(Operation *op, Region &region,
                                     StringRef expected,
                                     llvm::function_ref<bool(Type)> isYielded) {
  // mask_generate_c2, bias_generate_c2: the arguments.
  Block &block = region.front();
  TypeRange types = block.getArgumentTypes();
  if (types.size() != 4 ||
      !llvm::all_of(types, [](Type type) { return type.isIndex(); }))
    return op->emitOpError("expects 4 region arguments of type 'index', for "
                           "batch, head, query and key, got (")
           << types << ")";
  return verifyYield(op, block, "region", expected, isYielded);
}

/// An op of a region that does more than compute and read memory, or null. Run-
/// time checks may stand anywhere.
static Operation *findSideEffect(Block &block) {
  Operation *found = nullptr;
  block.walk([&](Operation *op) {
    if (isMemoryEffectFree(op) || isa<cf::AssertOp>(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.onlyHasEffect<MemoryEffects::Read>())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult attn::verifyYield(Operation *op, Block &block, StringRef region,
                                StringRef expected,
                                llvm::function_ref<bool(Type)> isYielded) {
  // mask_generate_c3, bias_generate_c3: what is yielded.
  Operation *terminator = block.getTerminator();
  auto yield = dyn_cast<YieldOp>(terminator);
  if (yield && isYielded(yield.getValue().getType())) {
    // mask_generate_c4, bias_generate_c4: no side effects.
    Operation *effect = findSideEffect(block);
    if (!effect)
      return success();
    InFlightDiagnostic diag = op->emitOpError("expects the ")
                              << region
                              << " to be free of side effects but reads, got '"
                              << effect->getName() << "'";
    diag.attachNote(effect->getLoc()) << "which is here";
    return diag;
  }
  InFlightDiagnostic diag = op->emitOpError("expects the ")
                            << region << " to yield " << expected << ", got ";
  if (yield)
    diag << yield.getValue().getType();
  else
    diag << "'" << terminator->getName() << "'";
  return diag;
}

std::optional<int64_t> attn::getUniformInteger(Value value) {
  // A splat folds to its element; of a vector of one element, that is it.
  IntegerAttr integer;
  if (value && matchPattern(value, m_Constant(&integer)))
    return integer.getInt();
  SplatElementsAttr splat;
  if (value && matchPattern(value, m_Constant(&splat)))
    return splat.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

/// Checks the data of one mask or bias op.
static LogicalResult verifyData(Operation *user, StringRef name,
                                SymbolicOpInterface op, ArrayRef<int64_t> sizes,
                                bool onTensors) {
  static constexpr StringRef names[] = {"batch", "number of heads",
                                        "number of queries", "number of keys"};
  auto addNote = [&](InFlightDiagnostic diag) -> LogicalResult {
    diag.attachNote(op->getLoc()) << "which is this op's";
    return diag;
  };
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || !type.hasRank())
      continue;
    if (isa<TensorType>(type) != onTensors)
      return addNote(user->emitOpError("expects data of '")
                     << name << "' to be in a "
                     << (onTensors ? "tensor" : "memref") << ", got " << type);
    for (auto [dimension, size] :
         llvm::zip(op.getIndexedDims(operand), type.getShape())) {
      int64_t expected = sizes[dimension];
      if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(expected) &&
          size != 1 && size < expected)
        return addNote(user->emitOpError("expects ")
                       << names[dimension] << " of the data of '" << name
                       << "' (" << size << ") to be 1 or at least "
                       << expected);
    }
  }
  auto alibi = dyn_cast<BiasAlibiOp>(op.getOperation());
  if (!alibi || !alibi.getHeads() || ShapedType::isDynamic(sizes[1]))
    return success();
  int64_t last = alibi.getFirstHead() + sizes[1];
  if (last > static_cast<int64_t>(*alibi.getHeads()))
    return addNote(user->emitOpError("expects 'heads' of '")
                   << name << "' (" << *alibi.getHeads()
                   << ") to be at least 'first_head' plus the number of heads ("
                   << last << ")");
  return success();
}

LogicalResult attn::verifySymbolicOperand(Operation *op, StringRef name,
                                          Value symbolic,
                                          ArrayRef<int64_t> sizes,
                                          bool onTensors) {
  static constexpr int64_t unknown[] = {
      ShapedType::kDynamic, ShapedType::kDynamic, ShapedType::kDynamic,
      ShapedType::kDynamic};
  // An op, and whether it is seen through a slice. No accessor by name is used
  // on operands: in a region without dominance the op may not be verified yet.
  using Item = llvm::PointerIntPair<Operation *, 1, bool>;
  SmallVector<Item> worklist = {Item(symbolic.getDefiningOp(), false)};
  llvm::SmallDenseSet<Item> visited;
  while (!worklist.empty()) {
    Item item = worklist.pop_back_val();
    Operation *data = item.getPointer();
    if (!data || !visited.insert(item).second)
      continue;
    bool sliced = item.getInt();
    if (auto made = dyn_cast<SymbolicOpInterface>(data);
        made &&
        failed(verifyData(op, name, made, sliced ? ArrayRef(unknown) : sizes,
                          onTensors)))
      return failure();
    sliced |= isa<MaskSliceOp, BiasSliceOp>(data);
    for (Value operand : data->getOperands())
      if (isa<MaskType, BiasType>(operand.getType()))
        worklist.push_back(Item(operand.getDefiningOp(), sliced));
  }
  return success();
}
