// A part of the head turns: its frequencies are those of a head as wide as the part,
// or (proportional) those of the whole head.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = range(1, 9)
// %p = 3
// -> [-1.413353, 1.879118, -2.828857, 4.058191, 5, 6, 7, 8]
// not [-1.695593, 0.1375517, 3, 4, -4.808842, 6.323059, 7, 8]
func.func @of_the_part(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x2xf32>
  %s = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}

// %x = range(1, 9)
// %p = 3
// -> [-1.695593, 0.1375517, 3, 4, -4.808842, 6.323059, 7, 8]
// not [-1.413353, 1.879118, -2.828857, 4.058191, 5, 6, 7, 8]
func.func @of_the_head(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x4xf32>
  %s = tensor.empty() : tensor<1x1x4xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = 2>)
      outs(%c, %s : tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}
