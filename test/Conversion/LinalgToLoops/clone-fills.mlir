// RUN: attn-opt %s --attn-clone-fills --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @products
// CHECK: %[[E0:.*]] = tensor.empty
// CHECK: %[[F0:.*]] = linalg.fill {{.*}} outs(%[[E0]]
// CHECK: linalg.matmul {{.*}} outs(%[[F0]]
// CHECK: %[[E1:.*]] = tensor.empty
// CHECK: %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
// CHECK: linalg.matmul {{.*}} outs(%[[F1]]
// CHECK-NOT: tensor.empty
func.func @products(%a: tensor<4x?xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x4xf32>)
        outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  %ac = linalg.matmul ins(%a, %c : tensor<4x?xf32>, tensor<?x4xf32>)
        outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %ab, %ac : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What only reads a filled tensor shares it; a part of a tensor that is not
// empty is filled once.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: linalg.fill
func.func @shared(%x: tensor<4xf32>, %y: tensor<4xf32>, %into: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %fill = linalg.fill ins(%one : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %a = linalg.add ins(%x, %fill : tensor<4xf32>, tensor<4xf32>) outs(%into : tensor<4xf32>)
       -> tensor<4xf32>
  %b = linalg.add ins(%y, %fill : tensor<4xf32>, tensor<4xf32>) outs(%into : tensor<4xf32>)
       -> tensor<4xf32>
  %given = linalg.fill ins(%one : f32) outs(%into : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.exp ins(%x : tensor<4xf32>) outs(%given : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
