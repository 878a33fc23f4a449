//===- AttnAttentionOps.td - Attention and materialization -*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD

include "attn/Dialect/Attn/IR/AttnDestinationOps.td"

def Attn_AttentionOp
    : Attn_DestinationOp<"attention", [AttrSizedOperandSegments,
                                       RecursiveMemoryEffects]> {
  let summary = "masked attention";
  let description = [{
    Softmax attention of query heads `[B, Hq, Sq, Dk]` over keys `[B, Hk, Sk,
    Dk]` and values `[B, Hk, Sk, Dv]`, groups of query heads sharing one of
    keys. The first destination is the output `[B, Hq, Sq, Dv]`, the optional
    second one the log-sum-exp `[B, Hq, Sq]`, in f64 for f64 and in f32
    otherwise.

    In this order: query and key are rotated by tables (`rotate_query`,
    `query_rotation`, and those of the key), multiplied, scaled (by `scale`, `1
    / sqrt(Dk)` by default), capped (`softcap`), biased, given to the region
    `score`, and removed where the mask does not keep them or the bias is -inf.
    `sinks`, `[Hq]`, are one more logit of each head. `empty_row` says what a
    row without keys is, `zero`, `nan` or `mean`; `plan` is the blocking on the
    CPU (see `attn-plan`), and changes the order of additions only. The other
    attributes are for models and kernels that round or scale elsewhere.

    [The specification](../spec.md#attnattention) says exactly what it means.

    ```mlir
    func.func @attention(%q: tensor<1x8x128x64xf32>, %k: tensor<1x2x128x64xf32>,
                         %v: tensor<1x2x128x64xf32>, %out: tensor<1x8x128x64xf32>)
        -> tensor<1x8x128x64xf32> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x8x128x64xf32>)
        key(%k : tensor<1x2x128x64xf32>) value(%v : tensor<1x2x128x64xf32>)
        mask(%causal) outs(%out : tensor<1x8x128x64xf32>)
      return %attention : tensor<1x8x128x64xf32>
    }

    // With the log-sum-exp, and scores that double for the key of the query.
    func.func @score(%q: tensor<1x8x128x64xbf16>, %k: tensor<1x2x128x64xbf16>, %v: tensor<1x2x128x64xbf16>,
                     %out: tensor<1x8x128x64xbf16>, %sums: tensor<1x8x128xf32>)
        -> (tensor<1x8x128x64xbf16>, tensor<1x8x128xf32>) {
      %attention, %lse = attn.attention query(%q : tensor<1x8x128x64xbf16>)
        key(%k : tensor<1x2x128x64xbf16>) value(%v : tensor<1x2x128x64xbf16>)
        outs(%out, %sums : tensor<1x8x128x64xbf16>, tensor<1x8x128xf32>)
        {scale = 0.25 : f64, softcap = 50.0 : f64} score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %twice = arith.addf %s, %s : f32
        %same = arith.cmpi eq, %i, %j : index
        %result = arith.select %same, %twice, %s : f32
        attn.yield %result : f32
      }
      return %attention, %lse : tensor<1x8x128x64xbf16>, tensor<1x8x128xf32>
    }

    // With a sink for each head, and weights rounded as frameworks round them.
    func.func @sinks(%q: tensor<1x8x128x64xbf16>, %k: tensor<1x2x128x64xbf16>, %v: tensor<1x2x128x64xbf16>,
                     %sinks: tensor<8xbf16>, %out: tensor<1x8x128x64xbf16>) -> tensor<1x8x128x64xbf16> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x8x128x64xbf16>) key(%k : tensor<1x2x128x64xbf16>)
        value(%v : tensor<1x2x128x64xbf16>) mask(%causal) sinks(%sinks : tensor<8xbf16>)
        outs(%out : tensor<1x8x128x64xbf16>) {prob_type = bf16, softmax_type = bf16}
      return %attention : tensor<1x8x128x64xbf16>
    }
    ```
  }];
  let arguments = (ins
    // attention_c1
    Attn_Shaped<Attn_Float, [4]>:$query,
    Attn_Shaped<Attn_Float, [4]>:$key,
    Attn_Shaped<Attn_Float, [4]>:$value,
    Optional<Attn_BiasType>:$bias,
    Optional<Attn_MaskType>:$mask,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$query_cos,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$query_sin,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$key_cos,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$key_sin,
    // attention_c23
    Optional<Attn_Shaped<Attn_Float, [1]>>:$sinks,
    Variadic<Attn_Shaped<Attn_Float, [3, 4]>>:$inits,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<F64Attr>:$softcap,
    DefaultValuedAttr<Attn_EmptyRowAttr, "::mlir::attn::EmptyRow::Zero">:$empty_row,
    DefaultValuedAttr<Attn_LseBaseAttr, "::mlir::attn::LseBase::Natural">:$lse_base,
    UnitAttr:$bias_before_scale,
    // attention_c25
    OptionalAttr<TypeAttrOf<Attn_Float>>:$prob_type,
    OptionalAttr<TypeAttrOf<Attn_Float>>:$softmax_type,
    OptionalAttr<Attn_RotationAttr>:$query_rotation,
    OptionalAttr<Attn_RotationAttr>:$key_rotation,
    OptionalAttr<Attn_PlanAttr>:$plan);
  let regions = (region MaxSizedRegion<1>:$score);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)` `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `)`)? (`mask` `(` $mask^ `)`)?
    (`rotate_query` `(` $query_cos^ `,` $query_sin `:` type($query_cos) `,` type($query_sin) `)`)?
    (`rotate_key` `(` $key_cos^ `,` $key_sin `:` type($key_cos) `,` type($key_sin) `)`)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)?
    (`empty_row` `=` `` $empty_row^)? (`lse_base` `=` `` $lse_base^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results))
    attr-dict (`score` $score^)?
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = destinationDeclaration # lseDeclaration # [{
    /// The factor of the scores: `scale`, or its default, which needs a static
    /// head dimension; std::nullopt if that is dynamic.
    std::optional<double> getConstantScale();
    /// The type of scores, sums and the log-sum-exp: f32, or f64 for f64.
    ::mlir::FloatType getAccumulatorType() {
      return ::mlir::attn::getAccumulatorType(getQuery());
    }
    /// The query heads per key/value head, if both are static.
    std::optional<int64_t> getStaticGroupSize();
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$query, "::mlir::Value":$key,
      "::mlir::Value":$value, "::mlir::Value":$bias, "::mlir::Value":$mask,
      "::mlir::ValueRange":$inits, "std::optional<double>":$scale,
      "std::optional<double>":$softcap,
      CArg<"::mlir::attn::EmptyRow", "::mlir::attn::EmptyRow::Zero">:$emptyRow)>];
}

def Attn_MaterializeOp : Attn_DestinationOp<"materialize"> {
  let summary = "a mask or bias as a tensor";
  let description = [{
    Writes a mask (as `i1`) or a bias (as a float) to the destination, `[B, H,
    Sq, Sk]`, which gives the sizes.

    [The specification](../spec.md#attnmaterialize) says exactly what it means.

    ```mlir
    func.func @dense(%out: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
      %causal = attn.mask.causal
      %dense = attn.materialize %causal : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
      return %dense : tensor<1x1x8x8xi1>
    }
    ```
  }];
  // materialize_c1: the types of source and destination.
  let arguments = (ins
    AnyTypeOf<[Attn_MaskType, Attn_BiasType]>:$source,
    Variadic<Attn_Shaped<AnyTypeOf<[I1, Attn_Float]>, [4]>>:$inits);
  let assemblyFormat = [{
    $source `:` type($source)
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD
