// RUN: attn-opt %s --attn-legalize-math | FileCheck %s

// CHECK-LABEL: func.func @clamp
// CHECK-SAME: %[[X:.*]]: vector<8xf32>, %[[LOW:.*]]: vector<8xf32>, %[[HIGH:.*]]: vector<8xf32>
// CHECK: %[[RAISED:.*]] = arith.maximumf %[[X]], %[[LOW]]
// CHECK: arith.minimumf %[[RAISED]], %[[HIGH]]
func.func @clamp(%x: vector<8xf32>, %low: vector<8xf32>, %high: vector<8xf32>) -> vector<8xf32> {
  %0 = math.clampf %x to [%low, %high] : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @classes
// CHECK-DAG: %[[INF:.*]] = arith.constant 0x7C00 : f16
// CHECK-DAG: %[[SMALLEST:.*]] = arith.constant 6.103520e-05 : f16
// CHECK: %[[SIZE:.*]] = math.absf
// CHECK: arith.cmpf oeq, %[[SIZE]], %[[INF]]
// CHECK: %[[FINITE:.*]] = arith.cmpf olt, %{{.*}}, %[[INF]]
// CHECK: %[[LARGE:.*]] = arith.cmpf oge, %{{.*}}, %[[SMALLEST]]
// CHECK: arith.andi %[[FINITE]], %[[LARGE]]
func.func @classes(%x: f16) -> (i1, i1) {
  %0 = math.isinf %x : f16
  %1 = math.isnormal %x : f16
  return %0, %1 : i1, i1
}

// 16-bit types go through f32.
// CHECK-LABEL: func.func @small
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: math.exp %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: math.log %{{.*}} : f64
// CHECK-NOT: math.{{expm1|log1p}}
func.func @small(%x: bf16, %y: f64) -> (bf16, f64) {
  %0 = math.expm1 %x : bf16
  %1 = math.log1p %y : f64
  return %0, %1 : bf16, f64
}
