// Values that are rotated as keys are: their sum depends on where the tokens are,
// unless the output is rotated back by the position of its query; then on distances
// only. attn.rotary of the value, and its inverse; attn-lint misses the inverse.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -attn-lint -verify-diagnostics -o /dev/null

!t = f32

// types: f32 f64
// %q = 0
// %k = 0
// %v = [1, 0, 1, 0]
// -> [(1 + cos(1)) / 2, sin(1) / 2, (1 + cos(1)) / 2, sin(1) / 2]
// not [(1 + cos(1)) / 2, sin(1) / 2, (1 + cos(1)) / 2, -sin(1) / 2]
func.func @kept(%q: tensor<1x1x2x2x!t>, %k: tensor<1x1x2x2x!t>, %v: tensor<1x1x2x2x!t>) -> tensor<1x1x2x2x!t> {
  %e = tensor.empty() : tensor<1x2xi64>
  %p = attn.positions outs(%e : tensor<1x2xi64>)
  %c = tensor.empty() : tensor<1x2x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x2xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %c : tensor<1x2x1xf32>, tensor<1x2x1xf32>)
  %o = tensor.empty() : tensor<1x1x2x2x!t>
  // expected-note @below {{the value is rotated here}}
  %rv = attn.rotary split_half %v, %cos, %sin : tensor<1x1x2x2x!t>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
    outs(%o : tensor<1x1x2x2x!t>)
  // expected-warning @below {{value is rotated, and the output is not rotated back by the inverse}}
  %rows = attn.attention query(%q : tensor<1x1x2x2x!t>) key(%k : tensor<1x1x2x2x!t>) value(%rv : tensor<1x1x2x2x!t>)
    outs(%o : tensor<1x1x2x2x!t>)
  // expected-note @below {{the output is used here}}
  return %rows : tensor<1x1x2x2x!t>
}

// types: f32 f64
// %q = 0
// %k = 0
// %v = [1, 0, 1, 0]
// -> [(1 + cos(1)) / 2, sin(1) / 2, (1 + cos(1)) / 2, -sin(1) / 2]
// not [(1 + cos(1)) / 2, sin(1) / 2, (1 + cos(1)) / 2, sin(1) / 2]
func.func @undone(%q: tensor<1x1x2x2x!t>, %k: tensor<1x1x2x2x!t>, %v: tensor<1x1x2x2x!t>) -> tensor<1x1x2x2x!t> {
  %e = tensor.empty() : tensor<1x2xi64>
  %p = attn.positions outs(%e : tensor<1x2xi64>)
  %c = tensor.empty() : tensor<1x2x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x2xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %c : tensor<1x2x1xf32>, tensor<1x2x1xf32>)
  %o = tensor.empty() : tensor<1x1x2x2x!t>
  %rv = attn.rotary split_half %v, %cos, %sin : tensor<1x1x2x2x!t>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
    outs(%o : tensor<1x1x2x2x!t>)
  %rows = attn.attention query(%q : tensor<1x1x2x2x!t>) key(%k : tensor<1x1x2x2x!t>) value(%rv : tensor<1x1x2x2x!t>)
    outs(%o : tensor<1x1x2x2x!t>)
  %o2 = tensor.empty() : tensor<1x1x2x2x!t>
  %back = attn.rotary split_half inverse %rows, %cos, %sin
    : tensor<1x1x2x2x!t>, tensor<1x2x1xf32>, tensor<1x2x1xf32> outs(%o2 : tensor<1x1x2x2x!t>)
  return %back : tensor<1x1x2x2x!t>
}
