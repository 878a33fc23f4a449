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

// The first token stands at 2, one behind the index of padding.
// %padding = 1
// -> [0.90929743, -0.41614684, 0.01999867, 0.99980001] within rounding(2e-6)
// not [0.14112001, -0.9899925, 0.0299955, 0.99955003]
// not [0.84147098, 0.54030231, 0.00999983, 0.99995]
// not [0, 1, 0, 1]
func.func @behind_padding(%padding: i64) -> tensor<1x1x4x!t> {
  %o = arith.index_cast %padding : i64 to index
  %one = arith.constant 1 : index
  %after = arith.addi %o, %one : index
  %ep = tensor.empty() : tensor<1x1xi64>
  %p = attn.positions offset(%after : index) outs(%ep : tensor<1x1xi64>)
  %e = tensor.empty() : tensor<1x1x4x!t>
  %r = attn.sinusoidal interleaved positions(%p : tensor<1x1xi64>) outs(%e : tensor<1x1x4x!t>)
  return %r : tensor<1x1x4x!t>
}
