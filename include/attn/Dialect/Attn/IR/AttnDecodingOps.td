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
    Writes the rows `new`, `[B, Hk, S, D]`, into the destination, a cache `[B,
    Hk, Cap, D]`, from row `start[b]` on; with `ring`, rows go on at the
    beginning behind the last one. `start` is an index, or one integer for each
    batch. Rows that do not fit are an error, before any is written.

    [The specification](../spec.md#attncache_append) says exactly what it means.

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
    Makes the attention over all keys of attentions of the same queries over
    disjoint parts of the keys: of their outputs, `[B, H, S, D]`, and
    log-sum-exps, `[B, H, S]`. The destinations are the output and, optionally,
    the log-sum-exp.

    [The specification](../spec.md#attnmerge) says exactly what it means.

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
