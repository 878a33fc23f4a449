// Which elements make a pair: neighbours or halves; and a layout that is read need
// not be the one that is written.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = [1, 2, 3, 4]
// %p = 1
// -> [-1.984111, 1.959901, 2.462378, 4.0198]
// not [-1.14264, 1.922076, 2.959851, 4.0298]
// not [-1.14264, 2.959851, 1.922076, 4.0298]
func.func @split_half(%x: tensor<1x1x1x4x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4x!t> {
  %c = tensor.empty() : tensor<1x1x2xf32>
  %s = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x4x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%o : tensor<1x1x1x4x!t>)
  return %r : tensor<1x1x1x4x!t>
}

// %x = [1, 2, 3, 4]
// %p = 1
// -> [-1.14264, 1.922076, 2.959851, 4.0298]
// not [-1.984111, 1.959901, 2.462378, 4.0198]
// not [-1.14264, 2.959851, 1.922076, 4.0298]
func.func @interleaved(%x: tensor<1x1x1x4x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4x!t> {
  %c = tensor.empty() : tensor<1x1x2xf32>
  %s = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x4x!t>
  %r = attn.rotary interleaved %x, %cos, %sin : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%o : tensor<1x1x1x4x!t>)
  return %r : tensor<1x1x1x4x!t>
}

// %x = [1, 2, 3, 4]
// %p = 1
// -> [-1.14264, 2.959851, 1.922076, 4.0298]
// not [-1.984111, 1.959901, 2.462378, 4.0198]
// not [-1.14264, 1.922076, 2.959851, 4.0298]
func.func @interleaved_to_halves(%x: tensor<1x1x1x4x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4x!t> {
  %c = tensor.empty() : tensor<1x1x2xf32>
  %s = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x4x!t>
  %r = attn.rotary interleaved to split_half %x, %cos, %sin
    : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%o : tensor<1x1x1x4x!t>)
  return %r : tensor<1x1x1x4x!t>
}
