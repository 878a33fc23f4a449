// Sines and cosines in turns or one after the other; the exponent over the width or
// over two less; and positions that start behind those of padding.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %p = 3
// -> [0.14112001, -0.9899925, 0.0299955, 0.99955003] within rounding(2e-6)
// not [0.14112001, 0.0299955, -0.9899925, 0.99955003]
func.func @interleaved(%p: tensor<1x1xi64>) -> tensor<1x1x4x!t> {
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}

// %p = 3
// -> [0.14112001, 0.0299955, -0.9899925, 0.99955003] within rounding(2e-6)
// not [0.14112001, -0.9899925, 0.0299955, 0.99955003]
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

// %first = 2
// -> [0.14112001, -0.9899925, 0.0299955, 0.99955003] within rounding(2e-6)
func.func @behind_padding(%first: i64) -> tensor<1x1x4x!t> {
  %o = arith.index_cast %first : i64 to index
  %one = arith.constant 1 : index
  %after = arith.addi %o, %one : index
  %ep = tensor.empty() : tensor<1x1xi64>
  %p = attn.positions offset(%after : index) outs(%ep : tensor<1x1xi64>)
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}
