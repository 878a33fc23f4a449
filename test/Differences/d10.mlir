// Angles of rotary tables: exact, or rounded to f32 on the way as frameworks do; and
// the type of the table, in which cosine and sine are rounded before they are used.
// At position 131071 the second pair differs in the third digit, by either.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64
// A = round(131071 * 0.100000001490116 * 2**10) / 2**10
// %p = 131071
// -> [-0.817983499, 0.93034299] within 2e-6
// not [-0.817983499, cos(A)]
// -> [-0.575241684, 0.366690498] within 2e-6
// not [-0.575241684, sin(A)]
func.func @exact(%p: tensor<1x1xi64>) -> (tensor<1x1x2x!t>, tensor<1x1x2x!t>) {
  %c = tensor.empty() : tensor<1x1x2x!t>
  %s = tensor.empty() : tensor<1x1x2x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 100.0>)
    outs(%c, %s : tensor<1x1x2x!t>, tensor<1x1x2x!t>)
  return %cos, %sin : tensor<1x1x2x!t>, tensor<1x1x2x!t>
}

// types: f32 f64
// A = round(131071 * 0.100000001490116 * 2**10) / 2**10
// %p = 131071
// -> [-0.817983499, cos(A)] within 2e-6
// not [-0.817983499, 0.93034299]
// -> [-0.575241684, sin(A)] within 2e-6
// not [-0.575241684, 0.366690498]
func.func @f32(%p: tensor<1x1xi64>) -> (tensor<1x1x2x!t>, tensor<1x1x2x!t>) {
  %c = tensor.empty() : tensor<1x1x2x!t>
  %s = tensor.empty() : tensor<1x1x2x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 100.0>) angles = f32
    outs(%c, %s : tensor<1x1x2x!t>, tensor<1x1x2x!t>)
  return %cos, %sin : tensor<1x1x2x!t>, tensor<1x1x2x!t>
}

// types: f32 f16
// %x = [1, 0]
// %p = 1
// -> [cos(1), sin(1)]
// not [0.5390625, 0.83984375]
func.func @table_of_f32(%x: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2x!t> {
  %e = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 100.0>)
    outs(%e, %e : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %out = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary interleaved %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%out : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}

// types: f32 f16
// compiled
// %x = [1, 0]
// %p = 1
// -> [0.5390625, 0.83984375]
// not [cos(1), sin(1)]
func.func @table_of_bf16(%x: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2x!t> {
  %e = tensor.empty() : tensor<1x1x1xbf16>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 100.0>)
    outs(%e, %e : tensor<1x1x1xbf16>, tensor<1x1x1xbf16>)
  %out = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary interleaved %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xbf16>, tensor<1x1x1xbf16>
    outs(%out : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}
