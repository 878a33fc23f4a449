// What is left of a program is what the script looks for: an attention with a
// softcap that is masked by data. Masks, rotation, sinks, score, policy, second result
// and second layer go, and what made them.

// RUN: attn-reduce %s \
// RUN:   --reduction-tree='traversal-mode=0 test=%S/Inputs/is-interesting.sh test-arg=%attn_obj/bin/attn-opt' \
// RUN:   | FileCheck %s

// A program that the script does not look for is an error.
// RUN: sed 's/softcap = 50.0 : f64/scale = 0.5 : f64/' %s > %t.mlir
// RUN: not attn-reduce %t.mlir \
// RUN:   --reduction-tree='traversal-mode=0 test=%S/Inputs/is-interesting.sh test-arg=%attn_obj/bin/attn-opt' \
// RUN:   2>&1 | FileCheck %s --check-prefix=BORING

// CHECK-LABEL: func.func @main
// CHECK-NOT:   attn.
// CHECK:       %[[MASK:.*]] = attn.mask.tensor keep
// CHECK-NOT:   attn.
// CHECK:       attn.attention query(%{{.*}}) mask(%[[MASK]]) outs(%{{[^,]*}}) {softcap = 5.000000e+01 : f64}{{$}}
// CHECK-NOT:   attn.

// BORING: attn-reduce: error: --reduction-tree: nothing was reduced; test '{{.*}}is-interesting.sh' exits with 0 for the program that it was to reduce
func.func @main(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %cos: tensor<1x8x8xf32>,
                %sin: tensor<1x8x8xf32>, %valid: tensor<1x1x1x8xi1>, %scores: tensor<1x4x8x8xf32>,
                %o: tensor<1x4x8x16xf32>, %l: tensor<1x4x8xf32>,
                %heads: tensor<4xf32>)
    -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>) {
  %causal = attn.mask.causal
  %padding = attn.mask.tensor keep %valid : tensor<1x1x1x8xi1>
  %mask = attn.mask.and %causal, %padding
  %bias = attn.bias.tensor %scores : tensor<1x4x8x8xf32>
  %rotated = attn.rotary split_half %q, %cos, %sin
    : tensor<1x4x8x16xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32> outs(%o : tensor<1x4x8x16xf32>)
  %first, %lse = attn.attention query(%rotated : tensor<1x4x8x16xf32>)
    key(%k : tensor<1x2x8x16xf32>) value(%k : tensor<1x2x8x16xf32>)
    bias(%bias) mask(%mask) rotate_query(%cos, %sin : tensor<1x8x8xf32>, tensor<1x8x8xf32>)
    sinks(%heads : tensor<4xf32>) empty_row = nan lse_base = two outs(%o, %l : tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
    {softcap = 50.0 : f64, bias_before_scale, prob_type = f16, softmax_type = f16, query_rotation = #attn.rotation<split_half>} score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    %twice = arith.addf %s, %s : f32
    attn.yield %twice : f32
  }
  %second = attn.attention query(%first : tensor<1x4x8x16xf32>)
    key(%k : tensor<1x2x8x16xf32>) value(%k : tensor<1x2x8x16xf32>) outs(%o : tensor<1x4x8x16xf32>)
  return %second, %lse : tensor<1x4x8x16xf32>, tensor<1x4x8xf32>
}
