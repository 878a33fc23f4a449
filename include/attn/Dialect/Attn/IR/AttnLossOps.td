//===- AttnLossOps.td - The loss of a language model -------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNLOSSOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNLOSSOPS_TD

include "attn/Dialect/Attn/IR/AttnDestinationOps.td"

def Attn_CrossEntropyOp : Attn_DestinationOp<"cross_entropy"> {
  let summary = "the mean negative log-likelihood of targets";
  let description = [{
    The mean negative log-likelihood, in nats, of `targets`, `[N]`, under
    `logits`, `[N, C]`, over the targets that are not `ignore_index`. The
    destination has rank 0, of f64 for f64 and of f32 otherwise; `all_ignored`
    says what it is without such a target. Any other target outside of `0 .. C`
    is an error.

    [The specification](../spec.md#attncross_entropy) says exactly what it means.

    ```mlir
    func.func @loss(%logits: tensor<128x32000xbf16>, %targets: tensor<128xi64>,
                    %out: tensor<f32>) -> tensor<f32> {
      %loss = attn.cross_entropy logits(%logits : tensor<128x32000xbf16>)
        targets(%targets : tensor<128xi64>) outs(%out : tensor<f32>)
      return %loss : tensor<f32>
    }
    ```
  }];
  let arguments = (ins
    // cross_entropy_c1
    Attn_Shaped<Attn_Float, [2]>:$logits,
    // cross_entropy_c2
    Attn_Shaped<Attn_Integer, [1]>:$targets,
    Variadic<Attn_Shaped<Attn_Float, [0]>>:$inits,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<Attn_AllIgnoredAttr, "::mlir::attn::AllIgnored::Nan">:$all_ignored);
  let assemblyFormat = [{
    `logits` `(` $logits `:` type($logits) `)` `targets` `(` $targets `:` type($targets) `)`
    (`ignore_index` $ignore_index^)? (`all_ignored` `=` `` $all_ignored^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
  let extraClassDeclaration = destinationDeclaration # [{
    /// The type of sums and of the result: f32, or f64 for f64.
    ::mlir::FloatType getAccumulatorType() {
      return ::mlir::attn::getAccumulatorType(getLogits());
    }
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNLOSSOPS_TD
