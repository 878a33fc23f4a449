// A timestep that is rounded to bf16 before its sine is taken: 937 becomes 936, and
// 998.3897 becomes 1000. It stays what it is, f32 or f64; the result is rounded.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64
// %p = 937
// -> [0.72110037, 0.05475057, 0.69283061, -0.99850006] within 2e-6
// not [-0.19335938, 0.06494141, 0.98046875, -0.99609375]
func.func @f64(%p: tensor<1x1xf32>) -> tensor<1x1x4x!t> {
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal concatenated positions(%p : tensor<1x1xf32>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}

// types: bf16
// %p = 937
// -> [0.72265625, 0.0546875, 0.69140625, -1] within 0
// not [-0.19335938, 0.06494141, 0.98046875, -0.99609375]
func.func @bf16(%p: tensor<1x1xf64>) -> tensor<1x1x4x!t> {
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal concatenated positions(%p : tensor<1x1xf64>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}

// %p = 998.3897
// -> [-0.59459661] within rounding(2e-6)
// not [0.82687954]
func.func @fraction(%p: tensor<1x1xf64>) -> tensor<1x1x1x!t> {
  %e = tensor.empty() : tensor<1x1x1x!t>
  %r = attn.sinusoidal concatenated positions(%p : tensor<1x1xf64>) outs(%e : tensor<1x1x1x!t>)
  return %r : tensor<1x1x1x!t>
}
