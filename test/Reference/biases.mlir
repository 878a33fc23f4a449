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

// Six heads of one geometric series: 2^(-8/6), ..., 2^-8.
// CHECK-LABEL: plain#0 [1, 6, 1, 1] = 0.39685 0.15749 0.0625 0.0248031 0.00984313 0.00390625
func.func @plain() -> tensor<1x6x1x1xf32> {
  %out = tensor.empty() : tensor<1x6x1x1xf32>
  %cm1 = arith.constant -1 : index
  %a = attn.bias.alibi linear heads 6 series = plain offset(%cm1 : index)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<1x6x1x1xf32>)
  return %0 : tensor<1x6x1x1xf32>
}

// The buckets of T5 at the distances -130 to 2. In both directions, buckets 8 to
// 15 start at 8, 12, 16, 23, 32, 46, 64 and 91; in one, those from 16 on at 16, 19,
// 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99 and 113.
// CHECK-LABEL: t5#0 [1, 1, 1, 133] = 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 12 12 12 12 12 12 12 12 12 12 12 12 12 12 11 11 11 11 11 11 11 11 11 10 10 10 10 10 10 10 9 9 9 9 8 8 8 8 7 6 5 4 3 2 1 0 17 18
// CHECK-NEXT:  t5#1 [1, 1, 1, 133] = 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 30 30 30 30 30 30 30 30 30 30 30 30 30 30 29 29 29 29 29 29 29 29 29 29 29 29 28 28 28 28 28 28 28 28 28 28 27 27 27 27 27 27 27 27 27 27 26 26 26 26 26 26 26 26 25 25 25 25 25 25 25 24 24 24 24 24 24 23 23 23 23 23 23 22 22 22 22 22 21 21 21 21 20 20 20 20 19 19 19 18 18 18 17 17 16 16 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 0 0
func.func @t5() -> (tensor<1x1x1x133xf32>, tensor<1x1x1x133xf32>) {
  %out = tensor.empty() : tensor<1x1x1x133xf32>
  %c130 = arith.constant 130 : index
  %t = arith.constant dense<[[0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27., 28., 29., 30., 31.]]> : tensor<1x32xf32>
  %a = attn.bias.relative t5 num_buckets 32 max_distance 128 bidirectional table(%t : tensor<1x32xf32>) offset(%c130 : index)
  %b = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%t : tensor<1x32xf32>) offset(%c130 : index)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<1x1x1x133xf32>)
  %1 = attn.materialize %b : !attn.bias outs(%out : tensor<1x1x1x133xf32>)
  return %0, %1 : tensor<1x1x1x133xf32>, tensor<1x1x1x133xf32>
}

// Distances from -1 on, clamped to the table, for each head and each batch.
// CHECK-LABEL: toeplitz#0 [2, 2, 1, 4] = 2 3 3 3 5 6 6 6 1 1 2 3 4 4 5 6
func.func @toeplitz() -> tensor<2x2x1x4xf32> {
  %out = tensor.empty() : tensor<2x2x1x4xf32>
  %t = arith.constant dense<[[1., 2., 3.], [4., 5., 6.]]> : tensor<2x3xf32>
  %o = arith.constant dense<[0, 2]> : tensor<2xi64>
  %a = attn.bias.relative toeplitz first_distance -1 table(%t : tensor<2x3xf32>) offset(%o : tensor<2xi64>)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<2x2x1x4xf32>)
  return %0 : tensor<2x2x1x4xf32>
}

// The relative_position_index of Swin for windows of 2 by 2, and the last query
// again where there is no more.
// CHECK-LABEL: image#0 [1, 1, 5, 4] = 4 3 1 0 5 4 2 1 7 6 4 3 8 7 5 4 8 7 5 4
func.func @image() -> tensor<1x1x5x4xf32> {
  %out = tensor.empty() : tensor<1x1x5x4xf32>
  %t = arith.constant dense<[[0., 1., 2., 3., 4., 5., 6., 7., 8.]]> : tensor<1x9xf32>
  %a = attn.bias.relative window size [2, 2] table(%t : tensor<1x9xf32>)
  %0 = attn.materialize %a : !attn.bias outs(%out : tensor<1x1x5x4xf32>)
  return %0 : tensor<1x1x5x4xf32>
}
