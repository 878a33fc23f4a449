// The position of a query is the offset, an operand, plus its place among the new
// tokens. Implementations decoded at position 0, at one position for a window of new
// tokens, or at the length of a cache that had been pruned. Six tokens with query
// and key [1, 0]: at once, as four and two, and as four and one and one.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = [[[[1, 0]] * 6]]
// %k = [[[[1, 0]] * 6]]
// %v = [[[[1], [2], [3], [4], [5], [6]]]]
// %offset = 0
// -> [[[[1], [1.612942], [2.404111], [3.240678], [3.959088], [4.240257]]]]
// again
// %q = [[[[1, 0]] * 4]]
// %k = [[[[1, 0]] * 4]]
// %v = [[[[1], [2], [3], [4]]]]
// -> [[[[1], [1.612942], [2.404111], [3.240678]]]]
// again
// %q = [[[[1, 0]] * 2]]
// %k = [[[[1, 0]] * 6]]
// %v = [[[[1], [2], [3], [4], [5], [6]]]]
// %offset = 4
// -> [[[[3.959088], [4.240257]]]]
// not [[[[3.959088], [4.596441]]]]
// again
// %q = [[[[1, 0]]]]
// %k = [[[[1, 0]] * 5]]
// %v = [[[[1], [2], [3], [4], [5]]]]
// -> [[[[3.959088]]]]
// not [[[[2.835667]]]]
// again
// %k = [[[[1, 0]] * 6]]
// %v = [[[[1], [2], [3], [4], [5], [6]]]]
// %offset = 5
// -> [[[[4.240257]]]]
func.func @tokens(%q: tensor<1x1x?x2x!t>, %k: tensor<1x1x?x2x!t>, %v: tensor<1x1x?x1x!t>, %offset: i64)
    -> tensor<1x1x?x1x!t> {
  %c2 = arith.constant 2 : index
  %first = arith.index_cast %offset : i64 to index
  %sq = tensor.dim %q, %c2 : tensor<1x1x?x2x!t>
  %sk = tensor.dim %k, %c2 : tensor<1x1x?x2x!t>
  %eq = tensor.empty(%sq) : tensor<1x?xi64>
  %pq = attn.positions offset(%first : index) outs(%eq : tensor<1x?xi64>)
  %ek = tensor.empty(%sk) : tensor<1x?xi64>
  %pk = attn.positions outs(%ek : tensor<1x?xi64>)
  %cq = tensor.empty(%sq) : tensor<1x?x1xf32>
  %cosq, %sinq = attn.rotary_table positions(%pq : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%cq, %cq : tensor<1x?x1xf32>, tensor<1x?x1xf32>)
  %ck = tensor.empty(%sk) : tensor<1x?x1xf32>
  %cosk, %sink = attn.rotary_table positions(%pk : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%ck, %ck : tensor<1x?x1xf32>, tensor<1x?x1xf32>)
  %oq = tensor.empty(%sq) : tensor<1x1x?x2x!t>
  %rq = attn.rotary split_half %q, %cosq, %sinq : tensor<1x1x?x2x!t>, tensor<1x?x1xf32>, tensor<1x?x1xf32>
    outs(%oq : tensor<1x1x?x2x!t>)
  %ok = tensor.empty(%sk) : tensor<1x1x?x2x!t>
  %rk = attn.rotary split_half %k, %cosk, %sink : tensor<1x1x?x2x!t>, tensor<1x?x1xf32>, tensor<1x?x1xf32>
    outs(%ok : tensor<1x1x?x2x!t>)
  %mask = attn.mask.causal offset(%first : index)
  %out = tensor.empty(%sq) : tensor<1x1x?x1x!t>
  %rows = attn.attention query(%rq : tensor<1x1x?x2x!t>) key(%rk : tensor<1x1x?x2x!t>) value(%v : tensor<1x1x?x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x?x1x!t>) {scale = 1.0 : f64}
  return %rows : tensor<1x1x?x1x!t>
}
