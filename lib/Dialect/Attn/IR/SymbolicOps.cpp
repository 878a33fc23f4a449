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
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"

using namespace mlir;
using namespace mlir::attn;

bool attn::isKnownMaskOrBias(Value value) {
  // Emission follows every use of an operand, shared or not, so ops are counted
  // as often as they would be emitted. The bound also stops at cycles, which
  // regions without dominance allow.
  constexpr unsigned maxEmitted = 4096;
  SmallVector<Value> worklist = {value};
  for (unsigned emitted = 0; !worklist.empty(); ++emitted) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (emitted == maxEmitted ||
        !isa_and_nonnull<MaskOpInterface, BiasOpInterface>(op))
      return false;
    for (Value operand : op->getOperands())
      if (isa<MaskType, BiasType>(operand.getType()))
        worklist.push_back(operand);
  }
  return true;
}

LogicalResult attn::verifyPairRegion(Operation *op, Region &region,
                                     StringRef expected,
                                     llvm::function_ref<bool(Type)> isYielded) {
  Block &block = region.front();
  if (block.getNumArguments() != 4 ||
      !llvm::all_of(block.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return op->emitOpError("expects 4 region arguments of type 'index', for "
                           "batch, head, query and key, got ")
           << block.getNumArguments();
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || !isYielded(yield.getValue().getType()))
    return op->emitOpError("expects the region to yield ") << expected;
  return success();
}

/// The dimensions (0 batch, 1 head, 2 query, 3 key) that index an operand of a
/// mask or bias op; none if that is not known.
static ArrayRef<unsigned> getIndexedDims(Operation *op, ShapedType type) {
  static constexpr unsigned all[] = {0, 1, 2, 3};
  if (isa<MaskTensorOp, BiasTensorOp>(op) && type.getRank() == 4)
    return all;
  if (isa<BiasAlibiOp>(op) && isa<FloatType>(type.getElementType()))
    return type.getRank() == 2 ? ArrayRef(all, 2) : ArrayRef(all + 1, 1);
  if (isa<MaskCausalOp, MaskWindowOp, MaskPaddingOp, BiasAlibiOp>(op) &&
      type.getRank() == 1)
    return ArrayRef(all, 1);
  return {};
}

/// Checks the data of one mask or bias op.
static LogicalResult verifyData(Operation *user, StringRef name, Operation *op,
                                ArrayRef<int64_t> sizes, bool onTensors) {
  static constexpr StringRef names[] = {"batch", "number of heads",
                                        "number of queries", "number of keys"};
  auto addNote = [&](InFlightDiagnostic diag) -> LogicalResult {
    diag.attachNote(op->getLoc()) << "which is this op's";
    return diag;
  };
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type || !type.hasRank())
      continue;
    if (isa<TensorType>(type) != onTensors)
      return addNote(user->emitOpError("expects data of '")
                     << name << "' to be in a "
                     << (onTensors ? "tensor" : "memref") << ", got " << type);
    for (auto [dimension, size] :
         llvm::zip(getIndexedDims(op, type), type.getShape())) {
      int64_t expected = sizes[dimension];
      if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(expected) &&
          size != 1 && size < expected)
        return addNote(user->emitOpError("expects ")
                       << names[dimension] << " of the data of '" << name
                       << "' (" << size << ") to be 1 or at least "
                       << expected);
    }
  }
  auto alibi = dyn_cast<BiasAlibiOp>(op);
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
    if (isa<MaskOpInterface, BiasOpInterface>(data) &&
        failed(verifyData(op, name, data, sliced ? ArrayRef(unknown) : sizes,
                          onTensors)))
      return failure();
    sliced |= isa<MaskSliceOp, BiasSliceOp>(data);
    for (Value operand : data->getOperands())
      if (isa<MaskType, BiasType>(operand.getType()))
        worklist.push_back(Item(operand.getDefiningOp(), sliced));
  }
  return success();
}
