// An odd width has one sine more than cosines; one vector of frequencies for both
// halves was too long or too short, and a width of 1 crashed.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %p = 2
// -> [0.90929743, -0.41614684, 0.050216599, 0.99873835, 0.0012619144] within rounding(2e-6)
func.func @width_5(%p: tensor<1x1xi64>) -> tensor<1x1x5x!t> {
  %e = tensor.empty() : tensor<1x1x5x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x5x!t>)
  return %r : tensor<1x1x5x!t>
}

// %p = 2
// -> [0.90929743, -0.41614684, 0.004308856] within rounding(2e-6)
func.func @width_3(%p: tensor<1x1xi64>) -> tensor<1x1x3x!t> {
  %e = tensor.empty() : tensor<1x1x3x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x3x!t>)
  return %r : tensor<1x1x3x!t>
}

// %p = 2
// -> [0.90929743] within rounding(2e-6)
func.func @width_1(%p: tensor<1x1xi64>) -> tensor<1x1x1x!t> {
  %e = tensor.empty() : tensor<1x1x1x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x1x!t>)
  return %r : tensor<1x1x1x!t>
}

// %p = 2
// -> [0.90929743, 0.050216599, 0.0012619144, -0.41614684, 0.99873835] within rounding(2e-6)
func.func @concatenated(%p: tensor<1x1xi64>) -> tensor<1x1x5x!t> {
  %e = tensor.empty() : tensor<1x1x5x!t>
  %r = attn.sinusoidal concatenated positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x5x!t>)
  return %r : tensor<1x1x5x!t>
}
