// Scalars cross the boundary by value, alone and among tensors.

// RUN: %python %S/../Inputs/make-npz.py %t.npz "in0=<f4::1.5" "in1=<i8::-3" \
// RUN:   "in2=|b1::1" "in3=<f4:2:1,2" "in4=<f8::0.25" "out0=<f8::0.25" \
// RUN:   "out1=<f4:2:2.5,3.5" "out2=|b1::1" "out3=<i8::-3" "sum0=<f4::3"
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --atol=0 --rtol=0
// RUN: attn-compile %s -o %t.so
// RUN: attn-run %t.so --inputs=%t.npz --compare=%t.npz --atol=0 --rtol=0
// RUN: attn-run %s --entry=one --inputs=%t.npz --compare=%t.npz \
// RUN:   --compare-prefix=sum --atol=0 --rtol=0
// RUN: attn-run %s --entry=none

func.func @main(%f: f32, %i: i64, %b: i1, %t: tensor<2xf32>, %d: f64)
    -> (f64, tensor<2xf32>, i1, i64) {
  %empty = tensor.empty() : tensor<2xf32>
  %fill = linalg.fill ins(%f : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.add ins(%t, %fill : tensor<2xf32>, tensor<2xf32>)
    outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  return %d, %sum, %b, %i : f64, tensor<2xf32>, i1, i64
}

func.func @one(%f: f32) -> f32 {
  %sum = arith.addf %f, %f : f32
  return %sum : f32
}

func.func @none() {
  return
}
