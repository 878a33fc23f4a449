// Sines and cosines in turns, or all sines first; and two exponents, over the width
// and over two less.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %p = 3
// -> [0.14112001, -0.9899925, 0.0299955, 0.99955003] within rounding(2e-6)
// not [0.14112001, 0.0299955, -0.9899925, 0.99955003]
// not [0.14112001, 0.0003, -0.9899925, 0.99999996]
func.func @interleaved(%p: tensor<1x1xi64>) -> tensor<1x1x4x!t> {
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}

// %p = 3
// -> [0.14112001, 0.0299955, -0.9899925, 0.99955003] within rounding(2e-6)
// not [0.14112001, -0.9899925, 0.0299955, 0.99955003]
// not [0.14112001, 0.0299955, 0, 0.99955003]
func.func @concatenated(%p: tensor<1x1xi64>) -> tensor<1x1x4x!t> {
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal concatenated positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}

// %p = 3
// -> [0.14112001, 0.0003, -0.9899925, 0.99999996] within rounding(2e-6)
// not [0.14112001, 0.0299955, -0.9899925, 0.99955003]
func.func @minus_two(%p: tensor<1x1xi64>) -> tensor<1x1x4x!t> {
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal concatenated positions(%p : tensor<1x1xi64>) denominator = minus_two
    outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}
