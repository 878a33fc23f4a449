// An array in Fortran order means the same as its row-major form.

// RUN: %python %S/../Inputs/make-npz.py --fortran %t.npy "in0=<f4:2x3:1,4,2,5,3,6"
// RUN: %python %S/../Inputs/make-npz.py %t.npz "out0=<f4:2x3:1,2,3,4,5,6"
// RUN: attn-run %s --inputs=%t.npy --compare=%t.npz --atol=0 --rtol=0

// One result fits into an .npy file.
// RUN: attn-run %s --inputs=%t.npy --outputs=%t.out.npy
// RUN: attn-run %s --inputs=%t.out.npy --compare=%t.npz --atol=0 --rtol=0

func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %arg0 : tensor<2x3xf32>
}
