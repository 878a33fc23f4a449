// Rotations that change the layout of pairs, in query and key alike or not.

// RUN: attn-opt %s --attn-fuse --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-fuse --split-input-file --remarks-filter=attn-fuse --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Both permute the head dimension alike: the scores are those of pairs that stay
// where they are. Nothing is reported as missed.
// CHECK-LABEL: func @alike(
// CHECK-NOT: attn.rotary
// CHECK: attn.attention
// CHECK-SAME: key_rotation = #attn.rotation<interleaved, first = 2>
// CHECK-SAME: query_rotation = #attn.rotation<interleaved, first = 2>
// REMARK-NOT: changes the layout
// REMARK: folded
// REMARK: folded
func.func @alike(%q: tensor<1x1x8x8xf32>, %k: tensor<1x1x8x8xf32>, %cos: tensor<1x8x2xf32>, %sin: tensor<1x8x2xf32>)
    -> tensor<1x1x8x8xf32> {
  %rq = attn.rotary interleaved to split_half from 2 %q, %cos, %sin
    : tensor<1x1x8x8xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32> outs(%q : tensor<1x1x8x8xf32>)
  %rk = attn.rotary interleaved to split_half from 2 %k, %cos, %sin
    : tensor<1x1x8x8xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32> outs(%k : tensor<1x1x8x8xf32>)
  %a = attn.attention query(%rq : tensor<1x1x8x8xf32>) key(%rk : tensor<1x1x8x8xf32>) value(%k : tensor<1x1x8x8xf32>)
    outs(%q : tensor<1x1x8x8xf32>)
  return %a : tensor<1x1x8x8xf32>
}

// -----

// The ranges differ, and so do the permutations.
// CHECK-LABEL: func @other_range(
// CHECK: attn.rotary interleaved to split_half from 2
// CHECK: attn.rotary interleaved to split_half from 4
// REMARK: the rotation changes the layout of pairs
func.func @other_range(%q: tensor<1x1x8x8xf32>, %k: tensor<1x1x8x8xf32>, %cos: tensor<1x8x2xf32>) -> tensor<1x1x8x8xf32> {
  %rq = attn.rotary interleaved to split_half from 2 %q, %cos, %cos
    : tensor<1x1x8x8xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32> outs(%q : tensor<1x1x8x8xf32>)
  %rk = attn.rotary interleaved to split_half from 4 %k, %cos, %cos
    : tensor<1x1x8x8xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32> outs(%k : tensor<1x1x8x8xf32>)
  %a = attn.attention query(%rq : tensor<1x1x8x8xf32>) key(%rk : tensor<1x1x8x8xf32>) value(%k : tensor<1x1x8x8xf32>)
    outs(%q : tensor<1x1x8x8xf32>)
  return %a : tensor<1x1x8x8xf32>
}

// -----

// The key keeps its layout, the query does not.
// CHECK-LABEL: func @query_only(
// CHECK: attn.rotary interleaved to split_half
// REMARK: the rotation changes the layout of pairs
func.func @query_only(%q: tensor<1x1x8x8xf32>, %k: tensor<1x1x8x8xf32>, %cos: tensor<1x8x4xf32>) -> tensor<1x1x8x8xf32> {
  %rq = attn.rotary interleaved to split_half %q, %cos, %cos
    : tensor<1x1x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%q : tensor<1x1x8x8xf32>)
  %rk = attn.rotary interleaved %k, %cos, %cos
    : tensor<1x1x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%k : tensor<1x1x8x8xf32>)
  %a = attn.attention query(%rq : tensor<1x1x8x8xf32>) key(%rk : tensor<1x1x8x8xf32>) value(%k : tensor<1x1x8x8xf32>)
    outs(%q : tensor<1x1x8x8xf32>)
  return %a : tensor<1x1x8x8xf32>
}
