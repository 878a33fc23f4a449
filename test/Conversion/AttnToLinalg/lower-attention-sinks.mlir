// RUN: attn-opt %s --attn-lower-attention-to-linalg --split-input-file | FileCheck %s

// The sink starts the maximum and the sum; scores are rounded before the maximum,
// weights before the product, the sum not; log-sum-exps are in powers of two.

// CHECK-LABEL: func @sinks(
// CHECK-SAME: %[[S:[a-z0-9]*]]: tensor<4xf16>
// CHECK: scf.forall (%{{.*}}, %[[H:.*]], %{{.*}}) in
// CHECK: %[[HALF:.*]] = tensor.extract %[[S]][%[[H]]]
// CHECK: %[[SINK:.*]] = arith.extf %[[HALF]] : f16 to f32
// CHECK: %[[ANY:.*]] = arith.cmpf une, %[[SINK]], %{{.*}}
// CHECK: %[[MAX:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[SINK]], %{{.*}} = %[[ANY]])
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.maximumf
// CHECK: scf.if %[[MAX]]#1
// CHECK: %[[SHIFTED:.*]] = arith.subf %[[SINK]], %[[M:.*]] : f32
// CHECK: %[[FIRST:.*]] = math.exp %[[SHIFTED]]
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]], %{{.*}})
// CHECK: %[[P:.*]] = math.exp
// CHECK: %[[PR:.*]] = arith.truncf %[[P]] : f32 to f16
// CHECK: arith.addf %[[SUM]], %[[P]]
// CHECK: math.log
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// A row without a key is zero, whatever the policy.
// CHECK: } else {
// CHECK-NOT: scf.for
// CHECK: linalg.fill
func.func @sinks(%s: tensor<4xf16>, %q: tensor<1x4x8x16xf32>, %lse: tensor<1x4x8xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>) {
  %causal = attn.mask.causal
  %0:2 = attn.attention query(%q : tensor<1x4x8x16xf32>) key(%q : tensor<1x4x8x16xf32>) value(%q : tensor<1x4x8x16xf32>) mask(%causal)
    sinks(%s : tensor<4xf16>) empty_row=mean lse_base=two outs(%q, %lse : tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
    {prob_type = f16, softmax_type = bf16}
  return %0#0, %0#1 : tensor<1x4x8x16xf32>, tensor<1x4x8xf32>
}

// -----

// CHECK-LABEL: func @early(
// CHECK: scf.if
// CHECK: %[[DOT:.*]] = scf.for {{.*}} -> (f32)
// CHECK: %[[SUM:.*]] = arith.addf %[[DOT]], %[[BIAS:.*]] : f32
// CHECK: arith.mulf %[[SUM]], %cst
// CHECK: math.tanh
// CHECK-NOT: arith.addf %{{.*}}, %[[BIAS]]
// CHECK: arith.maximumf
func.func @early(%q: tensor<1x4x8x16xf32>, %b: tensor<1x1x8x8xf32>) -> tensor<1x4x8x16xf32> {
  %bias = attn.bias.tensor %b : tensor<1x1x8x8xf32>
  %0 = attn.attention query(%q : tensor<1x4x8x16xf32>) key(%q : tensor<1x4x8x16xf32>) value(%q : tensor<1x4x8x16xf32>) bias(%bias)
    outs(%q : tensor<1x4x8x16xf32>) {bias_before_scale, softcap = 5.0 : f64}
  return %0 : tensor<1x4x8x16xf32>
}

// -----

// CHECK-LABEL: func @sizes(
// CHECK: cf.assert %{{.*}}, "'attn.attention' op expects number of heads of 'sinks' to equal that of 'query'"
func.func @sizes(%q: tensor<1x?x8x16xf32>, %s: tensor<?xf32>) -> tensor<1x?x8x16xf32> {
  %0 = attn.attention query(%q : tensor<1x?x8x16xf32>) key(%q : tensor<1x?x8x16xf32>) value(%q : tensor<1x?x8x16xf32>) sinks(%s : tensor<?xf32>)
    outs(%q : tensor<1x?x8x16xf32>)
  return %0 : tensor<1x?x8x16xf32>
}
