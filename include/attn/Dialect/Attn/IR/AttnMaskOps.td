//===- AttnMaskOps.td - Masks ------------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNMASKOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNMASKOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "attn/Dialect/Attn/IR/AttnInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// An op that makes a mask; `interfaceMethods` are the methods that it
/// implements beyond `emitKeep`.
class Attn_MaskOp<string mnemonic, list<string> interfaceMethods = [],
                  list<Trait> traits = []>
    : Attn_Op<"mask." # mnemonic, traits # [
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
        DeclareOpInterfaceMethods<Attn_MaskOpInterface, interfaceMethods>]> {
  let results = (outs Attn_MaskType:$mask);
  code resultNameDefinition = [{
    void $cppClass::getAsmResultNames(
        ::mlir::OpAsmSetValueNameFn setNameFn) {
      setNameFn(getMask(), "}] # mnemonic # [{");
    }
  }];
  let extraClassDefinition = resultNameDefinition;
}

def Attn_MaskCausalOp : Attn_MaskOp<"causal", ["emitKeyIntervals"], [Pure]> {
  let summary = "keeps keys up to the query";
  let description = [{
    Keeps the keys up to the position `i + offset` of the query. The offset is
    the number of keys that precede the first query, 0 if absent: an index, or
    one integer for each batch.

    [The specification](../spec.md#attnmaskcausal) says exactly what it means.

    ```mlir
    func.func @causal(%cached: index) -> (!attn.mask, !attn.mask) {
      %causal = attn.mask.causal
      %decoding = attn.mask.causal offset(%cached : index)
      return %causal, %decoding : !attn.mask, !attn.mask
    }
    ```
  }];
  // mask_causal_c1: an index or integers.
  let arguments = (ins Optional<Attn_Offset>:$offset);
  let assemblyFormat = "(`offset` `(` $offset^ `:` type($offset) `)`)? attr-dict";
  let hasCanonicalizer = 1;
}

/// A number of keys, small enough that a position plus it does not overflow.
def Attn_WindowSide
    : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1152921504606846976>]>;
/// The same, at least one.
def Attn_ChunkSize
    : ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<1152921504606846976>]>;

