// RUN: attn-reference-test %s | FileCheck %s

// Four heads have the slopes 2^-2, 2^-4, 2^-6, 2^-8; the distance is i - j.
// CHECK-LABEL: linear#0 [1, 2, 2, 2] = -0 0.25 -0.25 -0 -0 0.0625 -0.0625 -0
// CHECK-NEXT:  linear#1 [1, 2, 2, 2] = -0 -0.015625 -0.015625 -0 -0 -0.00390625 -0.00390625 -0
func.func @linear() -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %out = tensor.empty() : tensor<1x2x2x2xf32>
  %a = attn.bias.alibi linear heads 4
  %b = attn.bias.alibi absolute heads 4 first_head 2
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<1x2x2x2xf32>)
  %1 = attn.materialize %b : !attn.bias outs(%out : tensor<1x2x2x2xf32>)
  return %0, %1 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// Six heads: the four slopes of 4, then 2^-1 and 2^-3 of 8. One head: 2^-8.
// CHECK-LABEL: slopes#0 [1, 6, 1, 1] = 0.25 0.0625 0.015625 0.00390625 0.5 0.125
// CHECK-NEXT:  slopes#1 [1, 1, 1, 1] = 0.00390625
func.func @slopes() -> (tensor<1x6x1x1xf32>, tensor<1x1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x6x1x1xf32>
  %out1 = tensor.empty() : tensor<1x1x1x1xf32>
  %cm1 = arith.constant -1 : index
  %a = attn.bias.alibi linear heads 6 offset(%cm1 : index)
  %b = attn.bias.alibi linear heads 1 offset(%cm1 : index)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<1x6x1x1xf32>)
  %1 = attn.materialize %b : !attn.bias outs(%out1 : tensor<1x1x1x1xf32>)
  return %0, %1 : tensor<1x6x1x1xf32>, tensor<1x1x1x1xf32>
}

// Given slopes, for heads or for batches and heads.
// CHECK-LABEL: given#0 [2, 1, 1, 2] = -6 -3 -6 -3
// CHECK-NEXT:  given#1 [2, 1, 1, 2] = -6 -3 -10 -5
func.func @given() -> (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) {
  %out = tensor.empty() : tensor<2x1x1x2xf32>
  %c2 = arith.constant 2 : index
  %s = arith.constant dense<3.0> : tensor<1xf32>
  %bs = arith.constant dense<[[3.0], [5.0]]> : tensor<2x1xf32>
  %a = attn.bias.alibi linear slopes(%s : tensor<1xf32>) offset(%c2 : index)
  %b = attn.bias.alibi linear slopes(%bs : tensor<2x1xf32>) offset(%c2 : index)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<2x1x1x2xf32>)
  %1 = attn.materialize %b : !attn.bias outs(%out : tensor<2x1x1x2xf32>)
  return %0, %1 : tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>
}

// Dimensions of static size 1 are broadcast, of slopes too.
// CHECK-LABEL: broadcast#0 [2, 2, 1, 1] = -2 -2 -6 -6
func.func @broadcast() -> tensor<2x2x1x1xf32> {
  %out = tensor.empty() : tensor<2x2x1x1xf32>
  %c2 = arith.constant 2 : index
  %s = arith.constant dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  %a = attn.bias.alibi linear slopes(%s : tensor<2x1xf32>) offset(%c2 : index)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<2x2x1x1xf32>)
  return %0 : tensor<2x2x1x1xf32>
}

// A tensor, broadcast over the queries, plus a region, seen from key 1 on.
// CHECK-LABEL: sum#0 [1, 1, 2, 2] = 22 33 32 43
func.func @sum() -> tensor<1x1x2x2xf32> {
  %out = tensor.empty() : tensor<1x1x2x2xf32>
  %v = arith.constant dense<[[[[1.0, 2.0, 3.0]]]]> : tensor<1x1x1x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ten = arith.constant 10.0 : f32
  %t = attn.bias.tensor %v : tensor<1x1x1x3xf32>
  %g = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i64
    %f = arith.sitofp %n : i64 to f32
    %x = arith.mulf %f, %ten : f32
    attn.yield %x : f32
  }
  %a = attn.bias.add %t, %g
  %s = attn.bias.slice %a[%c0, %c0, %c1, %c1]
  %0 = attn.materialize %s : !attn.bias outs(%out : tensor<1x1x2x2xf32>)
  return %0 : tensor<1x1x2x2xf32>
}
