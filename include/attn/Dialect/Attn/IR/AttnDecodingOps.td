//===- AttnDecodingOps.td - Caches and partial attention ---*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNDECODINGOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNDECODINGOPS_TD

include "attn/Dialect/Attn/IR/AttnDestinationOps.td"

def Attn_CacheAppendOp
    : Attn_DestinationOp<"cache_append", [Attn_ReadsDestinations]> {
  let summary = "new rows of a key or value cache";
  let description = [{
    The result is the destination, a cache `[B, Hk, Cap, D]`, of which the rows
    `start[b] .. start[b] + S` are those of `new`, `[B, Hk, S, D]`:
    `result[b, h, start[b] + t, :] = new[b, h, t, :]`. All other rows stay as they
    are. With `ring`, row `t` goes to `(start[b] + t) mod Cap`. The bits of the
    elements do not change.

    `start` is an index, or a vector of one integer for each batch. It is not
    negative, `S` is at most `Cap`, and without `ring` `start[b] + S` is too.
    What is not known before is checked at run time, for all batches before
    anything is written: a message names the values, and nothing is written out
    of bounds. So the op is not executed speculatively, unless its `start` is
    known to be in range.

    The destination is read as well as written. Bufferization writes in place
    where nothing reads the old cache afterwards, and moves `S` rows only.

    ```mlir
    func.func @step(%cache: tensor<1x2x128x64xf16>, %key: tensor<1x2x1x64xf16>,
                    %length: index) -> tensor<1x2x128x64xf16> {
      %cache_1 = attn.cache_append new(%key : tensor<1x2x1x64xf16>) start(%length : index)
        outs(%cache : tensor<1x2x128x64xf16>)
      return %cache_1 : tensor<1x2x128x64xf16>
    }
    ```
  }];
  let arguments = (ins
    // cache_append_c1
    Attn_Shaped<Attn_Float, [4]>:$new_rows,
    // cache_append_c2
    Attn_Offset:$start,
    UnitAttr:$ring,
    Variadic<Attn_Shaped<Attn_Float, [4]>>:$inits);
  let assemblyFormat = [{
    `new` `(` $new_rows `:` type($new_rows) `)` `start` `(` $start `:` type($start) `)`
    (`ring` $ring^)? `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
}

def Attn_MergeOp : Attn_DestinationOp<"merge", [AttrSizedOperandSegments]> {
  let summary = "attention over all keys from attention over parts of them";
  let description = [{
    Each pair of a partial output `o_k`, `[B, H, S, D]`, and its log-sum-exp
    `lse_k`, `[B, H, S]`, is an attention of the same queries over some of the
    keys, no key being in two of them. The results are those of the attention over
    all:

        L = ln sum_k e^lse_k,    out = sum_k e^(lse_k - L) * o_k,    lse = L

    and with `lse_base = two` the same with powers of and logarithms to the base
    two. A part whose `lse_k` is -inf contributes nothing, NaN in its output
    included. If all are -inf, the row is empty: `out` is 0 (`empty_row = zero`,
    the default) or NaN (`nan`), and `lse` -inf. If there is a sink, exactly one
    part carries it.

    The partial outputs have one element type, and `out` may have another. All
    `lse_k` and `lse` have the type of the accumulators: f64 if the partial outputs
    are f64, f32 otherwise. `lse` is optional.

    This is the merge of Milakov and Gimelshein (2018), Online normalizer
    calculation for softmax, as FlashDecoding (Dao et al., 2023) uses it.

    ```mlir
    func.func @merge(%a: tensor<1x8x1x64xf32>, %b: tensor<1x8x1x64xf32>, %la: tensor<1x8x1xf32>,
                     %lb: tensor<1x8x1xf32>, %out: tensor<1x8x1x64xf32>, %lse: tensor<1x8x1xf32>)
        -> (tensor<1x8x1x64xf32>, tensor<1x8x1xf32>) {
      %merged, %merged_lse = attn.merge partials(%a, %b : tensor<1x8x1x64xf32>, tensor<1x8x1x64xf32>)
        lses(%la, %lb : tensor<1x8x1xf32>, tensor<1x8x1xf32>)
        outs(%out, %lse : tensor<1x8x1x64xf32>, tensor<1x8x1xf32>)
      return %merged, %merged_lse : tensor<1x8x1x64xf32>, tensor<1x8x1xf32>
    }
    ```
  }];
  let arguments = (ins
    // merge_c1
    Variadic<Attn_Shaped<Attn_Float, [4]>>:$partials,
    Variadic<Attn_Shaped<AnyTypeOf<[F64, F32]>, [3]>>:$lses,
    Variadic<Attn_Shaped<Attn_Float, [3, 4]>>:$inits,
    DefaultValuedAttr<Attn_EmptyRowAttr, "::mlir::attn::EmptyRow::Zero">:$empty_row,
    DefaultValuedAttr<Attn_LseBaseAttr, "::mlir::attn::LseBase::Natural">:$lse_base);
  let assemblyFormat = [{
    `partials` `(` ($partials^ `:` type($partials))? `)`
    `lses` `(` ($lses^ `:` type($lses))? `)`
    (`empty_row` `=` `` $empty_row^)? (`lse_base` `=` `` $lse_base^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
  let extraClassDeclaration = destinationDeclaration # lseDeclaration # [{
    /// The type of sums and of every log-sum-exp: f32, or f64 for f64.
    ::mlir::FloatType getAccumulatorType() {
      return ::mlir::attn::getAccumulatorType(getPartials().front());
    }
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNDECODINGOPS_TD
