//===- RuntimeCalls.cpp - Calls of the runtime library ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions and texts are declared where they are first used.
///
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::attn;

std::string attn::escapeFormat(StringRef text) {
  std::string format;
  for (char c : text)
    format.append(c == '%' ? 2 : 1, c);
  return format;
}

/// The place in a source file, as `name:line:column: `; empty if there is none.
/// Without the folder, so that code does not depend on where it was compiled.
static std::string getPlace(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine() == 0)
    return {};
  StringRef name = llvm::sys::path::filename(place.getFilename());
  return (name + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn()) +
          ": ")
      .str();
}

LogicalResult RuntimeCalls::declare(StringRef name, ArrayRef<Type> arguments) {
  if (Operation *op = symbols.lookup(name)) {
    if (isa<LLVM::LLVMFuncOp>(op))
      return success();
    return op->emitError("expects symbol '") << name << "' to be an llvm.func";
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), arguments);
  symbols.insert(
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type));
  return success();
}

/// The address of `text`, null terminated.
Value RuntimeCalls::getText(OpBuilder &builder, Location loc,
                            const Twine &text) {
  SmallString<64> bytes;
  text.toVector(bytes);
  bytes.push_back('\0');
  LLVM::GlobalOp &global = texts[bytes];
  if (!global) {
    OpBuilder atBegin = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(atBegin.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(
        atBegin, loc, type, /*isConstant=*/true, LLVM::Linkage::Private,
        "attn_assert_message", atBegin.getStringAttr(bytes));
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

LogicalResult RuntimeCalls::emitFail(OpBuilder &builder, Location loc,
                                     StringRef message) {
  constexpr StringLiteral name = "attn_rt_assert_fail";
  if (failed(declare(name, LLVM::LLVMPointerType::get(builder.getContext()))))
    return failure();
  LLVM::CallOp::create(builder, loc, TypeRange(), name,
                       getText(builder, loc, getPlace(loc) + message));
  return success();
}

LogicalResult RuntimeCalls::emitFail(OpBuilder &builder, Location loc,
                                     StringRef format,
                                     ArrayRef<Value> numbers) {
  constexpr StringLiteral name = "attn_rt_assert_fail_values";
  Type number = builder.getI64Type();
  if (failed(declare(name, {LLVM::LLVMPointerType::get(builder.getContext()),
                            number, number})))
    return failure();
  SmallVector<Value> operands = {
      getText(builder, loc, escapeFormat(getPlace(loc)) + format)};
  operands.append(numbers.begin(), numbers.end());
  while (operands.size() < 3)
    operands.push_back(
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0)));
  LLVM::CallOp::create(builder, loc, TypeRange(), name, operands);
  return success();
}
