// Masks and biases hold memrefs after bufferization, whichever op makes them.

// RUN: attn-opt %s -one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-LABEL: func @all(
// CHECK: attn.mask.causal offset(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.mask.window left 3 offset(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.mask.padding right lengths(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.mask.chunk size 4 offset(%{{.*}} : memref<2xi64, {{.*}}>) start(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.mask.document query(%{{.*}} : memref<2x8xi64, {{.*}}>) key(%{{.*}} : memref<2x8xi64, {{.*}}>)
// CHECK: attn.mask.prefix length(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.mask.tensor keep %{{.*}} : memref<2x1x1x8xi1, {{.*}}>
// CHECK: attn.bias.tensor %{{.*}} : memref<2x1x8x8xf32, {{.*}}>
// CHECK: attn.bias.alibi linear slopes(%{{.*}} : memref<1xf32, {{.*}}>) offset(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.bias.relative t5 num_buckets 8 max_distance 20 table(%{{.*}} : memref<1x8xf32, {{.*}}>) offset(%{{.*}} : memref<2xi64, {{.*}}>)
// CHECK: attn.attention {{.*}} bias(%{{.*}}) mask(%{{.*}}) outs(%{{.*}} : memref<2x1x8x4xf32>)
func.func @all(%q: tensor<2x1x8x4xf32>, %numbers: tensor<2xi64>, %valid: tensor<2x1x1x8xi1>, %values: tensor<2x1x8x8xf32>,
               %slopes: tensor<1xf32>, %ids: tensor<2x8xi64>, %table: tensor<1x8xf32>) -> tensor<2x1x8x4xf32> {
  %causal = attn.mask.causal offset(%numbers : tensor<2xi64>)
  %window = attn.mask.window left 3 offset(%numbers : tensor<2xi64>)
  %padding = attn.mask.padding right lengths(%numbers : tensor<2xi64>)
  %chunk = attn.mask.chunk size 4 offset(%numbers : tensor<2xi64>) start(%numbers : tensor<2xi64>)
  %document = attn.mask.document query(%ids : tensor<2x8xi64>) key(%ids : tensor<2x8xi64>)
  %prefix = attn.mask.prefix length(%numbers : tensor<2xi64>)
  %tensor = attn.mask.tensor keep %valid : tensor<2x1x1x8xi1>
  %0 = attn.mask.and %causal, %window
  %1 = attn.mask.or %padding, %tensor
  %2 = attn.mask.and %0, %1
  %3 = attn.mask.or %chunk, %document
  %4 = attn.mask.or %3, %prefix
  %mask = attn.mask.and %2, %4
  %dense = attn.bias.tensor %values : tensor<2x1x8x8xf32>
  %alibi = attn.bias.alibi linear slopes(%slopes : tensor<1xf32>) offset(%numbers : tensor<2xi64>)
  %relative = attn.bias.relative t5 num_buckets 8 max_distance 20 table(%table : tensor<1x8xf32>) offset(%numbers : tensor<2xi64>)
  %sum = attn.bias.add %dense, %alibi
  %bias = attn.bias.add %sum, %relative
  %empty = tensor.empty() : tensor<2x1x8x4xf32>
  %attention = attn.attention query(%q : tensor<2x1x8x4xf32>) key(%q : tensor<2x1x8x4xf32>) value(%q : tensor<2x1x8x4xf32>)
    bias(%bias) mask(%mask) outs(%empty : tensor<2x1x8x4xf32>)
  return %attention : tensor<2x1x8x4xf32>
}

// The op that makes a mask counts as the reader of its data: a write behind it
// goes into the same buffer, one in front of it into a copy.
// CHECK-LABEL: func @in_place(
// CHECK-NOT: memref.alloc
// CHECK: attn.mask.padding right lengths(%[[LENGTHS:[a-z0-9]+]] :
// CHECK-NEXT: memref.store %{{.*}}, %[[LENGTHS]]
// CHECK-LABEL: func @copied(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]+]]: memref
// CHECK: memref.store %{{.*}}, %[[COPY:[a-z0-9]+]][
// CHECK-NOT: lengths(%[[COPY]]
// CHECK: attn.mask.padding right lengths(%[[LENGTHS]] :
func.func @in_place(%lengths: tensor<2xi64> {bufferization.writable = true}, %n: i64) -> (!attn.mask, tensor<2xi64>) {
  %c0 = arith.constant 0 : index
  %padding = attn.mask.padding right lengths(%lengths : tensor<2xi64>)
  %changed = tensor.insert %n into %lengths[%c0] : tensor<2xi64>
  return %padding, %changed : !attn.mask, tensor<2xi64>
}
func.func @copied(%lengths: tensor<2xi64> {bufferization.writable = true}, %n: i64) -> (!attn.mask, tensor<2xi64>) {
  %c0 = arith.constant 0 : index
  %changed = tensor.insert %n into %lengths[%c0] : tensor<2xi64>
  %padding = attn.mask.padding right lengths(%lengths : tensor<2xi64>)
  return %padding, %changed : !attn.mask, tensor<2xi64>
}
