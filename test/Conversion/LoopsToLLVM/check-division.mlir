// RUN: attn-opt %s --attn-check-division | FileCheck %s

// A constant divisor costs nothing.
// CHECK-LABEL: func @constant(
// CHECK-NOT: cf.assert
func.func @constant(%a: i32, %b: index, %v: vector<4xi64>) -> (i32, index, vector<4xi64>) {
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : index
  %c9 = arith.constant dense<9> : vector<4xi64>
  %0 = arith.divsi %a, %c7 : i32
  %1 = arith.remui %b, %c8 : index
  %2 = arith.floordivsi %v, %c9 : vector<4xi64>
  return %0, %1, %2 : i32, index, vector<4xi64>
}

// CHECK-LABEL: func @unsigned(
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[VALID:.*]] = arith.cmpi ne, %arg1, %[[ZERO]] : i32
// CHECK: cf.assert %[[VALID]], "integer division by zero"
// CHECK-NEXT: arith.divui
// CHECK: cf.assert
// CHECK-NEXT: arith.remui
// CHECK: cf.assert
// CHECK-NEXT: arith.ceildivui
// CHECK: cf.assert
// CHECK-NEXT: index.divu
func.func @unsigned(%a: i32, %b: i32, %c: index) -> (i32, i32, i32, index) {
  %0 = arith.divui %a, %b : i32
  %1 = arith.remui %a, %b : i32
  %2 = arith.ceildivui %a, %b : i32
  %3 = index.divu %c, %c
  return %0, %1, %2, %3 : i32, i32, i32, index
}

// CHECK-LABEL: func @signed(
// CHECK: cf.assert %{{.*}}, "integer division by zero"
// CHECK: %[[ONE:.*]] = arith.constant -1 : i8
// CHECK: %[[DIVISOR:.*]] = arith.cmpi ne, %arg1, %[[ONE]] : i8
// CHECK: %[[LEAST:.*]] = arith.constant -128 : i8
// CHECK: %[[DIVIDEND:.*]] = arith.cmpi ne, %arg0, %[[LEAST]] : i8
// CHECK: %[[VALID:.*]] = arith.ori %[[DIVISOR]], %[[DIVIDEND]] : i1
// CHECK: cf.assert %[[VALID]], "integer division overflows: the least number divided by -1"
// CHECK-NEXT: arith.divsi
// CHECK-COUNT-2: cf.assert
// CHECK-NEXT: arith.remsi
// CHECK-COUNT-2: cf.assert
// CHECK-NEXT: arith.ceildivsi
// CHECK-COUNT-2: cf.assert
// CHECK-NEXT: arith.floordivsi
func.func @signed(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
  %0 = arith.divsi %a, %b : i8
  %1 = arith.remsi %a, %b : i8
  %2 = arith.ceildivsi %a, %b : i8
  %3 = arith.floordivsi %a, %b : i8
  return %0, %1, %2, %3 : i8, i8, i8, i8
}

// Only one of the two can go wrong.
// CHECK-LABEL: func @half(
// CHECK-NOT: cf.assert
// CHECK: cf.assert %{{.*}}, "integer division overflows
// CHECK-NEXT: arith.divsi
// CHECK: cf.assert %{{.*}}, "integer division by zero"
// CHECK-NEXT: arith.divsi
func.func @half(%a: i64) -> (i64, i64) {
  %one = arith.constant -1 : i64
  %five = arith.constant 5 : i64
  %0 = arith.divsi %a, %one : i64
  %1 = arith.divsi %five, %a : i64
  return %0, %1 : i64, i64
}

// All lanes of a vector.
// CHECK-LABEL: func @lanes(
// CHECK: %[[VALID:.*]] = arith.cmpi ne, %arg1
// CHECK: %[[FLAT:.*]] = vector.shape_cast %[[VALID]] : vector<2x4xi1> to vector<8xi1>
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[FLAT]]
// CHECK: cf.assert %[[ALL]], "integer division by zero"
func.func @lanes(%a: vector<2x4xindex>, %b: vector<2x4xindex>) -> vector<2x4xindex> {
  %0 = arith.divui %a, %b : vector<2x4xindex>
  return %0 : vector<2x4xindex>
}
