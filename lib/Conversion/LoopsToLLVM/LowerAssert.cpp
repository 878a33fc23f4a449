//===- LowerAssert.cpp - Assertions through the runtime ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers cf.assert to a conditional call of `attn_rt_assert_fail`. The form is
/// structured control flow, so it can stand in loop bodies and OpenMP regions.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERASSERTPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static constexpr StringLiteral kFailFunction = "attn_rt_assert_fail";

/// Declares `void attn_rt_assert_fail(const char *)` unless it is there.
static LogicalResult declareFailFunction(ModuleOp module) {
  if (Operation *op = module.lookupSymbol(kFailFunction)) {
    if (isa<LLVM::LLVMFuncOp>(op))
      return success();
    return op->emitError("expects symbol '")
           << kFailFunction << "' to be an llvm.func";
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()),
      LLVM::LLVMPointerType::get(module.getContext()));
  LLVM::LLVMFuncOp::create(builder, module.getLoc(), kFailFunction, type);
  return success();
}

/// The global that holds `message`, null terminated.
static LLVM::GlobalOp createMessage(SymbolTable &symbols, Location loc,
                                    StringRef message) {
  SmallString<64> text(message);
  text.push_back('\0');
  auto module = cast<ModuleOp>(symbols.getOp());
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
  auto global = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Private,
      "attn_assert_message", builder.getStringAttr(text));
  symbols.insert(global);
  return global;
}

namespace {
struct LowerAssertPass : attn::impl::LowerAssertPassBase<LowerAssertPass> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    if (asserts.empty())
      return;
    if (failed(declareFailFunction(getOperation())))
      return signalPassFailure();

    SymbolTable symbols(getOperation());
    llvm::StringMap<LLVM::GlobalOp> messages;
    for (cf::AssertOp op : asserts) {
      LLVM::GlobalOp &message = messages[op.getMsg()];
      if (!message)
        message = createMessage(symbols, op.getLoc(), op.getMsg());
      OpBuilder builder(op);
      Value isTrue = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
      Value failed =
          arith::XOrIOp::create(builder, op.getLoc(), op.getArg(), isTrue);
      scf::IfOp::create(
          builder, op.getLoc(), failed, [&](OpBuilder &b, Location loc) {
            Value text = LLVM::AddressOfOp::create(b, loc, message);
            LLVM::CallOp::create(b, loc, TypeRange(), kFailFunction, text);
            scf::YieldOp::create(b, loc);
          });
      op.erase();
    }
  }
};
} // namespace
