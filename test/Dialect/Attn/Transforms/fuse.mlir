// RUN: attn-opt %s --attn-fuse --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-fuse --split-input-file --remarks-filter=attn-fuse --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The rotations of both operands become part of the attention, with the range
// and the direction of each.
// CHECK-LABEL: func @fold(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<1x4x8x64xf32>, %[[K:[a-z0-9]+]]: tensor<1x2x8x64xf32>
// CHECK-SAME: %[[COS:[a-z0-9]+]]: tensor<1x8x16xf32>, %[[SIN:[a-z0-9]+]]: tensor<1x8x16xf32>
// CHECK-NOT: attn.rotary
// CHECK: attn.attention query(%[[Q]] : tensor<1x4x8x64xf32>) key(%[[K]] : tensor<1x2x8x64xf32>)
// CHECK-SAME: rotate_query(%[[COS]], %[[SIN]] : tensor<1x8x16xf32>, tensor<1x8x16xf32>)
// CHECK-SAME: rotate_key(%[[COS]], %[[SIN]] : tensor<1x8x16xf32>, tensor<1x8x16xf32>)
// CHECK-SAME: key_rotation = #attn.rotation<split_half, inverse
// CHECK-SAME: query_rotation = #attn.rotation<interleaved, first = 32
// REMARK-DAG: Remark="folded the rotation of the ", Remark=query
// REMARK-DAG: Remark="folded the rotation of the ", Remark=key
func.func @fold(%q: tensor<1x4x8x64xf32>, %k: tensor<1x2x8x64xf32>, %cos: tensor<1x8x16xf32>, %sin: tensor<1x8x16xf32>)
    -> tensor<1x4x8x64xf32> {
  %rq = attn.rotary interleaved from 32 %q, %cos, %sin
    : tensor<1x4x8x64xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32> outs(%q : tensor<1x4x8x64xf32>)
  %rk = attn.rotary split_half inverse %k, %cos, %sin
    : tensor<1x2x8x64xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32> outs(%k : tensor<1x2x8x64xf32>)
  %a = attn.attention query(%rq : tensor<1x4x8x64xf32>) key(%rk : tensor<1x2x8x64xf32>) value(%k : tensor<1x2x8x64xf32>)
    outs(%q : tensor<1x4x8x64xf32>)
  return %a : tensor<1x4x8x64xf32>
}

// -----

// Folding would compute the rotated keys, a result too, twice.
// CHECK-LABEL: func @other_user(
// CHECK: %[[R:.*]] = attn.rotary split_half
// CHECK: attn.attention {{.*}} key(%[[R]] :
// CHECK-NOT: rotate_key
// REMARK: the rotated tensor has other users
func.func @other_user(%q: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>)
    -> (tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>) {
  %k = attn.rotary split_half %q, %cos, %cos
    : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%q : tensor<1x1x8x64xf32>)
  %a = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%k : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    outs(%q : tensor<1x1x8x64xf32>)
  return %a, %k : tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>
}

// -----

// Query and key must stay in one layout.
// CHECK-LABEL: func @other_layout(
// CHECK: attn.rotary split_half to interleaved
// REMARK: the rotation changes the layout of pairs
func.func @other_layout(%q: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>) -> tensor<1x1x8x64xf32> {
  %r = attn.rotary split_half to interleaved %q, %cos, %cos
    : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%q : tensor<1x1x8x64xf32>)
  %a = attn.attention query(%r : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    outs(%q : tensor<1x1x8x64xf32>)
  return %a : tensor<1x1x8x64xf32>
}
