// Dynamic NTK: with more than the original six tokens the base grows with the
// length, so the keys of a cache that were rotated before it grew do not fit the
// query. One length for a row of scores: keys are kept as they came, and rotated
// when they are read. All queries and keys are 1; the seventh token sees seven.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -attn-lint -verify-diagnostics -o /dev/null

!t = f32

// Six keys of the cache at the length of the query, or as they were rotated before;
// and a base that never grew.
// %q = 1
// %k = 1
// %v = [0, 1, 2, 3, 4, 5, 6]
// %now = 7
// %before = 7
// -> [3.327534]
// not [3.249335]
// again
// %now = 7
// %before = 6
// -> [3.249335]
// not [3.327534]
// again
// %now = 6
// %before = 6
// -> [4.003436]
// not [3.327534]
func.func @decode(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x7x4x!t>, %v: tensor<1x1x7x1x!t>, %now: i64,
    %before: i64) -> tensor<1x1x1x1x!t> {
  %c6 = arith.constant 6 : index
  %l0 = arith.index_cast %now : i64 to index
  %l1 = arith.index_cast %before : i64 to index
  %eq = tensor.empty() : tensor<1x1xi64>
  %pq = attn.positions offset(%c6 : index) outs(%eq : tensor<1x1xi64>)
  %ek = tensor.empty() : tensor<1x6xi64>
  %pk = attn.positions outs(%ek : tensor<1x6xi64>)
  %tq = tensor.empty() : tensor<1x1x2xf32>
  %cq, %sq = attn.rotary_table positions(%pq : tensor<1x1xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%l0) outs(%tq, %tq : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %tk = tensor.empty() : tensor<1x6x2xf32>
  %ck, %sk = attn.rotary_table positions(%pk : tensor<1x6xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%l1) outs(%tk, %tk : tensor<1x6x2xf32>, tensor<1x6x2xf32>)
  %oq = tensor.empty() : tensor<1x1x1x4x!t>
  %rq = attn.rotary split_half %q, %cq, %sq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %k6 = tensor.extract_slice %k[0, 0, 0, 0] [1, 1, 6, 4] [1, 1, 1, 1] : tensor<1x1x7x4x!t> to tensor<1x1x6x4x!t>
  %k1 = tensor.extract_slice %k[0, 0, 6, 0] [1, 1, 1, 4] [1, 1, 1, 1] : tensor<1x1x7x4x!t> to tensor<1x1x1x4x!t>
  %o6 = tensor.empty() : tensor<1x1x6x4x!t>
  %old = attn.rotary split_half %k6, %ck, %sk : tensor<1x1x6x4x!t>, tensor<1x6x2xf32>, tensor<1x6x2xf32>
    outs(%o6 : tensor<1x1x6x4x!t>)
  %new = attn.rotary split_half %k1, %cq, %sq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %rk = tensor.concat dim(2) %old, %new : (tensor<1x1x6x4x!t>, tensor<1x1x1x4x!t>) -> tensor<1x1x7x4x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%rq : tensor<1x1x1x4x!t>) key(%rk : tensor<1x1x7x4x!t>)
    value(%v : tensor<1x1x7x1x!t>) outs(%out : tensor<1x1x1x1x!t>) {scale = 0.5 : f64}
  return %rows : tensor<1x1x1x1x!t>
}

// Up to the original length the base is the base, also after a longer call.
// %length = 6
// -> [cos(6), cos(6 * 0.25)] within rounding(1e-6)
// again
// %length = 7
// -> [cos(6), cos(6 * 0.1071429)] within rounding(1e-6)
// again
// %length = 6
// -> [cos(6), cos(6 * 0.25)] within rounding(1e-6)
// again
// %length = 1
// -> [cos(6), cos(6 * 0.25)] within rounding(1e-6)
func.func @base(%length: i64) -> tensor<1x1x2x!t> {
  %l = arith.index_cast %length : i64 to index
  %c6 = arith.constant 6 : index
  %ep = tensor.empty() : tensor<1x1xi64>
  %p = attn.positions offset(%c6 : index) outs(%ep : tensor<1x1xi64>)
  %e = tensor.empty() : tensor<1x1x2x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%l) outs(%e, %e : tensor<1x1x2x!t>, tensor<1x1x2x!t>)
  return %cos : tensor<1x1x2x!t>
}

