// Results belong to the caller, each with memory of its own, whatever they are
// in the program: arguments, views of arguments, constants, one value twice,
// views of one value. Each call frees every result, so the repeated calls of
// --benchmark would crash on a wrong owner.

// RUN: %python %S/../Inputs/make-npz.py %t.npz "in0=<f4:2x3:1,2,3,4,5,6" \
// RUN:   "out0=<f4:2x3:1,2,3,4,5,6" "out1=<f4:3:4,5,6" "out2=<f4:2:7,8" \
// RUN:   "out3=<f4:2x3:2,4,6,8,10,12" "out4=<f4:2x3:2,4,6,8,10,12" \
// RUN:   "out5=<f4:6:2,4,6,8,10,12" "out6=<f4:2x2:2,4,8,10" "out7=<i8::2" \
// RUN:   "out8=<f4:2x3:9,9,9,9,9,9" "out9=<f4:0x3:"
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --atol=0 --rtol=0 --benchmark=50
// RUN: attn-compile %s -o %t.so
// RUN: attn-run %t.so --inputs=%t.npz --compare=%t.npz --atol=0 --rtol=0 --benchmark=50
// RUN: attn-run %s --reference --inputs=%t.npz --compare=%t.npz --atol=0 --rtol=0

func.func @main(%in: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<?x3xf32>,
        tensor<?x3xf32>, tensor<?xf32>, tensor<2x2xf32>, index, tensor<?x3xf32>,
        tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %rows = tensor.dim %in, %c0 : tensor<?x3xf32>
  %row = tensor.extract_slice %in[1, 0] [1, 3] [1, 1]
    : tensor<?x3xf32> to tensor<3xf32>
  %constant = arith.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %empty = tensor.empty(%rows) : tensor<?x3xf32>
  %twice = linalg.add ins(%in, %in : tensor<?x3xf32>, tensor<?x3xf32>)
    outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
  %flat = tensor.collapse_shape %twice [[0, 1]]
    : tensor<?x3xf32> into tensor<?xf32>
  %corner = tensor.extract_slice %twice[0, 0] [2, 2] [1, 1]
    : tensor<?x3xf32> to tensor<2x2xf32>
  // Overwrites the argument if nobody takes care.
  %filled = linalg.fill ins(%nine : f32) outs(%in : tensor<?x3xf32>)
    -> tensor<?x3xf32>
  %none = tensor.empty(%c0) : tensor<?x3xf32>
  return %in, %row, %constant, %twice, %twice, %flat, %corner, %rows, %filled,
    %none
    : tensor<?x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<?x3xf32>,
      tensor<?x3xf32>, tensor<?xf32>, tensor<2x2xf32>, index, tensor<?x3xf32>,
      tensor<?x3xf32>
}
