// RUN: attn-reference-test %s | FileCheck %s

// Rows of a cache are replaced from a start of each batch on; around the end with
// a ring, whose starts count on.

// CHECK-LABEL: append#0 [2, 1, 4, 1] = 0 9 8 0 9 8 0 0
// CHECK-NEXT:  append#1 [2, 1, 4, 1] = 8 0 0 9 0 9 8 0
// CHECK-NEXT:  append#2 [2, 1, 4, 1] = 0 0 9 8 0 0 9 8
func.func @append() -> (tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>) {
  %cache = arith.constant dense<0.0> : tensor<2x1x4x1xf32>
  %new = arith.constant dense<[[[[9.0], [8.0]]], [[[9.0], [8.0]]]]> : tensor<2x1x2x1xf32>
  %starts = arith.constant dense<[1, 0]> : tensor<2xi64>
  %counts = arith.constant dense<[7, 9]> : tensor<2xi32>
  %c2 = arith.constant 2 : index
  %0 = attn.cache_append new(%new : tensor<2x1x2x1xf32>) start(%starts : tensor<2xi64>) outs(%cache : tensor<2x1x4x1xf32>)
  %1 = attn.cache_append new(%new : tensor<2x1x2x1xf32>) start(%counts : tensor<2xi32>) ring outs(%cache : tensor<2x1x4x1xf32>)
  %2 = attn.cache_append new(%new : tensor<2x1x2x1xf32>) start(%c2 : index) outs(%cache : tensor<2x1x4x1xf32>)
  return %0, %1, %2 : tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>
}

// Weights of 3 to 1; a part without keys counts for nothing, NaN as it is; rows
// without any key.

// CHECK-LABEL: merge#0 [1, 1, 3, 1] = 3 7 0
// CHECK-NEXT:  merge#1 [1, 1, 3] = 1.38629 0 -inf
// CHECK-NEXT:  merge#2 [1, 1, 3, 1] = 3 7 nan
// CHECK-NEXT:  merge#3 [1, 1, 1, 1] = 5
// CHECK-NEXT:  merge#4 [1, 1, 1] = 4
func.func @merge() -> (tensor<1x1x3x1xf32>, tensor<1x1x3xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {
  %a = arith.constant dense<[[[[2.0], [7.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %b = arith.constant dense<[[[[6.0], [0x7FC00000], [1.0]]]]> : tensor<1x1x3x1xf32>
  // ln 3, 0, -inf; 0, -inf, -inf.
  %la = arith.constant dense<[[[1.0986122886681098, 0.0, 0xFF800000]]]> : tensor<1x1x3xf32>
  %lb = arith.constant dense<[[[0.0, 0xFF800000, 0xFF800000]]]> : tensor<1x1x3xf32>
  %out = tensor.empty() : tensor<1x1x3x1xf32>
  %lse = tensor.empty() : tensor<1x1x3xf32>
  %0:2 = attn.merge partials(%a, %b : tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) lses(%la, %lb : tensor<1x1x3xf32>, tensor<1x1x3xf32>)
    outs(%out, %lse : tensor<1x1x3x1xf32>, tensor<1x1x3xf32>)
  %1 = attn.merge partials(%a, %b : tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) lses(%la, %lb : tensor<1x1x3xf32>, tensor<1x1x3xf32>)
    empty_row=nan outs(%out : tensor<1x1x3x1xf32>)
  // 2^3 + 2^3 = 2^4.
  %c = arith.constant dense<4.0> : tensor<1x1x1x1xf32>
  %d = arith.constant dense<6.0> : tensor<1x1x1x1xf32>
  %three = arith.constant dense<3.0> : tensor<1x1x1xf32>
  %2:2 = attn.merge partials(%c, %d : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) lses(%three, %three : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
    lse_base=two outs(%c, %three : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %0#0, %0#1, %1, %2#0, %2#1 : tensor<1x1x3x1xf32>, tensor<1x1x3xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1xf32>
}

// Parts whose sums are far from 1 weigh alike: ln 2 is lost beside 1e30.

// CHECK-LABEL: merge_far#0 [1, 1, 2, 1] = 4 4
// CHECK-NEXT:  merge_far#1 [1, 1, 2] = -1e+30 1e+30
func.func @merge_far() -> (tensor<1x1x2x1xf32>, tensor<1x1x2xf32>) {
  %a = arith.constant dense<2.0> : tensor<1x1x2x1xf32>
  %b = arith.constant dense<6.0> : tensor<1x1x2x1xf32>
  %l = arith.constant dense<[[[-1.0e30, 1.0e30]]]> : tensor<1x1x2xf32>
  %out = tensor.empty() : tensor<1x1x2x1xf32>
  %lse = tensor.empty() : tensor<1x1x2xf32>
  %0:2 = attn.merge partials(%a, %b : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) lses(%l, %l : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
    outs(%out, %lse : tensor<1x1x2x1xf32>, tensor<1x1x2xf32>)
  return %0#0, %0#1 : tensor<1x1x2x1xf32>, tensor<1x1x2xf32>
}

// The mean of ln 4 and ln 4 - ln 3; an ignored row with NaN; targets that are all
// ignored; logits that overflow without the shift.

// CHECK-LABEL: loss#0 [] = 0.836988
// CHECK-NEXT:  loss#1 [] = nan
// CHECK-NEXT:  loss#2 [] = 0
// CHECK-NEXT:  loss#3 [] = 0
func.func @loss() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %logits = arith.constant dense<[[0.0, 1.0986122886681098], [0x7FC00000, 0.0], [0.0, 1.0986122886681098]]> : tensor<3x2xf32>
  %targets = arith.constant dense<[0, -100, 1]> : tensor<3xi64>
  %none = arith.constant dense<1> : tensor<3xi32>
  %out = tensor.empty() : tensor<f32>
  %0 = attn.cross_entropy logits(%logits : tensor<3x2xf32>) targets(%targets : tensor<3xi64>) outs(%out : tensor<f32>)
  %1 = attn.cross_entropy logits(%logits : tensor<3x2xf32>) targets(%none : tensor<3xi32>) ignore_index 1 outs(%out : tensor<f32>)
  %2 = attn.cross_entropy logits(%logits : tensor<3x2xf32>) targets(%none : tensor<3xi32>) ignore_index 1 all_ignored=zero outs(%out : tensor<f32>)
  %large = arith.constant dense<[[1.0e30, -1.0e30]]> : tensor<1x2xf32>
  %zero = arith.constant dense<0> : tensor<1xi64>
  %3 = attn.cross_entropy logits(%large : tensor<1x2xf32>) targets(%zero : tensor<1xi64>) outs(%out : tensor<f32>)
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
