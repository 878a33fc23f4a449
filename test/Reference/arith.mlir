// RUN: attn-reference-test %s | FileCheck %s

// Integers wrap at their width and i1 reads as -1 where it is signed.
// CHECK-LABEL: wrap#0 [] = -128
// CHECK-NEXT:  wrap#1 [] = 0
// CHECK-NEXT:  wrap#2 [] = -1
// CHECK-NEXT:  wrap#3 [] = 255
func.func @wrap() -> (i8, i8, i32, i32) {
  %c127 = arith.constant 127 : i8
  %c1 = arith.constant 1 : i8
  %c16 = arith.constant 16 : i8
  %true = arith.constant true
  %cm1 = arith.constant -1 : i8
  %0 = arith.addi %c127, %c1 : i8
  %1 = arith.muli %c16, %c16 : i8
  %2 = arith.extsi %true : i1 to i32
  %3 = arith.extui %cm1 : i8 to i32
  return %0, %1, %2, %3 : i8, i8, i32, i32
}

// CHECK-LABEL: divide#0 [] = -3
// CHECK-NEXT:  divide#1 [] = -4
// CHECK-NEXT:  divide#2 [] = -1
// CHECK-NEXT:  divide#3 [] = 124
func.func @divide() -> (i8, i8, i8, i8) {
  %a = arith.constant -7 : i8
  %b = arith.constant 2 : i8
  %0 = arith.divsi %a, %b : i8
  %1 = arith.floordivsi %a, %b : i8
  %2 = arith.remsi %a, %b : i8
  %3 = arith.divui %a, %b : i8
  return %0, %1, %2, %3 : i8, i8, i8, i8
}

