// Angles of rotary tables: exact, or rounded to f32 on the way as frameworks do. At
// position 131071 the second pair differs in the fourth digit.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64
// %p = 131071
// -> [-0.817983499, 0.93034299] within 2e-6
// -> [-0.575241684, 0.366690498] within 2e-6
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
func.func @f32(%p: tensor<1x1xi64>) -> (tensor<1x1x2x!t>, tensor<1x1x2x!t>) {
  %c = tensor.empty() : tensor<1x1x2x!t>
  %s = tensor.empty() : tensor<1x1x2x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 100.0>) angles = f32
    outs(%c, %s : tensor<1x1x2x!t>, tensor<1x1x2x!t>)
  return %cos, %sin : tensor<1x1x2x!t>, tensor<1x1x2x!t>
}
