// RUN: attn-reference-test %s | FileCheck %s

// One key of score 0 and a sink of ln 3: the weight of the key is 1/4. Head 1 has
// a sink of -inf, which is none. A row without keys is 0, and its log-sum-exp that
// of the sink, whatever the policy.

// CHECK-LABEL: sinks#0 [1, 2, 2, 1] = 0 2 0 8
// CHECK-NEXT:  sinks#1 [1, 2, 2] = 1.58496 2 -inf 0
func.func @sinks() -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>) {
  %q = arith.constant dense<0.0> : tensor<1x2x2x1xf32>
  %k = arith.constant dense<0.0> : tensor<1x1x1x1xf32>
  %v = arith.constant dense<8.0> : tensor<1x1x1x1xf32>
  %s = arith.constant dense<[1.0986122886681098, 0xFF800000]> : tensor<2xf32>
  %out = tensor.empty() : tensor<1x2x2x1xf32>
  %lse = tensor.empty() : tensor<1x2x2xf32>
  %minus = arith.constant -1 : index
  %causal = attn.mask.causal offset(%minus : index)
  %0:2 = attn.attention query(%q : tensor<1x2x2x1xf32>) key(%k : tensor<1x1x1x1xf32>) value(%v : tensor<1x1x1x1xf32>) mask(%causal)
    sinks(%s : tensor<2xf32>) empty_row=nan lse_base=two outs(%out, %lse : tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  return %0#0, %0#1 : tensor<1x2x2x1xf32>, tensor<1x2x2xf32>
}

// Two keys of product 1 and biases of 2 and -inf: 0.5 * (1 + 2) with the bias
// before the scale, 0.5 * 1 + 2 behind it; a negative scale does not turn -inf
// into a weight.

// CHECK-LABEL: bias#0 [1, 1, 1] = 1.5
// CHECK-NEXT:  bias#1 [1, 1, 1] = 2.5
// CHECK-NEXT:  bias#2 [1, 1, 1] = -1.5
func.func @bias() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %q = arith.constant dense<1.0> : tensor<1x1x1x1xf32>
  %k = arith.constant dense<1.0> : tensor<1x1x2x1xf32>
  %b = arith.constant dense<[[[[2.0, 0xFF800000]]]]> : tensor<1x1x1x2xf32>
  %bias = attn.bias.tensor %b : tensor<1x1x1x2xf32>
  %out = tensor.empty() : tensor<1x1x1x1xf32>
  %lse = tensor.empty() : tensor<1x1x1xf32>
  %0:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>) value(%k : tensor<1x1x2x1xf32>) bias(%bias)
    outs(%out, %lse : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {scale = 0.5 : f64, bias_before_scale}
  %1:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>) value(%k : tensor<1x1x2x1xf32>) bias(%bias)
    outs(%out, %lse : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {scale = 0.5 : f64}
  %2:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>) value(%k : tensor<1x1x2x1xf32>) bias(%bias)
    outs(%out, %lse : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {scale = -0.5 : f64, bias_before_scale}
  return %0#1, %1#1, %2#1 : tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// A score of 1 + 2^-9 is 1 in bf16. The weight e^-0.7 = 0.496585 beside 1 is
// 0.496094 in bf16, in front of the value, not in the sum.

// CHECK-LABEL: rounded#0 [1, 1, 1] = 1
// CHECK-NEXT:  rounded#1 [1, 1, 1] = 1.00195
// CHECK-NEXT:  rounded#2 [1, 1, 1, 1] = 0.331484
// CHECK-NEXT:  rounded#3 [1, 1, 1, 1] = 0.331812
func.func @rounded() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %q = arith.constant dense<1.0> : tensor<1x1x1x1xf32>
  %k = arith.constant dense<1.001953125> : tensor<1x1x1x1xf32>
  %out = tensor.empty() : tensor<1x1x1x1xf32>
  %lse = tensor.empty() : tensor<1x1x1xf32>
  %0:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x1x1xf32>) value(%k : tensor<1x1x1x1xf32>)
    outs(%out, %lse : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {softmax_type = bf16}
  %1:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x1x1xf32>) value(%k : tensor<1x1x1x1xf32>)
    outs(%out, %lse : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  %two = arith.constant dense<[[[[0.0], [-0.7]]]]> : tensor<1x1x2x1xf32>
  %w = arith.constant dense<[[[[0.0], [1.0]]]]> : tensor<1x1x2x1xf32>
  %2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%two : tensor<1x1x2x1xf32>) value(%w : tensor<1x1x2x1xf32>)
    outs(%out : tensor<1x1x1x1xf32>) {prob_type = bf16}
  %3 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%two : tensor<1x1x2x1xf32>) value(%w : tensor<1x1x2x1xf32>)
    outs(%out : tensor<1x1x1x1xf32>)
  return %0#1, %1#1, %2, %3 : tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
