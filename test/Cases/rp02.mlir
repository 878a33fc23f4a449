// A rotation of bf16 rounds once, at its end. Products that were rounded before they
// met gave the wrong sign here. A table that is bf16 on purpose stays so.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// types: bf16
// %x = [1.8125, 1.5625]
// %p = 4
// -> [-0.002227783203125, -2.390625] within 0
// not [0.0078125, -2.390625]
// not [0.001708984375, -2.390625]
func.func @table_f32(%x: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2x!t> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %s = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %s : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %o = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%o : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}

// types: bf16
// %x = [1.8125, 1.5625]
// %cos = cos(4)
// %sin = sin(4)
// -> [0.001708984375, -2.390625] within 0
// not [-0.002227783203125, -2.390625]
// not [0.0078125, -2.390625]
func.func @table_bf16(%x: tensor<1x1x1x2x!t>, %cos: tensor<1x1x1x!t>, %sin: tensor<1x1x1x!t>) -> tensor<1x1x1x2x!t> {
  %o = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1x!t>, tensor<1x1x1x!t>
    outs(%o : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}

// types: f32 f64
// %x = [1.8125, 1.5625]
// %p = 4
// -> [-0.0022251639, -2.39302268]
func.func @f32(%x: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2x!t> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %s = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %s : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %o = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%o : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}
