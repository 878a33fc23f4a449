//===- AttnBase.td - The attn dialect and its types --------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNBASE_TD
#define ATTN_DIALECT_ATTN_IR_ATTNBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Attn_Dialect : Dialect {
  let name = "attn";
  let cppNamespace = "::mlir::attn";
  let summary = "positions, rotary embedding, biases, masks and attention";
  let description = [{
    Attention has no order of its own: positions and masks are arithmetic around
    it. This dialect names that arithmetic. Positional encodings and attention
    are destination-style ops on tensors (or, after bufferization, on memrefs);
    masks and biases are SSA values of symbolic types, a predicate and a score
    term over (batch, head, query, key), that are never stored as a
    `Sq x Sk` tensor unless `attn.materialize` asks for it.

    Shapes, everywhere: query `[B, Hq, Sq, Dk]`, key `[B, Hk, Sk, Dk]`, value
    `[B, Hk, Sk, Dv]`; `Hq` is a multiple of `Hk`, and query head `h` reads
    key/value head `h / (Hq / Hk)`. Every dimension may be dynamic, zero or one.

    Data that is given for each batch, head, query or key (offsets, lengths,
    slopes, rotary tables, tensors of masks and biases) is broadcast along a
    dimension whose static size is 1. One of dynamic size that is 1 at run time
    is not.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Attn_Type<string name, string typeMnemonic>
    : TypeDef<Attn_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Attn_MaskType : Attn_Type<"Mask", "mask">,
    BuildableType<"::mlir::attn::MaskType::get($_builder.getContext())"> {
  let summary = "a predicate over (batch, head, query, key)";
  let description = [{
    Says which pairs of a query and a key may attend. It has no shape: it is
    defined for every index, and the op that uses it brings the sizes.

    ```mlir
    func.func @both(%given: !attn.mask) -> !attn.mask {
      %causal = attn.mask.causal
      %both = attn.mask.and %causal, %given
      return %both : !attn.mask
    }
    ```
  }];
}

def Attn_BiasType : Attn_Type<"Bias", "bias">,
    BuildableType<"::mlir::attn::BiasType::get($_builder.getContext())"> {
  let summary = "a score term over (batch, head, query, key)";
  let description = [{
    A number for each pair of a query and a key, added to the scaled score. It
    has no shape, like `!attn.mask`.

    ```mlir
    func.func @sum(%given: !attn.bias) -> !attn.bias {
      %alibi = attn.bias.alibi linear heads 8
      %sum = attn.bias.add %alibi, %given
      return %sum : !attn.bias
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Constraints shared by the ops
//===----------------------------------------------------------------------===//

/// The element types of query, key, value and of encodings.
def Attn_Float : AnyTypeOf<[F64, F32, F16, BF16], "f64, f32, f16 or bf16">;
/// The element types of positions, lengths and token ids.
def Attn_Integer : AnyTypeOf<[I64, I32, Index], "i64, i32 or index">;

/// A ranked tensor, or a memref after bufferization.
class Attn_Shaped<Type element, list<int> ranks>
    : AnyTypeOf<[TensorRankOf<[element], ranks>, MemRefRankOf<[element], ranks>]>;

/// A causal offset: one number, or one for each batch.
def Attn_Offset
    : AnyTypeOf<[Index, TensorRankOf<[Attn_Integer], [1]>,
                 MemRefRankOf<[Attn_Integer], [1]>],
                "an index, or a tensor of one integer per batch">;

class Attn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Attn_Dialect, mnemonic, traits>;

#endif // ATTN_DIALECT_ATTN_IR_ATTNBASE_TD
