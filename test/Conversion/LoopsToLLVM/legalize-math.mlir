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

// f64 to a 16-bit float: to f32, to odd, and from there. A number that is even
// and not exact moves to the neighbour on the other side.
// CHECK-LABEL: func.func @narrow
// CHECK-SAME: %[[X:.*]]: f64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1 : i32
// CHECK: %[[NEAREST:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[BACK]], %[[X]]
// CHECK: %[[SMALLER:.*]] = arith.cmpf olt
// CHECK: %[[BITS:.*]] = arith.bitcast %[[NEAREST]] : f32 to i32
// CHECK: %[[LAST:.*]] = arith.andi %[[BITS]], %[[ONE]]
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[LAST]], %[[ZERO]]
// CHECK: %[[STEP:.*]] = arith.select %[[SMALLER]], %[[ONE]], %[[MINUS]]
// CHECK: %[[MOVED:.*]] = arith.addi %[[BITS]], %[[STEP]]
// CHECK: %[[MOVES:.*]] = arith.andi %[[INEXACT]], %[[EVEN]]
// CHECK: %[[ODD:.*]] = arith.select %[[MOVES]], %[[MOVED]], %[[BITS]]
// CHECK: %[[F32:.*]] = arith.bitcast %[[ODD]] : i32 to f32
// CHECK: arith.truncf %[[F32]] : f32 to bf16
func.func @narrow(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

// Vectors alike.
// CHECK-LABEL: func.func @narrow_vector
// CHECK: arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
func.func @narrow_vector(%x: vector<4xf64>) -> vector<4xf16> {
  %0 = arith.truncf %x : vector<4xf64> to vector<4xf16>
  return %0 : vector<4xf16>
}

// Integers that f32 does not hold go through f64, to odd if that does not either.
// CHECK-LABEL: func.func @integers
// CHECK-SAME: %[[I8:.*]]: i8, %[[I32:.*]]: i32, %[[I64:.*]]: i64
// CHECK-DAG: %[[REST:.*]] = arith.constant 2047 : i64
// CHECK-DAG: %[[LAST:.*]] = arith.constant 2048 : i64
// CHECK-DAG: %[[KEPT:.*]] = arith.constant -2048 : i64
// CHECK: arith.sitofp %[[I8]] : i8 to f32
// CHECK: arith.uitofp %[[I32]] : i32 to f64
// CHECK: arith.andi %[[I64]], %[[REST]]
// CHECK: %[[FLOOR:.*]] = arith.andi %[[I64]], %[[KEPT]]
// CHECK: arith.ori %[[FLOOR]], %[[LAST]]
// CHECK: arith.sitofp %{{.*}} : i64 to f64
func.func @integers(%x: i8, %y: i32, %z: i64) -> (bf16, bf16, bf16) {
  %0 = arith.sitofp %x : i8 to bf16
  %1 = arith.uitofp %y : i32 to bf16
  %2 = arith.sitofp %z : i64 to bf16
  return %0, %1, %2 : bf16, bf16, bf16
}

// Functions of bf16 that round, in f32; others as they are.
// CHECK-LABEL: func.func @bf16
// CHECK-SAME: %[[X:.*]]: vector<8xbf16>, %[[Y:.*]]: vector<8xbf16>, %[[N:.*]]: vector<8xi32>
// CHECK: %[[XWIDE:.*]] = arith.extf %[[X]] : vector<8xbf16> to vector<8xf32>
// CHECK: %[[YWIDE:.*]] = arith.extf %[[Y]] : vector<8xbf16> to vector<8xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[XWIDE]], %[[YWIDE]] fastmath<contract> : vector<8xf32>
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : vector<8xf32> to vector<8xbf16>
// CHECK: arith.negf %[[ROUNDED]] : vector<8xbf16>
// CHECK: math.fpowi %{{.*}}, %[[N]] : vector<8xf32>, vector<8xi32>
func.func @bf16(%x: vector<8xbf16>, %y: vector<8xbf16>, %n: vector<8xi32>) -> vector<8xbf16> {
  %0 = arith.addf %x, %y fastmath<contract> : vector<8xbf16>
  %1 = arith.negf %0 : vector<8xbf16>
  %2 = math.fpowi %1, %n : vector<8xbf16>, vector<8xi32>
  return %2 : vector<8xbf16>
}
