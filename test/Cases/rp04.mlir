// Halves and neighbours make different pairs. A model whose weights were made for
// the one ran with the other, and talked nonsense. Reordering query and key alike
// takes one to the other; the product of query and key is the log-sum-exp of an
// attention to a single key.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -attn-lint -verify-diagnostics -o /dev/null

!t = f32

// %x = [1, 2, 3, 4]
// %p = 1
// -> [-1.984111, 1.959901, 2.462378, 4.0198]
// not [-1.14264, 1.922076, 2.959851, 4.0298]
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

// Element 2i goes to i, 2i + 1 to i + 2: the interleaved numbers in that order.
// %x = [1, 3, 2, 4]
// %p = 1
// -> [-1.14264, 2.959851, 1.922076, 4.0298]
func.func @reordered(%x: tensor<1x1x1x4x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4x!t> {
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
// -> [-1.14264, 2.959851, 1.922076, 4.0298]
func.func @reads_pairs_writes_halves(%x: tensor<1x1x1x4x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4x!t> {
  %c = tensor.empty() : tensor<1x1x2xf32>
  %s = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x4x!t>
  %r = attn.rotary interleaved to split_half %x, %cos, %sin
    : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%o : tensor<1x1x1x4x!t>)
  return %r : tensor<1x1x1x4x!t>
}

// types: f32
// %q = [1, 2, 3, 4]
// %k = [2, -1, 0.5, 1]
// %v = 1
// %i = 5
// %j = 2
// -> [-2.062061]
func.func @score_half(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %v: tensor<1x1x1x1x!t>,
    %i: tensor<1x1xi64>, %j: tensor<1x1xi64>) -> tensor<1x1x1xf32> {
  %cq = tensor.empty() : tensor<1x1x2xf32>
  %sq = tensor.empty() : tensor<1x1x2xf32>
  %cosq, %sinq = attn.rotary_table positions(%i : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%cq, %sq : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %oq = tensor.empty() : tensor<1x1x1x4x!t>
  %rq = attn.rotary split_half %q, %cosq, %sinq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %ck = tensor.empty() : tensor<1x1x2xf32>
  %sk = tensor.empty() : tensor<1x1x2xf32>
  %cosk, %sink = attn.rotary_table positions(%j : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%ck, %sk : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %ok = tensor.empty() : tensor<1x1x1x4x!t>
  %rk = attn.rotary split_half %k, %cosk, %sink : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%ok : tensor<1x1x1x4x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%rq : tensor<1x1x1x4x!t>) key(%rk : tensor<1x1x1x4x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}

// types: f32
// %q = [1, 2, 3, 4]
// %k = [2, -1, 0.5, 1]
// %v = 1
// %i = 5
// %j = 2
// -> [4.821921]
func.func @score_interleaved(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %v: tensor<1x1x1x1x!t>,
    %i: tensor<1x1xi64>, %j: tensor<1x1xi64>) -> tensor<1x1x1xf32> {
  %cq = tensor.empty() : tensor<1x1x2xf32>
  %sq = tensor.empty() : tensor<1x1x2xf32>
  %cosq, %sinq = attn.rotary_table positions(%i : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%cq, %sq : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %oq = tensor.empty() : tensor<1x1x1x4x!t>
  %rq = attn.rotary interleaved %q, %cosq, %sinq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %ck = tensor.empty() : tensor<1x1x2xf32>
  %sk = tensor.empty() : tensor<1x1x2xf32>
  %cosk, %sink = attn.rotary_table positions(%j : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%ck, %sk : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %ok = tensor.empty() : tensor<1x1x1x4x!t>
  %rk = attn.rotary interleaved %k, %cosk, %sink : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%ok : tensor<1x1x1x4x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%rq : tensor<1x1x1x4x!t>) key(%rk : tensor<1x1x1x4x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}

// types: f32
// %q = [1, 3, 2, 4]
// %k = [2, 0.5, -1, 1]
// %v = 1
// %i = 5
// %j = 2
// -> [4.821921]
func.func @score_reordered(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %v: tensor<1x1x1x1x!t>,
    %i: tensor<1x1xi64>, %j: tensor<1x1xi64>) -> tensor<1x1x1xf32> {
  %cq = tensor.empty() : tensor<1x1x2xf32>
  %sq = tensor.empty() : tensor<1x1x2xf32>
  %cosq, %sinq = attn.rotary_table positions(%i : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%cq, %sq : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %oq = tensor.empty() : tensor<1x1x1x4x!t>
  %rq = attn.rotary split_half %q, %cosq, %sinq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %ck = tensor.empty() : tensor<1x1x2xf32>
  %sk = tensor.empty() : tensor<1x1x2xf32>
  %cosk, %sink = attn.rotary_table positions(%j : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%ck, %sk : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %ok = tensor.empty() : tensor<1x1x1x4x!t>
  %rk = attn.rotary split_half %k, %cosk, %sink : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%ok : tensor<1x1x1x4x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%rq : tensor<1x1x1x4x!t>) key(%rk : tensor<1x1x1x4x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}

// Query and key in different layouts: no model means that. The number says so, and
// so does attn-lint.
// types: f32
// %q = [1, 2, 3, 4]
// %k = [2, -1, 0.5, 1]
// %v = 1
// %i = 5
// %j = 2
// -> [8.343788]
func.func @score_mixed(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %v: tensor<1x1x1x1x!t>,
    %i: tensor<1x1xi64>, %j: tensor<1x1xi64>) -> tensor<1x1x1xf32> {
  %cq = tensor.empty() : tensor<1x1x2xf32>
  %sq = tensor.empty() : tensor<1x1x2xf32>
  %cosq, %sinq = attn.rotary_table positions(%i : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%cq, %sq : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %oq = tensor.empty() : tensor<1x1x1x4x!t>
  // expected-note @below {{the query is rotated here}}
  %rq = attn.rotary split_half %q, %cosq, %sinq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %ck = tensor.empty() : tensor<1x1x2xf32>
  %sk = tensor.empty() : tensor<1x1x2xf32>
  %cosk, %sink = attn.rotary_table positions(%j : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) outs(%ck, %sk : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %ok = tensor.empty() : tensor<1x1x1x4x!t>
  // expected-note @below {{the key is rotated here}}
  %rk = attn.rotary interleaved %k, %cosk, %sink : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%ok : tensor<1x1x1x4x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  // expected-warning @below {{query and key are rotated in different layouts: split_half and interleaved}}
  %rows, %lse = attn.attention query(%rq : tensor<1x1x1x4x!t>) key(%rk : tensor<1x1x1x4x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}