// CHECK-LABEL: compare#0 [] = 1
// CHECK-NEXT:  compare#1 [] = 0
// CHECK-NEXT:  compare#2 [] = 1
// CHECK-NEXT:  compare#3 [] = 0
// CHECK-NEXT:  compare#4 [] = 1
func.func @compare() -> (i1, i1, i1, i1, i1) {
  %a = arith.constant -1 : i32
  %b = arith.constant 1 : i32
  %nan = arith.constant 0x7FC00000 : f32
  %x = arith.constant 1.0 : f32
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi ult, %a, %b : i32
  %2 = arith.cmpf une, %nan, %x : f32
  %3 = arith.cmpf one, %nan, %x : f32
  %4 = arith.cmpf ult, %nan, %x : f32
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// maximumf and minimumf propagate NaN, maxnumf and minnumf do not.
// CHECK-LABEL: extrema#0 [] = nan
// CHECK-NEXT:  extrema#1 [] = 2
// CHECK-NEXT:  extrema#2 [] = nan
// CHECK-NEXT:  extrema#3 [] = 2
// CHECK-NEXT:  extrema#4 [] = 0
// CHECK-NEXT:  extrema#5 [] = -0
func.func @extrema() -> (f32, f32, f32, f32, f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %negzero = arith.constant -0.0 : f32
  %0 = arith.maximumf %nan, %two : f32
  %1 = arith.maxnumf %nan, %two : f32
  %2 = arith.minimumf %two, %nan : f32
  %3 = arith.minnumf %two, %nan : f32
  %4 = arith.maximumf %negzero, %zero : f32
  %5 = arith.minimumf %zero, %negzero : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: saturate#0 [] = 127
// CHECK-NEXT:  saturate#1 [] = -128
// CHECK-NEXT:  saturate#2 [] = 0
// CHECK-NEXT:  saturate#3 [] = 0
// CHECK-NEXT:  saturate#4 [] = -1
func.func @saturate() -> (i8, i8, i8, i8, i8) {
  %big = arith.constant 1.0e30 : f32
  %small = arith.constant -1.0e30 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.fptosi %big : f32 to i8
  %1 = arith.fptosi %small : f32 to i8
  %2 = arith.fptosi %nan : f32 to i8
  %3 = arith.fptoui %small : f32 to i8
  %4 = arith.fptoui %big : f32 to i8
  return %0, %1, %2, %3, %4 : i8, i8, i8, i8, i8
}

// Whole tensors go elementwise, with a scalar condition for all.
// CHECK-LABEL: tensors#0 [2] = 4 6
// CHECK-NEXT:  tensors#1 [2] = 3 4
// CHECK-NEXT:  tensors#2 [2] = 1 4
func.func @tensors() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %false = arith.constant false
  %each = arith.constant dense<[true, false]> : tensor<2xi1>
  %0 = arith.addf %a, %b : tensor<2xf32>
  %1 = arith.select %false, %a, %b : tensor<2xf32>
  %2 = arith.select %each, %a, %b : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: bits#0 [] = 1065353216
// CHECK-NEXT:  bits#1 [] = 1
func.func @bits() -> (i32, f32) {
  %one = arith.constant 1.0 : f32
  %0 = arith.bitcast %one : f32 to i32
  %1 = arith.bitcast %0 : i32 to f32
  return %0, %1 : i32, f32
}

// CHECK-LABEL: functions#0 [] = 1.64872
// CHECK-NEXT:  functions#1 [] = 0.5205
// CHECK-NEXT:  functions#2 [] = 0.125
// CHECK-NEXT:  functions#3 [] = 2
// CHECK-NEXT:  functions#4 [] = -0.5
// CHECK-NEXT:  functions#5 [] = 9
func.func @functions() -> (f32, f32, f32, f32, f32, i32) {
  %half = arith.constant 0.5 : f32
  %minus = arith.constant -2.5 : f32
  %two = arith.constant 2.5 : f32
  %three = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %lower = arith.constant -0.5 : f32
  %0 = math.exp %half : f32
  %1 = math.erf %half : f32
  %2 = math.fpowi %half, %three : f32, i32
  %3 = math.roundeven %two : f32
  %4 = math.clampf %minus to [%lower, %half] : f32
  %5 = math.ipowi %three, %c2 : i32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, i32
}

// CHECK-LABEL: numbers#0 [] = (-5,10)
// CHECK-NEXT:  numbers#1 [] = 5
// CHECK-NEXT:  numbers#2 [] = (3,-4)
func.func @numbers() -> (complex<f32>, f32, complex<f32>) {
  %a = complex.constant [3.0 : f32, 4.0 : f32] : complex<f32>
  %b = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %0 = complex.mul %a, %b : complex<f32>
  %1 = complex.abs %a : complex<f32>
  %2 = complex.conj %a : complex<f32>
  return %0, %1, %2 : complex<f32>, f32, complex<f32>
}

// CHECK-LABEL: complexes#0 [] = (-7,24)
// CHECK-NEXT:  complexes#1 [] = (0.785398,{{.*}})
// CHECK-NEXT:  complexes#2 [] = (1.71828,0)
// CHECK-NEXT:  complexes#3 [] = (0.693147,0)
func.func @complexes() -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %a = complex.constant [3.0 : f32, 4.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %c2 = arith.constant 2 : i32
  %0 = complex.powi %a, %c2 : complex<f32>, i32
  %1 = complex.atan2 %one, %one : complex<f32>
  %2 = complex.expm1 %one : complex<f32>
  %3 = complex.log1p %one : complex<f32>
  return %0, %1, %2, %3 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// Constants as splats, lists, packed booleans and resources.
// CHECK-LABEL: constants#0 [2, 2] = 7 7 7 7
// CHECK-NEXT:  constants#1 [3] = 1 0 1
// CHECK-NEXT:  constants#2 [2] = 1 2
// CHECK-NEXT:  constants#3 [9] = 1 1 0 0 0 0 0 0 1
// CHECK-NEXT:  constants#4 [2] = -1 3
func.func @constants() -> (tensor<2x2xi64>, tensor<3xi1>, tensor<2xf32>,
                           tensor<9xi1>, tensor<2xi16>) {
  %0 = arith.constant dense<7> : tensor<2x2xi64>
  %1 = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = arith.constant dense_resource<floats> : tensor<2xf32>
  %3 = arith.constant dense_resource<bools> : tensor<9xi1>
  %4 = arith.constant dense_resource<shorts> : tensor<2xi16>
  return %0, %1, %2, %3, %4
    : tensor<2x2xi64>, tensor<3xi1>, tensor<2xf32>, tensor<9xi1>, tensor<2xi16>
}

{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F00000040",
      bools: "0x010000000301",
      shorts: "0x02000000FFFF0300"
    }
  }
#-}

// CHECK-LABEL: clamped#0 [3] = 2 1 nan
// CHECK-NEXT:  clamped#1 [2] = -1 1
func.func @clamped() -> (tensor<3xf32>, tensor<2xi32>) {
  %x = arith.constant dense<[3.0, 0.0, 0x7FC00000]> : tensor<3xf32>
  %low = arith.constant dense<1.0> : tensor<3xf32>
  %high = arith.constant dense<2.0> : tensor<3xf32>
  %0 = math.clampf %x to [%low, %high] : tensor<3xf32>
  %u = arith.constant dense<[4294967295, 1]> : tensor<2xui32>
  %1 = tensor.bitcast %u : tensor<2xui32> to tensor<2xi32>
  return %0, %1 : tensor<3xf32>, tensor<2xi32>
}

// Numbers in their canonical form: an i1 that is set is 1.
// CHECK-LABEL: arguments#0 [] = 1
// CHECK-NEXT:  arguments#1 [2] = 1 0
// CHECK-NEXT:  arguments#2 [] = 0.5
func.func @arguments(%p: i1, %q: tensor<?xi1>, %x: f16) -> (i1, tensor<?xi1>, f16)
    attributes {test.arguments = [true, dense<[true, false]> : tensor<2xi1>, 0.5]} {
  return %p, %q, %x : i1, tensor<?xi1>, f16
}

// CHECK-LABEL: indices#0 [] = 56
// CHECK-NEXT:  indices#1 [] = 1
// CHECK-NEXT:  indices#2 [] = 2
// CHECK-NEXT:  indices#3 [] = 6
// CHECK-NEXT:  indices#4 [] = -1
// CHECK-NEXT:  indices#5 [] = 9
func.func @indices() -> (index, index, index, index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %minus = arith.constant -1 : index
  %0 = affine.linearize_index [%c1, %c2, %c6] by (3, %c10) : index
  %1:3 = affine.delinearize_index %0 into (7, 3, %c10) : index, index, index
  %2:2 = affine.delinearize_index %minus into (%c10) : index, index
  return %0, %1#0, %1#1, %1#2, %2#0, %2#1 : index, index, index, index, index, index
}
