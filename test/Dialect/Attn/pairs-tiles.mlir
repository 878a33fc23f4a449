// Key intervals of the masks that cut keys into segments, compared with the
// predicate of each pair of 33 queries and 33 keys: for tiles of 1, 4, 7 and 16
// queries and all of them, and for 11 numbers of keys. The remarks count the keys
// of the 8 tiles of 4 queries in each batch.

// RUN: attn-test-opt %s -test-attn-pairs="heads=1 queries=33 keys=33" -verify-diagnostics -o /dev/null

func.func @chunk() {
  %c5 = arith.constant 5 : index
  %cm9 = arith.constant -9 : index
  // expected-remark@+1 {{kept 514, may 128, sure 128}}
  %0 = attn.mask.chunk size 8
  // expected-remark@+1 {{kept 336, may 112, sure 42}}
  %1 = attn.mask.chunk size 7 offset(%cm9 : index)
  %starts = arith.constant dense<[-20, 11]> : tensor<2xi64>
  %offsets = arith.constant dense<[-13, 6]> : tensor<2xi32>
  // expected-remark@+1 {{kept 466, may 154, sure 72}}
  %2 = attn.mask.chunk size 10 offset(%offsets : tensor<2xi32>) start(%starts : tensor<2xi64>)
  %causal = attn.mask.causal offset(%c5 : index)
  // expected-remark@-1 {{kept 1422, may 360, sure 318}}
  // expected-remark@+1 {{kept 490, may 128, sure 112}}
  %3 = attn.mask.and %0, %causal
  // expected-remark@+1 {{kept 1842, may 514, sure 354}}
  %4 = attn.mask.not %1
  return
}

func.func @document() {
  // Packed documents of 12, 1, 9 and 7 tokens, and 4 of padding; ids in no order.
  %packed = arith.constant dense<[[0,0,0,0,0,0,0,0,0,0,0,0,1,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,-1,-1,-1,-1]]> : tensor<1x33xi32>
  %mixed = arith.constant dense<[
    [4,4,-1,2,2,2,9,9,0,0,0,-7,-7,2,2,4,4,4,4,4,4,1,1,1,1,3,3,0,0,5,5,5,5],
    [-1,-1,-1,-1,-1,-1,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,0,0,0,0,0,0,7,0,0]]> : tensor<2x33xi64>
  // expected-remark@+1 {{kept 550, may 214, sure 104}}
  %0 = attn.mask.document query(%packed : tensor<1x33xi32>) key(%packed : tensor<1x33xi32>)
  // expected-remark@+1 {{kept 543, may 354, sure 72}}
  %1 = attn.mask.document query(%mixed : tensor<2x33xi64>) key(%mixed : tensor<2x33xi64>)
  // expected-remark@+1 {{kept 345, may 239, sure 20}}
  %2 = attn.mask.document query(%packed : tensor<1x33xi32>) key(%mixed : tensor<2x33xi64>)
  // expected-remark@+1 {{kept 345, may 259, sure 40}}
  %3 = attn.mask.document query(%mixed : tensor<2x33xi64>) key(%packed : tensor<1x33xi32>)
  // expected-remark@+1 {{kept 1628, may 456, sure 254}}
  %4 = attn.mask.not %0
  return
}

func.func @prefix() {
  %lengths = arith.constant dense<[-4, 17]> : tensor<2xi64>
  // expected-remark@+1 {{kept 561, may 136, sure 136}}
  %0 = attn.mask.prefix length(%lengths : tensor<2xi64>)
  %causal = attn.mask.causal
  // expected-remark@-1 {{kept 1122, may 288, sure 240}}
  // expected-remark@+1 {{kept 1258, may 316, sure 280}}
  %1 = attn.mask.or %causal, %0
  return
}
