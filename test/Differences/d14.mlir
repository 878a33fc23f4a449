// A rotation at the positions that are given for each token (RotaryEmbedding of
// ONNX), or counted from the first of them (do_rotary of ONNX Runtime's
// GroupQueryAttention). Data as positions, or attn.positions with an offset; which
// one a frontend means is for its importer to say.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = [1, 0, 1, 0]
// %p = [5, 9]
// -> [cos(5), sin(5), cos(9), sin(9)]
// not [cos(5), sin(5), cos(6), sin(6)]
func.func @given(%x: tensor<1x1x2x2x!t>, %p: tensor<1x2xi64>) -> tensor<1x1x2x2x!t> {
  %c = tensor.empty() : tensor<1x2x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x2xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %c : tensor<1x2x1xf32>, tensor<1x2x1xf32>)
  %o = tensor.empty() : tensor<1x1x2x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x2x2x!t>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
    outs(%o : tensor<1x1x2x2x!t>)
  return %r : tensor<1x1x2x2x!t>
}

// %x = [1, 0, 1, 0]
// %first = 5
// -> [cos(5), sin(5), cos(6), sin(6)]
// not [cos(5), sin(5), cos(9), sin(9)]
func.func @counted(%x: tensor<1x1x2x2x!t>, %first: i64) -> tensor<1x1x2x2x!t> {
  %o0 = arith.index_cast %first : i64 to index
  %e = tensor.empty() : tensor<1x2xi64>
  %p = attn.positions offset(%o0 : index) outs(%e : tensor<1x2xi64>)
  %c = tensor.empty() : tensor<1x2x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x2xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %c : tensor<1x2x1xf32>, tensor<1x2x1xf32>)
  %o = tensor.empty() : tensor<1x1x2x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x2x2x!t>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
    outs(%o : tensor<1x1x2x2x!t>)
  return %r : tensor<1x1x2x2x!t>
}
