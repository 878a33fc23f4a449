// Lengths that fill no tile, in buffers that go on with NaN and infinity behind the
// last row: the last tile reads none of it, and the means are those of the real
// rows. bf16 does not count to a thousand, so its values are 1. Blocks of one query
// and one key, and of sizes that divide nothing, mean the same.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --plan=1,1,1 --plan=5,7,3

!t = f32

// types: f32 f16
// %q = 0
// S = 1
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(S + 1) / 2] for i in range(S)]]]
func.func @no_mask(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: bf16
// %q = 0
// S = 1
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
func.func @no_mask_ones(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: f32 f16
// %q = 0
// S = 1
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(i + 2) / 2] for i in range(S)]]]
func.func @causal(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %causal = attn.mask.causal
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    mask(%causal) outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: bf16
// %q = 0
// S = 1
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
func.func @causal_ones(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %causal = attn.mask.causal
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    mask(%causal) outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: f32 f16
// %q = 0
// S = 1
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(max(0, i - 16) + i) / 2 + 1] for i in range(S)]]]
func.func @window(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %window = attn.mask.window left 16 right 0
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    mask(%window) outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: bf16
// %q = 0
// S = 1
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
func.func @window_ones(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %window = attn.mask.window left 16 right 0
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    mask(%window) outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: f32 f16
// %q = 0
// S = 1
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[j + 1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[(50 * (i // 50) + i) / 2 + 1] for i in range(S)]]]
func.func @documents(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %causal = attn.mask.causal
  %ids_init = tensor.empty(%s) : tensor<1x?xi64>
  %ids = linalg.generic {indexing_maps = [affine_map<(b, j) -> (b, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%ids_init : tensor<1x?xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 1 : index
    %fifty = arith.constant 50 : index
    %document = arith.divui %j, %fifty : index
    %id = arith.index_cast %document : index to i64
    linalg.yield %id : i64
  } -> tensor<1x?xi64>
  %documents = attn.mask.document query(%ids : tensor<1x?xi64>) key(%ids : tensor<1x?xi64>)
  %mask = attn.mask.and %causal, %documents
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    mask(%mask) outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}

// types: bf16
// %q = 0
// S = 1
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 15
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 17
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 127
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 129
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 137
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
// again
// S = 1025
// %size = S
// %v = [[[[1] for j in range(S)] + [[nan], [inf]] * 64]]
// -> [[[[1] for i in range(S)]]]
func.func @documents_ones(%q: tensor<!t>, %v: tensor<1x1x?x1x!t>, %size: i64) -> tensor<1x1x?x1x!t> {
  %s = arith.index_cast %size : i64 to index
  %rows = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, %s, 1] [1, 1, 1, 1] : tensor<1x1x?x1x!t> to tensor<1x1x?x1x!t>
  %e = tensor.empty(%s) : tensor<1x1x?x1x!t>
  %zero = tensor.extract %q[] : tensor<!t>
  %queries = linalg.fill ins(%zero : !t) outs(%e : tensor<1x1x?x1x!t>) -> tensor<1x1x?x1x!t>
  %causal = attn.mask.causal
  %ids_init = tensor.empty(%s) : tensor<1x?xi64>
  %ids = linalg.generic {indexing_maps = [affine_map<(b, j) -> (b, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%ids_init : tensor<1x?xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 1 : index
    %fifty = arith.constant 50 : index
    %document = arith.divui %j, %fifty : index
    %id = arith.index_cast %document : index to i64
    linalg.yield %id : i64
  } -> tensor<1x?xi64>
  %documents = attn.mask.document query(%ids : tensor<1x?xi64>) key(%ids : tensor<1x?xi64>)
  %mask = attn.mask.and %causal, %documents
  %means = attn.attention query(%queries : tensor<1x1x?x1x!t>) key(%rows : tensor<1x1x?x1x!t>)
    value(%rows : tensor<1x1x?x1x!t>)
    mask(%mask) outs(%e : tensor<1x1x?x1x!t>)
  return %means : tensor<1x1x?x1x!t>
}