// What a cache keeps rotated goes stale, which attn-lint finds; what it keeps as it
// came is rotated at the length of the query.
// %k = 1
// %cache = 0
// %now = 7
// Z = 6 * 0.1071429
// -> [[0] * 4] * 6 + [[cos(6) - sin(6), cos(Z) - sin(Z), cos(6) + sin(6), cos(Z) + sin(Z)]]
func.func @kept_rotated(%k: tensor<1x1x1x4x!t>, %cache: tensor<1x1x7x4x!t>, %now: i64) -> tensor<1x1x7x4x!t> {
  %c6 = arith.constant 6 : index
  %l = arith.index_cast %now : i64 to index
  %ep = tensor.empty() : tensor<1x1xi64>
  %p = attn.positions offset(%c6 : index) outs(%ep : tensor<1x1xi64>)
  %e = tensor.empty() : tensor<1x1x2xf32>
  // expected-note @below {{the frequencies are of this table}}
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%l) outs(%e, %e : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %o = tensor.empty() : tensor<1x1x1x4x!t>
  // expected-warning @below {{rows are kept that are rotated by frequencies of rule 'dynamic_ntk'}}
  %r = attn.rotary split_half %k, %cos, %sin : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%o : tensor<1x1x1x4x!t>)
  // expected-note @below {{they are kept here}}
  %next = attn.cache_append new(%r : tensor<1x1x1x4x!t>) start(%c6 : index) outs(%cache : tensor<1x1x7x4x!t>)
  return %next : tensor<1x1x7x4x!t>
}

// %q = 1
// %k = 1
// %cache = 1
// %v = [0, 1, 2, 3, 4, 5, 6]
// %now = 7
// -> [3.327534]
// not [3.249335]
// -> [1] * 28
func.func @kept_as_they_came(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %cache: tensor<1x1x7x4x!t>,
    %v: tensor<1x1x7x1x!t>, %now: i64) -> (tensor<1x1x1x1x!t>, tensor<1x1x7x4x!t>) {
  %c6 = arith.constant 6 : index
  %l = arith.index_cast %now : i64 to index
  %next = attn.cache_append new(%k : tensor<1x1x1x4x!t>) start(%c6 : index) outs(%cache : tensor<1x1x7x4x!t>)
  %eq = tensor.empty() : tensor<1x1xi64>
  %pq = attn.positions offset(%c6 : index) outs(%eq : tensor<1x1xi64>)
  %ek = tensor.empty() : tensor<1x7xi64>
  %pk = attn.positions outs(%ek : tensor<1x7xi64>)
  %tq = tensor.empty() : tensor<1x1x2xf32>
  %cq, %sq = attn.rotary_table positions(%pq : tensor<1x1xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%l) outs(%tq, %tq : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %tk = tensor.empty() : tensor<1x7x2xf32>
  %ck, %sk = attn.rotary_table positions(%pk : tensor<1x7xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%l) outs(%tk, %tk : tensor<1x7x2xf32>, tensor<1x7x2xf32>)
  %oq = tensor.empty() : tensor<1x1x1x4x!t>
  %rq = attn.rotary split_half %q, %cq, %sq : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%oq : tensor<1x1x1x4x!t>)
  %ok = tensor.empty() : tensor<1x1x7x4x!t>
  %rk = attn.rotary split_half %next, %ck, %sk : tensor<1x1x7x4x!t>, tensor<1x7x2xf32>, tensor<1x7x2xf32>
    outs(%ok : tensor<1x1x7x4x!t>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%rq : tensor<1x1x1x4x!t>) key(%rk : tensor<1x1x7x4x!t>)
    value(%v : tensor<1x1x7x1x!t>) outs(%out : tensor<1x1x1x1x!t>) {scale = 0.5 : f64}
  return %rows, %next : tensor<1x1x1x1x!t>, tensor<1x1x7x4x!t>
}
