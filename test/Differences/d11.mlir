// A factor on the scores, or the attention factor of a rotary rule, which multiplies
// cosine and sine: it is in query and key, so it counts twice. The attribute
// magnitude of the table. The score is the log-sum-exp of one key.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32
// %q = [3, 4]
// %k = [3, 4]
// %p = 2
// %v = 1
// -> [25 * 1.2079**2]
// not [25 * 1.2079]
func.func @magnitude(%q: tensor<1x1x1x2x!t>, %k: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>, %v: tensor<1x1x1x1x!t>)
    -> tensor<1x1x1xf32> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>)
    outs(%c, %c : tensor<1x1x1xf32>, tensor<1x1x1xf32>) {magnitude = 1.2079 : f64}
  %e = tensor.empty() : tensor<1x1x1x2x!t>
  %rq = attn.rotary split_half %q, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%e : tensor<1x1x1x2x!t>)
  %rk = attn.rotary split_half %k, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%e : tensor<1x1x1x2x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows, %lse = attn.attention query(%rq : tensor<1x1x1x2x!t>) key(%rk : tensor<1x1x1x2x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %c : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}

// types: f32
// %q = [3, 4]
// %k = [3, 4]
// %p = 2
// %v = 1
// -> [25 * 1.2079]
// not [25 * 1.2079**2]
func.func @scale(%q: tensor<1x1x1x2x!t>, %k: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>, %v: tensor<1x1x1x1x!t>)
    -> tensor<1x1x1xf32> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>)
    outs(%c, %c : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %e = tensor.empty() : tensor<1x1x1x2x!t>
  %rq = attn.rotary split_half %q, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%e : tensor<1x1x1x2x!t>)
  %rk = attn.rotary split_half %k, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%e : tensor<1x1x1x2x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows, %lse = attn.attention query(%rq : tensor<1x1x1x2x!t>) key(%rk : tensor<1x1x1x2x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %c : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.2079 : f64}
  return %lse : tensor<1x1x1xf32>
}
