//===- AttnRotaryOps.td - Rotary embedding -----------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNROTARYOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNROTARYOPS_TD

include "attn/Dialect/Attn/IR/AttnDestinationOps.td"

def Attn_RotaryTableOp : Attn_DestinationOp<"rotary_table", [AttrSizedOperandSegments]> {
  let summary = "cosines and sines of rotary angles";
  let description = [{
    Cosines and sines, `[B, T, R/2]` each, of `positions`, `[B, T]`, times
    frequencies, which come from a `rule` or are an operand, `[R/2]`. With
    `sections`, positions are `[A, B, T]` and each pair turns by one of its
    axes. `length`, the current number of tokens, is given exactly for the rules
    `dynamic_ntk` and `longrope`. `magnitude` is a factor on all results;
    `angles = f32` rounds angles as frameworks do.

    [The specification](../spec.md#attnrotary_table) says exactly what it means.

    ```mlir
    func.func @table(%positions: tensor<1x8xi64>, %c: tensor<1x8x32xf32>,
                     %s: tensor<1x8x32xf32>) -> (tensor<1x8x32xf32>, tensor<1x8x32xf32>) {
      %cos, %sin = attn.rotary_table positions(%positions : tensor<1x8xi64>)
        rule(#attn.frequencies<default, dim = 64, base = 10000.0>)
        outs(%c, %s : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
      return %cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>
    }
    func.func @video(%positions: tensor<3x1x8xi64>, %tokens: index, %c: tensor<1x8x4xf32>) {
      %cos, %sin = attn.rotary_table positions(%positions : tensor<3x1x8xi64>)
        rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 4096.0>)
        sections(#attn.sections<chunked, [1, 1, 2]>) length(%tokens)
        outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
      return
    }
    ```
  }];
  let arguments = (ins
    // rotary_table_c1
    Attn_Shaped<Attn_Integer, [2, 3]>:$positions,
    // rotary_table_c2
    Optional<Attn_Shaped<AnyTypeOf<[F64, F32]>, [1]>>:$frequencies,
    Optional<Index>:$length,
    // rotary_table_c3
    Variadic<Attn_Shaped<Attn_Float, [3]>>:$inits,
    OptionalAttr<Attn_FrequenciesAttr>:$rule,
    OptionalAttr<Attn_SectionsAttr>:$sections,
    DefaultValuedAttr<Attn_AngleTypeAttr, "::mlir::attn::AngleType::Exact">:$angles,
    DefaultValuedAttr<F64Attr, "1.0">:$magnitude);
  let assemblyFormat = [{
    `positions` `(` $positions `:` type($positions) `)`
    (`frequencies` `(` $frequencies^ `:` type($frequencies) `)`)?
    (`rule` `(` $rule^ `)`)?
    (`sections` `(` $sections^ `)`)?
    (`length` `(` $length^ `)`)?
    (`angles` `=` `` $angles^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
  let builders = [
    /// Neither sections nor a length.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$positions,
      "::mlir::Value":$frequencies, "::mlir::ValueRange":$inits,
      "::mlir::attn::FrequenciesAttr":$rule, "::mlir::attn::AngleType":$angles,
      "::llvm::APFloat":$magnitude), [{
      build($_builder, $_state, results, positions, frequencies,
            /*length=*/::mlir::Value(), inits, rule, SectionsAttr(), angles,
            magnitude);
    }]>
  ];
  let extraClassDeclaration = destinationDeclaration # [{
    /// The batches and the tokens of `positions` are the dimensions from here on.
    int64_t getBatchDim() { return getSections() ? 1 : 0; }
  }];
}

def Attn_RotaryOp : Attn_DestinationOp<"rotary"> {
  let summary = "rotary position embedding";
  let description = [{
    Rotates pairs of the elements `[first, first + R)` of the last dimension of
    `input`, `[B, H, S, D]`, by tables `[B|1, S, R/2]`: neighbours
    (`interleaved`), or an element and the one `R/2` behind it (`split_half`).
    `inverse` turns back, and `layout_out` writes pairs in another layout than
    they are read in.

    [The specification](../spec.md#attnrotary) says exactly what it means.

    ```mlir
    func.func @rotate(%x: tensor<1x4x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>,
                      %out: tensor<1x4x8x64xf32>) -> tensor<1x4x8x64xf32> {
      %rotated = attn.rotary split_half %x, %cos, %sin
        : tensor<1x4x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%out : tensor<1x4x8x64xf32>)
      return %rotated : tensor<1x4x8x64xf32>
    }
    ```
  }];
  let arguments = (ins
    // rotary_c1
    Attn_Shaped<Attn_Float, [4]>:$input,
    // rotary_c2
    Attn_Shaped<Attn_Float, [3]>:$cos,
    // rotary_c2
    Attn_Shaped<Attn_Float, [3]>:$sin,
    // rotary_c3
    Variadic<Attn_Shaped<Attn_Float, [4]>>:$inits,
    Attn_RotaryLayoutAttr:$layout,
    OptionalAttr<Attn_RotaryLayoutAttr>:$layout_out,
    DefaultValuedAttr<I64Attr, "0">:$first,
    UnitAttr:$inverse);
  let assemblyFormat = [{
    `` $layout (`to` `` $layout_out^)? (`inverse` $inverse^)? (`from` $first^)?
    $input `,` $cos `,` $sin `:` type($input) `,` type($cos) `,` type($sin)
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
  let extraClassDeclaration = destinationDeclaration # [{
    /// The layout that is written: `layout_out`, or `layout` if not given.
    ::mlir::attn::RotaryLayout getOutputLayout() {
      return getLayoutOut().value_or(getLayout());
    }
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNROTARYOPS_TD
