// RUN: attn-opt %s --attn-expand-math | FileCheck %s

// CHECK-LABEL: func.func @expanded
// CHECK-NOT: math.{{exp|sin|cos|tanh|erf|log}}
// CHECK: return
func.func @expanded(%x: vector<16xf32>, %y: f32, %z: f16) -> (vector<16xf32>, f32, f32, f32, f32, f32, f16) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.sin %y : f32
  %2 = math.cos %y : f32
  %3 = math.tanh %y : f32
  %4 = math.erf %y : f32
  %5 = math.log %y : f32
  %6 = math.exp %z : f16
  return %0, %1, %2, %3, %4, %5, %6 : vector<16xf32>, f32, f32, f32, f32, f32, f16
}

// CHECK-LABEL: func.func @double
// CHECK: math.exp
func.func @double(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

// CHECK-LABEL: func.func @maximum
// CHECK: arith.maximumf
func.func @maximum(%x: f32, %y: f32) -> f32 {
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}
