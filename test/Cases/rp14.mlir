// Seven pairs fill no vector, and the number of tokens is known at run time only.
// Code that took eight read or wrote across the halves; code that gathered the other
// half by computed indices was not tiled at all. Row 4 of five tokens, the only row
// of one token, and a cache whose other rows keep their 99.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = [[[range(1, 15)]]]
// %last = 0
// -> [range(1, 15)] within 0
// again
// %x = [[[range(1, 15)] * 5]]
// %last = 4
// -> [[5.4007763, -6.9532256, 0.037402582, 3.1394148, 4.75033, 5.9276539, 6.9791177,
//        -5.9859515, 6.0541435, 10.44024, 11.275818, 12.101007, 13.033147, 14.010422]]
func.func @halves(%x: tensor<1x1x?x14x!t>, %last: i64) -> tensor<1x14x!t> {
  %c2 = arith.constant 2 : index
  %size = tensor.dim %x, %c2 : tensor<1x1x?x14x!t>
  %e = tensor.empty(%size) : tensor<1x?xi64>
  %p = attn.positions outs(%e : tensor<1x?xi64>)
  %c = tensor.empty(%size) : tensor<1x?x7xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 14, base = 10000.0>) outs(%c, %c : tensor<1x?x7xf32>, tensor<1x?x7xf32>)
  %o = tensor.empty(%size) : tensor<1x1x?x14x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x?x14x!t>, tensor<1x?x7xf32>, tensor<1x?x7xf32>
    outs(%o : tensor<1x1x?x14x!t>)
  %i = arith.index_cast %last : i64 to index
  %row = tensor.extract_slice %r[0, 0, %i, 0] [1, 1, 1, 14] [1, 1, 1, 1] : tensor<1x1x?x14x!t> to tensor<1x14x!t>
  return %row : tensor<1x14x!t>
}

// %x = [[[range(1, 15)]]]
// %last = 0
// -> [range(1, 15)] within 0
// again
// %x = [[[range(1, 15)] * 5]]
// %last = 4
// -> [[0.85996137, -2.0640897, -2.0824323, 4.5457096, 3.0907602, 7.1726705, 6.3619265,
//        8.5162134, 8.7909044, 10.184302, 10.933135, 12.060952, 12.979111, 14.019368]]
func.func @pairs(%x: tensor<1x1x?x14x!t>, %last: i64) -> tensor<1x14x!t> {
  %c2 = arith.constant 2 : index
  %size = tensor.dim %x, %c2 : tensor<1x1x?x14x!t>
  %e = tensor.empty(%size) : tensor<1x?xi64>
  %p = attn.positions outs(%e : tensor<1x?xi64>)
  %c = tensor.empty(%size) : tensor<1x?x7xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 14, base = 10000.0>) outs(%c, %c : tensor<1x?x7xf32>, tensor<1x?x7xf32>)
  %o = tensor.empty(%size) : tensor<1x1x?x14x!t>
  %r = attn.rotary interleaved %x, %cos, %sin : tensor<1x1x?x14x!t>, tensor<1x?x7xf32>, tensor<1x?x7xf32>
    outs(%o : tensor<1x1x?x14x!t>)
  %i = arith.index_cast %last : i64 to index
  %row = tensor.extract_slice %r[0, 0, %i, 0] [1, 1, 1, 14] [1, 1, 1, 1] : tensor<1x1x?x14x!t> to tensor<1x14x!t>
  return %row : tensor<1x14x!t>
}

// %x = [[[range(1, 15)]]]
// %cache = 99
// -> [99] * 28 + list(range(1, 15)) + [99] * 70 within 0
func.func @into_cache(%x: tensor<1x1x?x14x!t>, %cache: tensor<1x1x8x14x!t>) -> tensor<1x1x8x14x!t> {
  %c2 = arith.constant 2 : index
  %size = tensor.dim %x, %c2 : tensor<1x1x?x14x!t>
  %e = tensor.empty(%size) : tensor<1x?xi64>
  %p = attn.positions outs(%e : tensor<1x?xi64>)
  %c = tensor.empty(%size) : tensor<1x?x7xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 14, base = 10000.0>) outs(%c, %c : tensor<1x?x7xf32>, tensor<1x?x7xf32>)
  %place = tensor.extract_slice %cache[0, 0, 2, 0] [1, 1, %size, 14] [1, 1, 1, 1]
    : tensor<1x1x8x14x!t> to tensor<1x1x?x14x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x?x14x!t>, tensor<1x?x7xf32>, tensor<1x?x7xf32>
    outs(%place : tensor<1x1x?x14x!t>)
  %all = tensor.insert_slice %r into %cache[0, 0, 2, 0] [1, 1, %size, 14] [1, 1, 1, 1]
    : tensor<1x1x?x14x!t> into tensor<1x1x8x14x!t>
  return %all : tensor<1x1x8x14x!t>
}

// Rows 1, 2, 6 and 7 of the cache, of which 2 to 6 are written.
// %x = [[[range(1, 15)] * 5]]
// %cache = 99
// F = [5.4007763, -6.9532256, 0.037402582, 3.1394148, 4.75033, 5.9276539, 6.9791177,
//        -5.9859515, 6.0541435, 10.44024, 11.275818, 12.101007, 13.033147, 14.010422]
// -> [99] * 14 + list(range(1, 15)) + F + [99] * 14
func.func @rows_of_cache(%x: tensor<1x1x?x14x!t>, %cache: tensor<1x1x8x14x!t>) -> tensor<4x14x!t> {
  %c2 = arith.constant 2 : index
  %size = tensor.dim %x, %c2 : tensor<1x1x?x14x!t>
  %e = tensor.empty(%size) : tensor<1x?xi64>
  %p = attn.positions outs(%e : tensor<1x?xi64>)
  %c = tensor.empty(%size) : tensor<1x?x7xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 14, base = 10000.0>) outs(%c, %c : tensor<1x?x7xf32>, tensor<1x?x7xf32>)
  %place = tensor.extract_slice %cache[0, 0, 2, 0] [1, 1, %size, 14] [1, 1, 1, 1]
    : tensor<1x1x8x14x!t> to tensor<1x1x?x14x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x?x14x!t>, tensor<1x?x7xf32>, tensor<1x?x7xf32>
    outs(%place : tensor<1x1x?x14x!t>)
  %all = tensor.insert_slice %r into %cache[0, 0, 2, 0] [1, 1, %size, 14] [1, 1, 1, 1]
    : tensor<1x1x?x14x!t> into tensor<1x1x8x14x!t>
  %before = tensor.extract_slice %all[0, 0, 1, 0] [1, 1, 2, 14] [1, 1, 1, 1] : tensor<1x1x8x14x!t> to tensor<2x14x!t>
  %after = tensor.extract_slice %all[0, 0, 6, 0] [1, 1, 2, 14] [1, 1, 1, 1] : tensor<1x1x8x14x!t> to tensor<2x14x!t>
  %rows = tensor.concat dim(0) %before, %after : (tensor<2x14x!t>, tensor<2x14x!t>) -> tensor<4x14x!t>
  return %rows : tensor<4x14x!t>
}
