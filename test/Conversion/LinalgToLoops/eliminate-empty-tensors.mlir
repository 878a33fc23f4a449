// RUN: attn-opt %s --attn-eliminate-empty-tensors | FileCheck %s

// What nothing checks is computed in place.
// CHECK-LABEL: func.func @unchecked
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %arg1[%arg2] [4] [1]
// CHECK: linalg.add {{.*}} outs(%[[SLICE]] : tensor<4xf32>)
func.func @unchecked(%x: tensor<4xf32>, %y: tensor<16xf32>, %start: index) -> tensor<16xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %all = tensor.insert_slice %sum into %y[%start] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %all : tensor<16xf32>
}

// Nothing is written in front of the check.
// CHECK-LABEL: func.func @checked
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: linalg.add {{.*}} outs(%[[EMPTY]] : tensor<4xf32>)
// CHECK: cf.assert
// CHECK: tensor.insert_slice
func.func @checked(%x: tensor<4xf32>, %y: tensor<16xf32>, %start: index) -> tensor<16xf32> {
  %c12 = arith.constant 12 : index
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %inside = arith.cmpi ule, %start, %c12 : index
  cf.assert %inside, "outside"
  %all = tensor.insert_slice %sum into %y[%start] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %all : tensor<16xf32>
}

// A check in front of both is passed already.
// CHECK-LABEL: func.func @checked_before
// CHECK: cf.assert
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: linalg.add {{.*}} outs(%[[SLICE]] : tensor<4xf32>)
func.func @checked_before(%x: tensor<4xf32>, %y: tensor<16xf32>, %start: index) -> tensor<16xf32> {
  %c12 = arith.constant 12 : index
  %inside = arith.cmpi ule, %start, %c12 : index
  cf.assert %inside, "outside"
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %all = tensor.insert_slice %sum into %y[%start] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %all : tensor<16xf32>
}

// A slice that the verifier knows to be inside needs no check.
// CHECK-LABEL: func.func @static
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %arg1[8] [4] [1]
// CHECK: linalg.add {{.*}} outs(%[[SLICE]] : tensor<4xf32>)
func.func @static(%x: tensor<4xf32>, %y: tensor<16xf32>, %other: i1) -> tensor<16xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  cf.assert %other, "something else"
  %all = tensor.insert_slice %sum into %y[8] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %all : tensor<16xf32>
}

// A branch may keep a slice that would be outside from being inserted.
// CHECK-LABEL: func.func @guarded
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: linalg.add {{.*}} outs(%[[EMPTY]] : tensor<4xf32>)
func.func @guarded(%x: tensor<4xf32>, %y: tensor<16xf32>, %start: index) -> tensor<16xf32> {
  %c12 = arith.constant 12 : index
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %inside = arith.cmpi ule, %start, %c12 : index
  %all = scf.if %inside -> tensor<16xf32> {
    %inserted = tensor.insert_slice %sum into %y[%start] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %inserted : tensor<16xf32>
  } else {
    scf.yield %y : tensor<16xf32>
  }
  return %all : tensor<16xf32>
}

// Parallel loops insert at their end.
// CHECK-LABEL: func.func @parallel
// CHECK: scf.forall
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: linalg.add {{.*}} outs(%[[SLICE]] : tensor<4xf32>)
func.func @parallel(%x: tensor<4xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %all = scf.forall (%i) = (0) to (16) step (4) shared_outs(%out = %y) -> tensor<16xf32> {
    %empty = tensor.empty() : tensor<4xf32>
    %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    }
  }
  return %all : tensor<16xf32>
}
