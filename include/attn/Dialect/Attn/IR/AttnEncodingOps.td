//===- AttnEncodingOps.td - Encodings of positions ---------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNENCODINGOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNENCODINGOPS_TD

include "attn/Dialect/Attn/IR/AttnDestinationOps.td"

def Attn_PositionsOp : Attn_DestinationOp<"positions", [AttrSizedOperandSegments]> {
  let summary = "the position of every token";
  let description = [{
    The position of each token, `[B, T]`: a count from `offset` (the length of a
    cache), behind `left_padding` tokens, or anew for each run of equal ids in
    `segments`, `[B|1, T]`. `first` is the index of the first token where the op
    is a tile; `segments` are those of the whole row even then.

    [The specification](../spec.md#attnpositions) says exactly what it means.

    ```mlir
    func.func @positions(%cached: index, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
      %positions = attn.positions offset(%cached : index) outs(%out : tensor<2x8xi64>)
      return %positions : tensor<2x8xi64>
    }
    func.func @packed(%ids: tensor<1x8xi32>, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
      %positions = attn.positions segments(%ids : tensor<1x8xi32>) outs(%out : tensor<2x8xi64>)
      return %positions : tensor<2x8xi64>
    }
    ```
  }];
  let arguments = (ins
    // positions_c1
    Optional<Attn_Offset>:$offset,
    // positions_c2
    Optional<Attn_Shaped<Attn_Integer, [1]>>:$left_padding,
    // positions_c3
    Optional<Attn_Shaped<Attn_Integer, [2]>>:$segments,
    Optional<Index>:$first,
    // positions_c4
    Variadic<Attn_Shaped<Attn_Integer, [2]>>:$inits);
  let builders = [
    /// No segments.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$offset,
      "::mlir::Value":$left_padding, "::mlir::Value":$first,
      "::mlir::ValueRange":$inits), [{
      build($_builder, $_state, results, offset, left_padding,
            /*segments=*/::mlir::Value(), first, inits);
    }]>
  ];
  let assemblyFormat = [{
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`left_padding` `(` $left_padding^ `:` type($left_padding) `)`)?
    (`segments` `(` $segments^ `:` type($segments) `)`)?
    (`first` `(` $first^ `)`)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
}

def Attn_LearnedPositionOp : Attn_DestinationOp<"learned_position"> {
  let summary = "rows of a learned position table";
  let description = [{
    Rows of `table`, `[rows, D]`, at `positions`, `[B, T]`. A position outside
    of the table is an error (`out_of_range = trap`, the default) or stands for
    the nearest row (`clamp`).

    [The specification](../spec.md#attnlearned_position) says exactly what it means.

    ```mlir
    func.func @learned(%table: tensor<32x64xf32>, %positions: tensor<1x8xi64>,
                       %out: tensor<1x8x64xf32>) -> tensor<1x8x64xf32> {
      %embedding = attn.learned_position table(%table : tensor<32x64xf32>)
        positions(%positions : tensor<1x8xi64>) out_of_range = clamp outs(%out : tensor<1x8x64xf32>)
      return %embedding : tensor<1x8x64xf32>
    }
    ```
  }];
  let arguments = (ins
    // learned_position_c1
    Attn_Shaped<Attn_Float, [2]>:$table,
    // learned_position_c2
    Attn_Shaped<Attn_Integer, [2]>:$positions,
    // learned_position_c3
    Variadic<Attn_Shaped<Attn_Float, [3]>>:$inits,
    DefaultValuedAttr<Attn_OutOfRangeAttr, "::mlir::attn::OutOfRange::Trap">:$out_of_range);
  let assemblyFormat = [{
    `table` `(` $table `:` type($table) `)`
    `positions` `(` $positions `:` type($positions) `)`
    (`out_of_range` `=` `` $out_of_range^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
  let extraClassDeclaration = destinationDeclaration # [{
    /// The lowest and the highest of the positions, if they are known: of a
    /// constant, or of `attn.positions` without padding and segments whose
    /// length, offset and first token are.
    std::optional<std::pair<int64_t, int64_t>> getPositionRange();
  }];
}

def Attn_SinusoidalOp : Attn_DestinationOp<"sinusoidal"> {
  let summary = "sines and cosines of positions";
  let description = [{
    Sines and cosines of `positions`, `[B, T]`, which may be floats, at
    geometric frequencies, as `[B, T, D]`: in turns (`interleaved`) or one after
    the other (`concatenated`), cosines first with `cosine_first`. `base`,
    `denominator` and `position_scale` are parameters of the frequencies;
    `angles = f32` rounds angles as frameworks do.

    [The specification](../spec.md#attnsinusoidal) says exactly what it means.

    ```mlir
    func.func @sinusoidal(%timesteps: tensor<1x8xf32>, %out: tensor<1x8x64xf32>) -> tensor<1x8x64xf32> {
      %encoding = attn.sinusoidal concatenated positions(%timesteps : tensor<1x8xf32>)
        denominator = minus_two cosine_first outs(%out : tensor<1x8x64xf32>) {position_scale = 1000.0 : f64}
      return %encoding : tensor<1x8x64xf32>
    }
    ```
  }];
  let arguments = (ins
    // sinusoidal_c1
    Attn_Shaped<AnyTypeOf<[I64, I32, Index, F64, F32], "i64, i32, index, f64 or f32">, [2]>:$positions,
    // sinusoidal_c2
    Variadic<Attn_Shaped<Attn_Float, [3]>>:$inits,
    Attn_SinusoidLayoutAttr:$layout,
    DefaultValuedAttr<Attn_SinusoidDenominatorAttr, "::mlir::attn::SinusoidDenominator::Full">:$denominator,
    UnitAttr:$cosine_first,
    DefaultValuedAttr<Attn_AngleTypeAttr, "::mlir::attn::AngleType::Exact">:$angles,
    DefaultValuedAttr<F64Attr, "10000.0">:$base,
    DefaultValuedAttr<F64Attr, "1.0">:$position_scale);
  let assemblyFormat = [{
    `` $layout `positions` `(` $positions `:` type($positions) `)`
    (`denominator` `=` `` $denominator^)?
    (`cosine_first` $cosine_first^)?
    (`angles` `=` `` $angles^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
  let extraClassDeclaration = destinationDeclaration # [{
    /// The frequencies `w` of a result of width `width`: half as many, rounded
    /// up, in radians a position.
    ::llvm::SmallVector<double> evaluateFrequencies(int64_t width);
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNENCODINGOPS_TD