def Attn_MaskWindowOp
    : Attn_MaskOp<"window", ["emitKeyIntervals", "getConstantKeep"], [Pure]> {
  let summary = "keeps keys near the query";
  let description = [{
    Keeps `left` keys before the position `i + offset` of the query and `right`
    keys after it, both ends and the position itself included. A side that is
    not given is unbounded. The offset is that of `attn.mask.causal`.

    [The specification](../spec.md#attnmaskwindow) says exactly what it means.

    ```mlir
    func.func @window() -> !attn.mask {
      %window = attn.mask.window left 3
      return %window : !attn.mask
    }
    ```
  }];
  let arguments = (ins
    // mask_window_c2: `offset` is an index or integers.
    Optional<Attn_Offset>:$offset,
    // mask_window_c1: `left` and `right` are not negative, at most 2^60.
    OptionalAttr<Attn_WindowSide>:$left,
    OptionalAttr<Attn_WindowSide>:$right);
  let assemblyFormat = [{
    (`left` $left^)? (`right` $right^)?
    (`offset` `(` $offset^ `:` type($offset) `)`)? attr-dict
  }];
  let hasCanonicalizer = 1;
}

def Attn_MaskChunkOp
    : Attn_MaskOp<"chunk", ["emitKeyIntervals"], [Pure, AttrSizedOperandSegments]> {
  let summary = "keeps keys of the query's chunk";
  let description = [{
    Keeps the keys of the query's chunk of `size` tokens, those after the query
    included. Chunks are counted from position `start`, an index or one integer
    for each batch, 0 if absent; the offset is that of `attn.mask.causal`.

    [The specification](../spec.md#attnmaskchunk) says exactly what it means.

    ```mlir
    func.func @chunk(%cached: index, %padding: tensor<2xi64>) -> (!attn.mask, !attn.mask) {
      %chunk = attn.mask.chunk size 8192
      %decoding = attn.mask.chunk size 8192 offset(%cached : index) start(%padding : tensor<2xi64>)
      return %chunk, %decoding : !attn.mask, !attn.mask
    }
    ```
  }];
  let arguments = (ins
    // mask_chunk_c2: `offset` is an index or integers.
    Optional<Attn_Offset>:$offset,
    // mask_chunk_c3: `start` is an index or integers.
    Optional<Attn_Offset>:$start,
    // mask_chunk_c1: `size` is positive, at most 2^60.
    Attn_ChunkSize:$size);
  let assemblyFormat = [{
    `size` $size (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`start` `(` $start^ `:` type($start) `)`)? attr-dict
  }];
  let hasCanonicalizer = 1;
}

def Attn_MaskPaddingOp : Attn_MaskOp<"padding", ["emitKeyIntervals"], [Pure]> {
  let summary = "keeps keys that are not padding";
  let description = [{
    Keeps the keys that are no padding, `lengths[b]` of them: the first ones
    with `right` padding, the last ones with `left` padding, which needs the
    number of all keys, `keys`.

    [The specification](../spec.md#attnmaskpadding) says exactly what it means.

    ```mlir
    func.func @padding(%lengths: tensor<2xi64>, %keys: index) -> (!attn.mask, !attn.mask) {
      %right = attn.mask.padding right lengths(%lengths : tensor<2xi64>)
      %left = attn.mask.padding left lengths(%lengths : tensor<2xi64>) keys(%keys)
      return %right, %left : !attn.mask, !attn.mask
    }
    ```
  }];
  let arguments = (ins
    // mask_padding_c1: `lengths` are integers [B].
    Attn_Shaped<Attn_Integer, [1]>:$lengths,
    // mask_padding_c4: `keys` is an index.
    Optional<Index>:$keys,
    Attn_PaddingSideAttr:$side);
  let assemblyFormat = [{
    `` $side `lengths` `(` $lengths `:` type($lengths) `)` (`keys` `(` $keys^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Attn_MaskDocumentOp
    : Attn_MaskOp<"document", ["emitKeyIntervals", "getConstantKeep"], [
        Pure,
        DeclareOpInterfaceMethods<Attn_SymbolicOpInterface, ["getIndexedDims"]>]> {
  let summary = "keeps keys of the query's document";
  let description = [{
    Keeps the keys whose id is that of the query, where it is not negative. Ids
    name documents packed into one row, or spans that see themselves in both
    directions (`attn.mask.or` with a causal mask).

    [The specification](../spec.md#attnmaskdocument) says exactly what it means.

    ```mlir
    func.func @document(%ids: tensor<2x12xi32>) -> !attn.mask {
      %document = attn.mask.document query(%ids : tensor<2x12xi32>) key(%ids : tensor<2x12xi32>)
      return %document : !attn.mask
    }
    ```
  }];
  let arguments = (ins
    // mask_document_c1: `query_ids` are integers [B, Sq].
    Attn_Shaped<Attn_Integer, [2]>:$query_ids,
    // mask_document_c2: `key_ids` are integers [B, Sk].
    Attn_Shaped<Attn_Integer, [2]>:$key_ids);
  let assemblyFormat = [{
    `query` `(` $query_ids `:` type($query_ids) `)`
    `key` `(` $key_ids `:` type($key_ids) `)` attr-dict
  }];
  let hasCanonicalizer = 1;
}

def Attn_MaskPrefixOp
    : Attn_MaskOp<"prefix", ["emitKeyIntervals", "getConstantKeep"], [Pure]> {
  let summary = "keeps the first keys";
  let description = [{
    Keeps the first `length` keys, an index or one integer for each batch: the
    prompt of a prefix language model (`attn.mask.or` with a causal mask), or
    attention sinks (`attn.mask.or` with a window).

    [The specification](../spec.md#attnmaskprefix) says exactly what it means.

    ```mlir
    func.func @prefix(%prompt: tensor<2xi64>) -> !attn.mask {
      %prefix = attn.mask.prefix length(%prompt : tensor<2xi64>)
      %causal = attn.mask.causal
      %or = attn.mask.or %causal, %prefix
      return %or : !attn.mask
    }
    ```
  }];
  // mask_prefix_c1: an index or integers.
  let arguments = (ins Attn_Offset:$length);
  let assemblyFormat = "`length` `(` $length `:` type($length) `)` attr-dict";
}

def Attn_MaskTensorOp
    : Attn_MaskOp<"tensor", ["emitKeyIntervals", "getConstantKeep"], [Pure]> {
  let summary = "a mask given as data";
  let description = [{
    Keeps where an element of `values`, `[B, H, Sq, Sk]`, is true (`keep`, the
    default) or false (`block`). Dimensions of static size 1 are broadcast.

    [The specification](../spec.md#attnmasktensor) says exactly what it means.

    ```mlir
    func.func @tensor(%valid: tensor<2x1x1x12xi1>) -> !attn.mask {
      %tensor = attn.mask.tensor keep %valid : tensor<2x1x1x12xi1>
      return %tensor : !attn.mask
    }
    ```
  }];
  let arguments = (ins
    // mask_tensor_c1: `values` are i1 of rank 4.
    Attn_Shaped<I1, [4]>:$values,
    DefaultValuedAttr<Attn_MaskPolarityAttr, "::mlir::attn::MaskPolarity::Keep">:$polarity);
  let assemblyFormat = "`` $polarity $values `:` type($values) attr-dict";
  let hasCanonicalizer = 1;
}

def Attn_MaskAndOp
    : Attn_MaskOp<"and", ["emitKeyIntervals", "getConstantKeep"], [Pure, Commutative]> {
  let summary = "keeps what both masks keep";
  let description = [{
    Keeps the pairs that both masks keep.

    [The specification](../spec.md#attnmaskand) says exactly what it means.

    ```mlir
    func.func @and(%a: !attn.mask, %b: !attn.mask) -> !attn.mask {
      %and = attn.mask.and %a, %b
      return %and : !attn.mask
    }
    ```
  }];
  // mask_and_c1: both are masks.
  let arguments = (ins Attn_MaskType:$lhs, Attn_MaskType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Attn_MaskOrOp
    : Attn_MaskOp<"or", ["emitKeyIntervals", "getConstantKeep"], [Pure, Commutative]> {
  let summary = "keeps what either mask keeps";
  let description = [{
    Keeps the pairs that either mask keeps.

    [The specification](../spec.md#attnmaskor) says exactly what it means.

    ```mlir
    func.func @or(%a: !attn.mask, %b: !attn.mask) -> !attn.mask {
      %or = attn.mask.or %a, %b
      return %or : !attn.mask
    }
    ```
  }];
  // mask_or_c1: both are masks.
  let arguments = (ins Attn_MaskType:$lhs, Attn_MaskType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Attn_MaskNotOp
    : Attn_MaskOp<"not", ["emitKeyIntervals", "getConstantKeep"], [Pure]> {
  let summary = "keeps what the mask removes";
  let description = [{
    Keeps the pairs that the mask removes.

    [The specification](../spec.md#attnmasknot) says exactly what it means.

    ```mlir
    func.func @not(%a: !attn.mask) -> !attn.mask {
      %not = attn.mask.not %a
      return %not : !attn.mask
    }
    ```
  }];
  // mask_not_c1: a mask.
  let arguments = (ins Attn_MaskType:$operand);
  let assemblyFormat = "$operand attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Attn_MaskGenerateOp
    : Attn_MaskOp<"generate", ["getConstantKeep"], [
        NoMemoryEffect, RecursivelySpeculatable,
        SingleBlock]> {
  let summary = "a mask given as a region";
  let description = [{
    Keeps where the region, given batch, head, query and key, yields true. The
    region may read, within bounds for every pair, but has no other side
    effects.

    [The specification](../spec.md#attnmaskgenerate) says exactly what it means.

    ```mlir
    func.func @even_keys() -> !attn.mask {
      %generate = attn.mask.generate {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %c1 = arith.constant 1 : index
        %c0 = arith.constant 0 : index
        %bit = arith.andi %j, %c1 : index
        %even = arith.cmpi eq, %bit, %c0 : index
        attn.yield %even : i1
      }
      return %generate : !attn.mask
    }
    ```
  }];
  // mask_generate_c1: one block.
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasRegionVerifier = 1;
}

def Attn_MaskSliceOp
    : Attn_MaskOp<"slice", ["emitKeyIntervals", "getConstantKeep"], [Pure]> {
  let summary = "a mask seen from a tile";
  let description = [{
    The mask of a tile that starts at the given batch, head, query and key;
    tiling makes it.

    [The specification](../spec.md#attnmaskslice) says exactly what it means.

    ```mlir
    func.func @slice(%m: !attn.mask, %b: index, %h: index, %i: index, %j: index) -> !attn.mask {
      %slice = attn.mask.slice %m[%b, %h, %i, %j]
      return %slice : !attn.mask
    }
    ```
  }];
  let arguments = (ins
    // mask_slice_c1: a mask.
    Attn_MaskType:$source,
    // mask_slice_c2: indices.
    Index:$batch, Index:$head, Index:$query, Index:$key);
  let assemblyFormat = "$source `[` $batch `,` $head `,` $query `,` $key `]` attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Attn_YieldOp
    : Attn_Op<"yield", [Pure, Terminator,
                        // yield_c2
                        ParentOneOf<["MaskGenerateOp", "BiasGenerateOp", "AttentionOp"]>]> {
  let summary = "the value of a region for one pair";
  // yield_c1
  let arguments = (ins AnyTypeOf<[I1, AnyFloat]>:$value);
  let assemblyFormat = "$value `:` type($value) attr-dict";
  let description = [{
    Ends the region of `attn.mask.generate`, `attn.bias.generate` and the score
    region of `attn.attention`.

    [The specification](../spec.md#attnyield) says exactly what it means.

    ```mlir
    func.func @none() -> !attn.mask {
      %generate = attn.mask.generate {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %false = arith.constant false
        attn.yield %false : i1
      }
      return %generate : !attn.mask
    }
    ```
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNMASKOPS_TD
