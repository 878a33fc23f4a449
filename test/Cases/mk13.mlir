// Three documents of 4, 4 and 8 tokens, causal: whole blocks of keys are removed,
// kept, or both in part, and a block of the last kind must not be taken for a kept
// one. One mask serves all batches and heads. In the second function the first two
// documents hold NaN, and only the last asks. Of 16 tiles of 4 x 4, one is full.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

// Tiles that are empty (E), full (F) or partial (P), from the key intervals. Queries
// go down.
// RUN: %python %S/Inputs/tile-classes.py %s attn-test-opt 4 4 | FileCheck %s --check-prefix=FOUR --match-full-lines
//      FOUR:PEEE
// FOUR-NEXT:EPEE
// FOUR-NEXT:EEPE
// FOUR-NEXT:EEFP
// FOUR-NEXT:11 E, 1 F, 4 P
// RUN: %python %S/Inputs/tile-classes.py %s attn-test-opt 2 8 | FileCheck %s --check-prefix=TWO --match-full-lines
//      TWO:PEEEEEEE
// TWO-NEXT:FPEEEEEE
// TWO-NEXT:EEPEEEEE
// TWO-NEXT:EEFPEEEE
// TWO-NEXT:EEEEPEEE
// TWO-NEXT:EEEEFPEE
// TWO-NEXT:EEEEFFPE
// TWO-NEXT:EEEEFFFP
// TWO-NEXT:48 E, 8 F, 8 P

!t = f32

// %q = 0
// %k = 0
// %v = [j + 1 for b in range(2) for h in range(2) for j in range(16)]
// %ids = [0] * 4 + [1] * 4 + [2] * 8
// -> [1, 1.5, 2, 2.5, 5, 5.5, 6, 6.5, 9, 9.5, 10, 10.5, 11, 11.5, 12, 12.5] * 4
func.func @documents(%q: tensor<2x2x16x1x!t>, %k: tensor<2x2x16x1x!t>, %v: tensor<2x2x16x1x!t>,
    %ids: tensor<1x16xi32>) -> tensor<2x2x16x1x!t> {
  %documents = attn.mask.document query(%ids : tensor<1x16xi32>) key(%ids : tensor<1x16xi32>)
  %causal = attn.mask.causal
  %mask = attn.mask.and %documents, %causal
  %out = tensor.empty() : tensor<2x2x16x1x!t>
  %rows = attn.attention query(%q : tensor<2x2x16x1x!t>) key(%k : tensor<2x2x16x1x!t>) value(%v : tensor<2x2x16x1x!t>)
    mask(%mask) outs(%out : tensor<2x2x16x1x!t>)
  return %rows : tensor<2x2x16x1x!t>
}

// %q = 0
// %k = 0
// %v = range(1, 17)
// %ids = [0] * 4 + [1] * 4 + [2] * 8
// -> [1, 1.5, 2, 2.5, 5, 5.5, 6, 6.5, 9, 9.5, 10, 10.5, 11, 11.5, 12, 12.5]
func.func @blocks_of_four(%q: tensor<1x1x16x1x!t>, %k: tensor<1x1x16x1x!t>, %v: tensor<1x1x16x1x!t>,
    %ids: tensor<1x16xi32>) -> tensor<1x1x16x1x!t> {
  %documents = attn.mask.document query(%ids : tensor<1x16xi32>) key(%ids : tensor<1x16xi32>)
  %causal = attn.mask.causal
  %mask = attn.mask.and %documents, %causal
  %out = tensor.empty() : tensor<1x1x16x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x16x1x!t>) key(%k : tensor<1x1x16x1x!t>) value(%v : tensor<1x1x16x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x16x1x!t>) {plan = #attn.plan<query_block = 16, key_block = 4, rows = 1>}
  return %rows : tensor<1x1x16x1x!t>
}

// %q = 0
// %k = [nan] * 8 + [0] * 8
// %v = [nan, inf] * 4 + list(range(9, 17))
// %asking = [2] * 8
// %ids = [0] * 4 + [1] * 4 + [2] * 8
// -> [9, 9.5, 10, 10.5, 11, 11.5, 12, 12.5]
func.func @poisoned(%q: tensor<1x1x8x1x!t>, %k: tensor<1x1x16x1x!t>, %v: tensor<1x1x16x1x!t>,
    %asking: tensor<1x8xi32>, %ids: tensor<1x16xi32>) -> tensor<1x1x8x1x!t> {
  %c8 = arith.constant 8 : index
  %documents = attn.mask.document query(%asking : tensor<1x8xi32>) key(%ids : tensor<1x16xi32>)
  %causal = attn.mask.causal offset(%c8 : index)
  %mask = attn.mask.and %documents, %causal
  %out = tensor.empty() : tensor<1x1x8x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x8x1x!t>) key(%k : tensor<1x1x16x1x!t>) value(%v : tensor<1x1x16x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x8x1x!t>) {plan = #attn.plan<query_block = 16, key_block = 4, rows = 1>}
  return %rows : tensor<1x1x8x1x!t>
}

func.func @tiles() {
  %ids = arith.constant dense<[[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]]> : tensor<1x16xi32>
  %documents = attn.mask.document query(%ids : tensor<1x16xi32>) key(%ids : tensor<1x16xi32>)
  %causal = attn.mask.causal
  %mask = attn.mask.and %documents, %causal
  return
}
