// Two things are called a partial rotation. The usual one turns a range of r
// elements with the frequencies of a head of r. The proportional one takes
// frequencies and pairs of the whole head and leaves the later pairs alone; The rule
// says that, or frequencies of which later ones are 0. Elements that do not turn are
// the same bits.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = range(1, 9)
// %p = 3
// %f = [1, 0, 0, 0]
// -> [-1.695593, 2, 3, 4, -4.808842, 6, 7, 8]
// not [-1.413353, 0.7285922, -2.828857, 4.412386, 5, 6, 7, 8]
func.func @proportional_one(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>, %f: tensor<4xf32>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x4xf32>
  %s = tensor.empty() : tensor<1x1x4xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>) frequencies(%f : tensor<4xf32>)
    outs(%c, %s : tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}

// %x = range(1, 9)
// %p = 3
// %f = [1, 0.1, 0, 0]
// -> [-1.695593, 0.1375517, 3, 4, -4.808842, 6.323059, 7, 8]
// not [-1.413353, 0.7285922, -2.828857, 4.412386, 5, 6, 7, 8]
func.func @proportional_two(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>, %f: tensor<4xf32>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x4xf32>
  %s = tensor.empty() : tensor<1x1x4xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>) frequencies(%f : tensor<4xf32>)
    outs(%c, %s : tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}

// %x = range(1, 9)
// %p = 3
// -> [-1.695593, 2, 3, 4, -4.808842, 6, 7, 8]
// not [-1.413353, 0.7285922, -2.828857, 4.412386, 5, 6, 7, 8]
func.func @rule_one(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x4xf32>
  %s = tensor.empty() : tensor<1x1x4xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = 1>)
      outs(%c, %s : tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}

// %x = range(1, 9)
// %p = 3
// -> [-1.695593, 0.1375517, 3, 4, -4.808842, 6.323059, 7, 8]
// not [-1.413353, 0.7285922, -2.828857, 4.412386, 5, 6, 7, 8]
func.func @rule_two(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x8x!t> {
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

// %x = range(1, 9)
// %p = 3
// -> [-1.272233, -1.838865, 3, 4, 5, 6, 7, 8]
func.func @range_of_two(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %s = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %s : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}

// %x = range(1, 9)
// %p = 3
// -> [-1.413353, 1.879118, -2.828857, 4.058191, 5, 6, 7, 8]
// not [-1.413353, 0.7285922, -2.828857, 4.412386, 5, 6, 7, 8]
func.func @range_of_four(%x: tensor<1x1x1x8x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x8x!t> {
  %c = tensor.empty() : tensor<1x1x2xf32>
  %s = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}
