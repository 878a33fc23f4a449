// Frequencies that change with the number of tokens, and a cache of rotated keys:
// the keys as they were rotated then, or rotated again with the query. The operand
// length of each table.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -attn-lint -verify-diagnostics -o /dev/null

!t = f32

// %q = 1
// %k = 1
// %v = [0, 1, 2, 3, 4, 5, 6]
// %now = 7
// %before = 7
// -> [3.327534]
// not [3.249335]
func.func @rotated_again(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x7x4x!t>, %v: tensor<1x1x7x1x!t>, %now: i64,
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

// %q = 1
// %k = 1
// %v = [0, 1, 2, 3, 4, 5, 6]
// %now = 7
// %before = 6
// -> [3.249335]
// not [3.327534]
func.func @as_it_was(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x7x4x!t>, %v: tensor<1x1x7x1x!t>, %now: i64,
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

// What attn-lint finds: a cache that takes keys as they are rotated now; neither as
// six tokens would have them, nor unrotated.
// %k = 1
// %cache = 0
// %now = 7
// Z = 6 * 0.1071429
// Y = 6 * 0.25
// -> [[0] * 4] * 6 + [[cos(6) - sin(6), cos(Z) - sin(Z), cos(6) + sin(6), cos(Z) + sin(Z)]]
// not [[0] * 4] * 6 + [[cos(6) - sin(6), cos(Y) - sin(Y), cos(6) + sin(6), cos(Y) + sin(Y)]]
// not [[0] * 4] * 6 + [[1] * 4]
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
