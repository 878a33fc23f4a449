// The element that attn.bias.relative reads, executed as pairs.mlir does. Tables
// number their columns, so that a value is an index: the first four numbers are
// of batch 0 (heads 0 and 1), the others of batch 1.

// RUN: attn-test-opt %s -test-attn-pairs -verify-diagnostics -o /dev/null

func.func @t5() {
  %table = arith.constant dense<[[0., 1., 2., 3., 4., 5., 6., 7.], [10., 11., 12., 13., 14., 15., 16., 17.]]> : tensor<2x8xf32>
  // Distances -1 and 2; two buckets of one distance, then those from 2 and 3 on.
  // expected-remark@+1 {{query 2 with keys 1 and 4: 1 6 11 16 1 6 11 16}}
  %0 = attn.bias.relative t5 num_buckets 8 max_distance 4 bidirectional table(%table : tensor<2x8xf32>)
  // One direction: no key is later.
  // expected-remark@+1 {{query 2 with keys 1 and 4: 1 0 11 10 1 0 11 10}}
  %1 = attn.bias.relative t5 num_buckets 8 max_distance 20 table(%table : tensor<2x8xf32>)
  // Distances -6 and -3, and 12 and 15.
  %offset = arith.constant dense<[5, -13]> : tensor<2xi64>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 3 2 13 12 7 7 17 17}}
  %2 = attn.bias.relative t5 num_buckets 8 max_distance 8 bidirectional table(%table : tensor<2x8xf32>) offset(%offset : tensor<2xi64>)
  return
}

func.func @toeplitz() {
  %table = arith.constant dense<[[0., 1., 2., 3.]]> : tensor<1x4xbf16>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 0 3 0 3 0 3 0 3}}
  %0 = attn.bias.relative toeplitz first_distance -1 table(%table : tensor<1x4xbf16>)
  // Beyond both ends.
  // expected-remark@+1 {{query 2 with keys 1 and 4: 0 1 0 1 0 1 0 1}}
  %1 = attn.bias.relative toeplitz first_distance 1 table(%table : tensor<1x4xbf16>)
  %offset = arith.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 0 0 0 0 3 3 3 3}}
  %2 = attn.bias.relative toeplitz first_distance -1152921504606846976 table(%table : tensor<1x4xbf16>) offset(%offset : tensor<2xi64>)
  return
}

func.func @window() {
  // Rows of two tokens: query 2 is (1, 0), keys 1 and 4 are (0, 1) and (2, 0).
  // The distances (1, -1) and (-1, 0), of -2 to 2 and -1 to 1, are elements 3 * 3
  // + 0 and 1 * 3 + 1.
  %table = arith.constant dense<[[0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14.]]> : tensor<1x15xf64>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 9 4 9 4 9 4 9 4}}
  %0 = attn.bias.relative window size [3, 2] table(%table : tensor<1x15xf64>)
  // Clamped to the last token, (2, 1), and to the first one.
  %offset = arith.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 13 8 13 8 6 1 6 1}}
  %1 = attn.bias.relative window size [3, 2] table(%table : tensor<1x15xf64>) offset(%offset : tensor<2xi64>)
  return
}
