// Encodings read and write memrefs after bufferization, without copies.

// RUN: attn-opt %s -one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-LABEL: func @encodings(
// CHECK-NOT: memref.copy
// CHECK: %[[E:.*]] = memref.alloc() {{.*}} : memref<2x8x5xf32>
// CHECK: attn.sinusoidal interleaved positions(%{{.*}} : memref<2x8xf32, {{.*}}>) outs(%[[E]] : memref<2x8x5xf32>)
// CHECK: %[[P:.*]] = memref.alloc() {{.*}} : memref<2x8xi64>
// CHECK: attn.positions segments(%{{.*}} : memref<1x8xi32, {{.*}}>) outs(%[[P]] : memref<2x8xi64>)
// CHECK: attn.learned_position table(%{{.*}} : memref<9x5xf32, {{.*}}>) positions(%[[P]] : memref<2x8xi64>) out_of_range = clamp outs(%{{.*}} : memref<2x8x5xf32>)
// CHECK: attn.rotary_table positions(%{{.*}} : memref<2x2x8xi64, {{.*}}>) rule(<dynamic_ntk, {{.*}}>) sections(<axial, [1, 1]>) length(%{{.*}}) outs(%{{.*}}, %{{.*}} : memref<2x8x2xf32>, memref<2x8x2xf32>)
// CHECK-NOT: memref.copy
func.func @encodings(%t: tensor<2x8xf32>, %ids: tensor<1x8xi32>, %table: tensor<9x5xf32>, %axes: tensor<2x2x8xi64>, %length: index)
    -> (tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x8x2xf32>, tensor<2x8x2xf32>) {
  %e = tensor.empty() : tensor<2x8x5xf32>
  %0 = attn.sinusoidal interleaved positions(%t : tensor<2x8xf32>) outs(%e : tensor<2x8x5xf32>)
  %p = tensor.empty() : tensor<2x8xi64>
  %1 = attn.positions segments(%ids : tensor<1x8xi32>) outs(%p : tensor<2x8xi64>)
  %l = tensor.empty() : tensor<2x8x5xf32>
  %2 = attn.learned_position table(%table : tensor<9x5xf32>) positions(%1 : tensor<2x8xi64>) out_of_range = clamp
    outs(%l : tensor<2x8x5xf32>)
  %c = tensor.empty() : tensor<2x8x2xf32>
  %s = tensor.empty() : tensor<2x8x2xf32>
  %3:2 = attn.rotary_table positions(%axes : tensor<2x2x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 10000.0, factor = 2.0, original_length = 64.0>)
    sections(#attn.sections<axial, [1, 1]>) length(%length) outs(%c, %s : tensor<2x8x2xf32>, tensor<2x8x2xf32>)
  return %0, %2, %3#0, %3#1 : tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x8x2xf32>, tensor<2x8x2xf32>
}
