//===- AttnInterfaces.td - Interfaces of masks and biases --*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
#define ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD

include "mlir/IR/OpBase.td"

def Attn_MaskOpInterface : OpInterface<"MaskOpInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op that makes a `!attn.mask`. A new mask is one op with these methods;
    nothing that lowers attention changes.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the predicate of one pair, or of a vector of pairs: an `i1`, or a
      vector of `i1` if any of the indices is a vector.
      }], "::mlir::Value", "emitKeep",
      (ins "::mlir::attn::PairBuilder &":$builder,
           "const ::mlir::attn::PairIndices &":$indices)>,
    InterfaceMethod<[{
      Emits bounds of the keys that a range of queries keeps: outside `may`
      nothing is kept, inside `sure` everything is. The bounds need not be
      ordered or clamped to the keys; the caller normalises them. Positions,
      offsets and lengths are taken to be below 2^61 in magnitude, so that
      sums do not wrap.
      }], "::mlir::attn::KeyIntervals", "emitKeyIntervals",
      (ins "::mlir::attn::PairBuilder &":$builder,
           "const ::mlir::attn::QueryRange &":$range),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::mlir::attn::KeyIntervals::unknown(builder, range);
      }]>,
    InterfaceMethod<[{
      The value of the predicate if it is the same for all pairs and known.
      }], "std::optional<bool>", "getConstantKeep", (ins), "",
      [{ return std::nullopt; }]>,
  ];
}

def Attn_BiasOpInterface : OpInterface<"BiasOpInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op that makes a `!attn.bias`. A new bias is one op with this method.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the bias of one pair, or of a vector of pairs, as `type` (a float
      type) or a vector of it.
      }], "::mlir::Value", "emitBias",
      (ins "::mlir::attn::PairBuilder &":$builder,
           "const ::mlir::attn::PairIndices &":$indices,
           "::mlir::FloatType":$type)>,
  ];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
