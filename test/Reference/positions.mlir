// RUN: attn-reference-test %s | FileCheck %s

// CHECK-LABEL: positions#0 [2, 3] = 0 1 2 0 1 2
// CHECK-NEXT:  positions#1 [2, 3] = 7 8 9 5 6 7
// CHECK-NEXT:  positions#2 [2, 3] = 0 0 1 0 1 2
// CHECK-NEXT:  positions#3 [2, 3] = 3 4 5 4 5 6
func.func @positions() -> (tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi64>) {
  %out = tensor.empty() : tensor<2x3xi64>
  %offsets = arith.constant dense<[7, 5]> : tensor<2xi64>
  %pad = arith.constant dense<[1, 0]> : tensor<2xi64>
  %c4 = arith.constant 4 : index
  %0 = attn.positions outs(%out : tensor<2x3xi64>)
  %1 = attn.positions offset(%offsets : tensor<2xi64>) outs(%out : tensor<2x3xi64>)
  %2 = attn.positions left_padding(%pad : tensor<2xi64>) outs(%out : tensor<2x3xi64>)
  %3 = attn.positions left_padding(%pad : tensor<2xi64>) first(%c4) outs(%out : tensor<2x3xi64>)
  return %0, %1, %2, %3 : tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi64>
}

// CHECK-LABEL: learned#0 [1, 2, 2] = 5 6 1 2
func.func @learned() -> tensor<1x2x2xf32> {
  %table = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %positions = arith.constant dense<[[2, 0]]> : tensor<1x2xi64>
  %out = tensor.empty() : tensor<1x2x2xf32>
  %0 = attn.learned_position table(%table : tensor<3x2xf32>)
    positions(%positions : tensor<1x2xi64>) outs(%out : tensor<1x2x2xf32>)
  return %0 : tensor<1x2x2xf32>
}
