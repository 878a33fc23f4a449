// RUN: attn-opt %s -canonicalize -split-input-file | FileCheck %s

// Attributes without effect go: rounding to the type of the accumulators, the
// place of no bias, the base of no log-sum-exp.

// CHECK-LABEL: func @idle(
// CHECK: attn.attention
// CHECK-SAME: outs(%{{[a-z0-9]*}} : tensor<1x2x4x8xf16>)
// CHECK-NOT: bias_before_scale
// CHECK-NOT: type
// CHECK-NEXT: return
func.func @idle(%q: tensor<1x2x4x8xf16>) -> tensor<1x2x4x8xf16> {
  %0 = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%q : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf16>) lse_base=two
    outs(%q : tensor<1x2x4x8xf16>) {bias_before_scale, prob_type = f32, softmax_type = f32}
  return %0 : tensor<1x2x4x8xf16>
}

// -----

// What has an effect stays, beside a log-sum-exp that nobody reads.

// CHECK-LABEL: func @effective(
// CHECK: attn.attention
// CHECK-SAME: bias(%{{.*}}) sinks(%{{.*}} : tensor<2xf32>) outs(%{{[a-z0-9]*}} : tensor<1x2x4x8xf32>) {bias_before_scale, prob_type = f16, softmax_type = bf16}
func.func @effective(%q: tensor<1x2x4x8xf32>, %s: tensor<2xf32>, %b: !attn.bias, %l: tensor<1x2x4xf32>) -> tensor<1x2x4x8xf32> {
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) bias(%b)
    sinks(%s : tensor<2xf32>) lse_base=two outs(%q, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
    {bias_before_scale, prob_type = f16, softmax_type = bf16}
  return %0#0 : tensor<1x2x4x8xf32>
}

// -----

// CHECK-LABEL: func @read_base(
// CHECK: attn.attention {{.*}} lse_base = two
func.func @read_base(%q: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) lse_base=two
    outs(%q, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  return %0#1 : tensor<1x2x4xf32>
}

// -----

// A part that is known to keep no key goes, and so does a log-sum-exp that nobody
// reads.

// CHECK-LABEL: func @parts(
// CHECK-SAME: %[[P:.*]]: tensor<1x2x4x8xf32>, %[[L:.*]]: tensor<1x2x4xf32>
// CHECK-NEXT: %[[M:.*]] = attn.merge partials(%[[P]] : tensor<1x2x4x8xf32>) lses(%[[L]] : tensor<1x2x4xf32>) empty_row = nan lse_base = two outs(%[[P]] : tensor<1x2x4x8xf32>)
// CHECK-NEXT: return %[[M]]
func.func @parts(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) -> tensor<1x2x4x8xf32> {
  %none = arith.constant dense<0xFF800000> : tensor<1x2x4xf32>
  %0:2 = attn.merge partials(%p, %p : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) lses(%none, %l : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
    empty_row=nan lse_base=two outs(%p, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  return %0#0 : tensor<1x2x4x8xf32>
}

// -----

// At least one part stays: rows without a key have a policy.

// CHECK-LABEL: func @no_part(
// CHECK: attn.merge
func.func @no_part(%p: tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %none = arith.constant dense<0xFF800000> : tensor<1x2x4xf32>
  %0 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%none : tensor<1x2x4xf32>) outs(%p : tensor<1x2x4x8xf32>)
  return %0 : tensor<1x2x4x8xf32>
}

// -----

// CHECK-LABEL: func @empty(
// CHECK-SAME: %{{.*}}: tensor<1x0x1x8xf32>, %[[C:.*]]: tensor<1x0x4x8xf32>, %[[P:.*]]: tensor<1x2x0x8xf32>
// CHECK-NEXT: return %[[C]], %[[P]]
func.func @empty(%n: tensor<1x0x1x8xf32>, %c: tensor<1x0x4x8xf32>, %p: tensor<1x2x0x8xf32>, %l: tensor<1x2x0xf32>, %i: index)
    -> (tensor<1x0x4x8xf32>, tensor<1x2x0x8xf32>) {
  %0 = attn.cache_append new(%n : tensor<1x0x1x8xf32>) start(%i : index) outs(%c : tensor<1x0x4x8xf32>)
  %1 = attn.merge partials(%p : tensor<1x2x0x8xf32>) lses(%l : tensor<1x2x0xf32>) outs(%p : tensor<1x2x0x8xf32>)
  return %0, %1 : tensor<1x0x4x8xf32>, tensor<1x2x0x8xf32>
}
