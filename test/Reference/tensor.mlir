// RUN: attn-reference-test %s | FileCheck %s

// CHECK-LABEL: slices#0 [2] = 2 4
// CHECK-NEXT:  slices#1 [2, 3] = 1 9 3 4 9 6
// CHECK-NEXT:  slices#2 [2] = 3 6
func.func @slices() -> (tensor<2xi64>, tensor<2x3xi64>, tensor<2xi64>) {
  %m = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %nine = arith.constant dense<9> : tensor<2xi64>
  %row = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %row[%c1] [2] [2] : tensor<4xi64> to tensor<2xi64>
  %1 = tensor.insert_slice %nine into %m[0, %c1] [2, 1] [1, 1]
    : tensor<2xi64> into tensor<2x3xi64>
  %2 = tensor.extract_slice %m[0, 2] [2, 1] [1, 1]
    : tensor<2x3xi64> to tensor<2xi64>
  return %0, %1, %2 : tensor<2xi64>, tensor<2x3xi64>, tensor<2xi64>
}

// CHECK-LABEL: shapes#0 [3, 2] = 1 2 3 4 5 6
// CHECK-NEXT:  shapes#1 [6] = 1 2 3 4 5 6
// CHECK-NEXT:  shapes#2 [4, 3] = 1 2 3 4 5 6 1 2 3 4 5 6
// CHECK-NEXT:  shapes#3 [2, 5] = 0 1 2 3 0 0 4 5 6 0
// CHECK-NEXT:  shapes#4 [] = 3
func.func @shapes() -> (tensor<3x2xi64>, tensor<6xi64>, tensor<4x3xi64>,
                        tensor<2x5xi64>, index) {
  %m = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %shape = arith.constant dense<[3, 2]> : tensor<2xi64>
  %zero = arith.constant 0 : i64
  %c1 = arith.constant 1 : index
  %0 = tensor.reshape %m(%shape)
    : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  %1 = tensor.collapse_shape %m [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %2 = tensor.concat dim(0) %m, %m
    : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<4x3xi64>
  %3 = tensor.pad %m low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i64
  } : tensor<2x3xi64> to tensor<2x5xi64>
  %4 = tensor.dim %m, %c1 : tensor<2x3xi64>
  return %0, %1, %2, %3, %4
    : tensor<3x2xi64>, tensor<6xi64>, tensor<4x3xi64>, tensor<2x5xi64>, index
}

// Coordinates pick rows; gathered dimensions are 1 or absent.
// CHECK-LABEL: gather#0 [2, 1, 3] = 4 5 6 1 2 3
// CHECK-NEXT:  gather#1 [2, 3] = 4 5 6 1 2 3
func.func @gather() -> (tensor<2x1x3xi64>, tensor<2x3xi64>) {
  %m = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %rows = arith.constant dense<[[1], [0]]> : tensor<2x1xindex>
  %0 = tensor.gather %m[%rows] gather_dims([0])
    : (tensor<2x3xi64>, tensor<2x1xindex>) -> tensor<2x1x3xi64>
  %1 = tensor.gather %m[%rows] gather_dims([0])
    : (tensor<2x3xi64>, tensor<2x1xindex>) -> tensor<2x3xi64>
  return %0, %1 : tensor<2x1x3xi64>, tensor<2x3xi64>
}

// An insertion makes a new value; the old one stays.
// CHECK-LABEL: values#0 [2] = 1 2
// CHECK-NEXT:  values#1 [2] = 1 7
func.func @values() -> (tensor<2xi64>, tensor<2xi64>) {
  %old = arith.constant dense<[1, 2]> : tensor<2xi64>
  %seven = arith.constant 7 : i64
  %c1 = arith.constant 1 : index
  %new = tensor.insert %seven into %old[%c1] : tensor<2xi64>
  return %old, %new : tensor<2xi64>, tensor<2xi64>
}

// What nothing has written is NaN, so that using it shows.
// CHECK-LABEL: undefined#0 [1] = nan
func.func @undefined() -> tensor<1xf32> {
  %0 = tensor.empty() : tensor<1xf32>
  return %0 : tensor<1xf32>
}

// CHECK-LABEL: made#0 [2, 2] = 1 2 3 4
// CHECK-NEXT:  made#1 [2, 3] = 7 7 7 7 7 7
// CHECK-NEXT:  made#2 [2, 3] = 0 1 2 10 11 12
// CHECK-NEXT:  made#3 [] = 2
func.func @made() -> (tensor<2x2xi64>, tensor<?x3xi64>, tensor<2x?xindex>, index) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %seven = arith.constant 7 : i64
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %0 = tensor.from_elements %one, %two, %three, %four : tensor<2x2xi64>
  %1 = tensor.splat %seven[%c2] : tensor<?x3xi64>
  %2 = tensor.generate %c3 {
  ^bb0(%i: index, %j: index):
    %row = arith.muli %i, %c10 : index
    %value = arith.addi %row, %j : index
    tensor.yield %value : index
  } : tensor<2x?xindex>
  %3 = tensor.rank %2 : tensor<2x?xindex>
  return %0, %1, %2, %3 : tensor<2x2xi64>, tensor<?x3xi64>, tensor<2x?xindex>, index
}
