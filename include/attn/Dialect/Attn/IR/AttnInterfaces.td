//===- AttnInterfaces.td - Interfaces of masks and biases --*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
#define ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD

include "mlir/IR/OpBase.td"

def Attn_SymbolicOpInterface : OpInterface<"SymbolicOpInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op that makes a `!attn.mask` or a `!attn.bias`: what does not depend on
    which of the two it is. The op is free of side effects. If it holds tensors,
    it also takes memrefs in their place, which is what bufferization makes.
  }];
  let methods = [
    InterfaceMethod<[{
      Which of the indices (0 batch, 1 head, 2 query, 3 key) the leading
      dimensions of the data `operand` are read at, outermost first; empty if
      none is read at an index of a pair. The op that uses the mask or bias
      checks the size of the operand by it. It may be asked of an op that is not
      verified yet, and of data only: a ranked tensor or memref. By default a
      vector has an element for each batch, and data of rank 4 have one for each
      pair.
      }], "::llvm::ArrayRef<unsigned>", "getIndexedDims",
      (ins "::mlir::OpOperand &":$operand),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        static constexpr unsigned dims[] = {0, 1, 2, 3};
        int64_t rank =
            ::llvm::cast<::mlir::ShapedType>(operand.get().getType()).getRank();
        return rank == 1 || rank == 4 ? ::llvm::ArrayRef(dims, rank)
                                      : ::llvm::ArrayRef<unsigned>();
      }]>,
  ];
}

def Attn_MaskOpInterface
    : OpInterface<"MaskOpInterface", [Attn_SymbolicOpInterface]> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op that makes a `!attn.mask`. A new mask is one op with these methods;
    no verifier of its users, no bufferization and no lowering changes.
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
      ordered or clamped to the keys; the caller normalises them. Offsets and
      lengths that are data may be anything: `PairBuilder::batchOffset` and
      `bounded` bring them within 2^62, which is beyond all indices, so that
      their sums with these do not wrap.
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

def Attn_BiasOpInterface
    : OpInterface<"BiasOpInterface", [Attn_SymbolicOpInterface]> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    An op that makes a `!attn.bias`. A new bias is one op with this method; as
    for masks, nothing that uses or lowers biases changes.
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
