// RUN: attn-opt %s -attn-lower-attention-to-vector -canonicalize -cse \
// RUN:   -split-input-file | FileCheck %s

// The sink of a head is the first maximum and sum of all lanes. Nothing is done
// for it in the loops over keys.

// CHECK-LABEL: func.func @sinks
// CHECK-SAME: %[[S:[a-z0-9]*]]: memref<8xf16>
// CHECK: scf.parallel (%[[H:.*]], %{{.*}}) =
// CHECK: %[[HALF:.*]] = memref.load %[[S]][%[[H]]]
// CHECK: %[[SINK:.*]] = arith.extf %[[HALF]] : f16 to f32
// CHECK: %[[LANES:.*]] = vector.broadcast %[[SINK]] : f32 to vector<32xf32>
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[LANES]]
// CHECK: %[[MAX:.*]] = arith.select %[[ABOVE]], %[[LANES]]
// CHECK: arith.subf %[[LANES]], %[[MAX]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[MAX]], %{{.*}} = %{{.*}}) -> (vector<32xf32>, vector<32xf32>)
// CHECK-NOT: vector.broadcast %[[SINK]]
// CHECK: return
func.func @sinks(%s: memref<8xf16>, %q: memref<1x8x128x64xf32>, %k: memref<1x2x128x64xf32>) {
  attn.attention query(%q : memref<1x8x128x64xf32>) key(%k : memref<1x2x128x64xf32>) value(%k : memref<1x2x128x64xf32>)
    sinks(%s : memref<8xf16>) empty_row=mean outs(%q : memref<1x8x128x64xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 48, rows = 8>}
  return
}

// -----

// Scores are rounded as vectors before they are stored, weights too, but not in
// the sum.

// CHECK-LABEL: func.func @rounded
// CHECK: vector.outerproduct
// CHECK: arith.truncf %{{.*}} : vector<32xf32> to vector<32xbf16>
// CHECK: arith.extf %{{.*}} : vector<32xbf16> to vector<32xf32>
// CHECK: vector.store
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<32xf32>)
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: %[[NARROW:.*]] = arith.truncf %[[P]] : vector<32xf32> to vector<32xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[NARROW]]
// CHECK: vector.store %[[WIDE]]
// CHECK: arith.addf %[[SUM]], %[[P]]
func.func @rounded(%q: memref<1x1x32x64xf32>) {
  attn.attention query(%q : memref<1x1x32x64xf32>) key(%q : memref<1x1x32x64xf32>) value(%q : memref<1x1x32x64xf32>)
    outs(%q : memref<1x1x32x64xf32>) {softmax_type = bf16, prob_type = f16, plan = #attn.plan<query_block = 32, key_block = 48, rows = 8>}
  return
}

// -----

// Neither appears where it is not asked for, nor where it is the accumulators'.

// CHECK-LABEL: func.func @plain
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @plain(%q: memref<1x1x32x64xf32>) {
  attn.attention query(%q : memref<1x1x32x64xf32>) key(%q : memref<1x1x32x64xf32>) value(%q : memref<1x1x32x64xf32>)
    outs(%q : memref<1x1x32x64xf32>) {softmax_type = f32, prob_type = f32, plan = #attn.plan<query_block = 32, key_block = 48, rows = 8>}
  return
}

// -----

// A bias before the scale starts the sums, multiplied by what the query is, also
// with a softcap behind it.

// CHECK-LABEL: func.func @early
// CHECK-DAG: %[[FACTOR:.*]] = arith.constant dense<2.500000e-02> : vector<32xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK: vector.outerproduct
// CHECK: math.absf
func.func @early(%q: memref<1x1x32x64xf32>) {
  %alibi = attn.bias.alibi linear heads 1
  attn.attention query(%q : memref<1x1x32x64xf32>) key(%q : memref<1x1x32x64xf32>) value(%q : memref<1x1x32x64xf32>) bias(%alibi)
    outs(%q : memref<1x1x32x64xf32>) {bias_before_scale, softcap = 5.0 : f64, plan = #attn.plan<query_block = 32, key_block = 48, rows = 8>}
  return
}
