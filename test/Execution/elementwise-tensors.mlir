// Ops of arith and math on whole tensors, as some frontends leave them.
// RUN: %python %S/../Inputs/make-npz.py %t.npz "in0=<f4:2x3:1,4,9,16,25,36" "out0=<f4:2x3:0,-2,-4,-6,-8,-10"
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --no-raise --no-vectorize
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --reference
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3xf32>
  %two = arith.constant dense<2.0> : tensor<2x3xf32>
  %rows = tensor.cast %x : tensor<?x3xf32> to tensor<2x3xf32>
  %root = math.sqrt %rows : tensor<2x3xf32>
  %large = arith.cmpf ogt, %root, %one : tensor<2x3xf32>
  %less = arith.subf %one, %root : tensor<2x3xf32>
  %twice = arith.mulf %less, %two : tensor<2x3xf32>
  %zero = arith.subf %one, %one : tensor<2x3xf32>
  %r = arith.select %large, %twice, %zero : tensor<2x3xi1>, tensor<2x3xf32>
  %open = tensor.cast %r : tensor<2x3xf32> to tensor<?x3xf32>
  return %open : tensor<?x3xf32>
}
