// A loop that is called a reduction, but indexes the result: nothing is
// reduced, so nothing is carried.
// RUN: attn-opt %s --attn-lower-linalg-to-loops | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @f
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
// CHECK: memref.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
