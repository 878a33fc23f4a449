// RUN: attn-reference-test %s | FileCheck %s

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>

// A reduction and an elementwise result of one op, with indices.
// CHECK-LABEL: generic#0 [2] = 6 15
// CHECK-NEXT:  generic#1 [3, 2] = 1 14 12 25 23 36
func.func @generic() -> (tensor<2xi64>, tensor<3x2xi64>) {
  %m = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %zeros = arith.constant dense<0> : tensor<2xi64>
  %out = arith.constant dense<0> : tensor<3x2xi64>
  %c10 = arith.constant 10 : index
  %0:2 = linalg.generic {
    indexing_maps = [#all, #rows, #swap],
    iterator_types = ["parallel", "reduction"]
  } ins(%m : tensor<2x3xi64>) outs(%zeros, %out : tensor<2xi64>, tensor<3x2xi64>) {
  ^bb0(%x: i64, %sum: i64, %o: i64):
    %next = arith.addi %sum, %x : i64
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %scaled = arith.muli %k, %c10 : index
    %offset = arith.index_cast %scaled : index to i64
    %y = arith.addi %x, %offset : i64
    linalg.yield %next, %y : i64, i64
  } -> (tensor<2xi64>, tensor<3x2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<3x2xi64>
}

// CHECK-LABEL: named#0 [2, 2] = 19 22 43 50
// CHECK-NEXT:  named#1 [2, 2] = 1 3 2 4
// CHECK-NEXT:  named#2 [2] = 3 7
// CHECK-NEXT:  named#3 [2, 2] = 0.268941 0.731059 0.268941 0.731059
func.func @named() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>) {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %row = tensor.empty() : tensor<2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %zerorow = linalg.fill ins(%zero : f32) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>)
    outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%empty : tensor<2x2xf32>)
    permutation = [1, 0]
  %2 = linalg.reduce { arith.addf } ins(%a : tensor<2x2xf32>)
    outs(%zerorow : tensor<2xf32>) dimensions = [1]
  %3 = linalg.softmax dimension(1) ins(%a : tensor<2x2xf32>)
    outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3
    : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>
}

// Windows read through a sum of two loops.
// CHECK-LABEL: windows#0 [1, 1, 2] = 12 30
// CHECK-NEXT:  windows#1 [1, 2, 1] = 2 4
func.func @windows() -> (tensor<1x1x2xi64>, tensor<1x2x1xi64>) {
  %x = arith.constant dense<[[[1, 2, 3, 4, 5]]]> : tensor<1x1x5xi64>
  %w = arith.constant dense<[[[2, 2, 2]]]> : tensor<1x1x3xi64>
  %out = arith.constant dense<[[[0, 6]]]> : tensor<1x1x2xi64>
  %0 = linalg.conv_1d_ncw_fcw {strides = dense<2> : tensor<1xi64>}
    ins(%x, %w : tensor<1x1x5xi64>, tensor<1x1x3xi64>)
    outs(%out : tensor<1x1x2xi64>) -> tensor<1x1x2xi64>
  %y = arith.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi64>
  %window = tensor.empty() : tensor<2xi64>
  %low = arith.constant dense<0> : tensor<1x2x1xi64>
  %1 = linalg.pooling_nwc_max {strides = dense<2> : tensor<1xi64>}
    ins(%y, %window : tensor<1x4x1xi64>, tensor<2xi64>)
    outs(%low : tensor<1x2x1xi64>) -> tensor<1x2x1xi64>
  return %0, %1 : tensor<1x1x2xi64>, tensor<1x2x1xi64>
}

// A map that is no linear form: every element of the half is read twice.
// CHECK-LABEL: divided#0 [4] = 7 7 8 8
func.func @divided() -> tensor<4xi64> {
  %x = arith.constant dense<[7, 8]> : tensor<2xi64>
  %out = tensor.empty() : tensor<4xi64>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<2xi64>) outs(%out : tensor<4xi64>) {
  ^bb0(%a: i64, %b: i64):
    linalg.yield %a : i64
  } -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// Nothing is executed over an empty space.
// CHECK-LABEL: none#0 [0] =
func.func @none() -> tensor<0xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<0xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
