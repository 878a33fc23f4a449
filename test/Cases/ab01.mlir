// The slopes of a number of heads that is no power of two: those of the power of two
// below, then every other slope of twice that power. One series over all heads is
// something else, and so is a shard that counts its heads from 0. The bias of the
// key one position back is minus the slope.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %o = 1
// -> [-s for s in [0.0625, 0.00390625, 0.25]]
func.func @three(%o: i64) -> tensor<1x3x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 3 offset(%i : index)
  %e = tensor.empty() : tensor<1x3x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x3x1x1x!t>)
  return %dense : tensor<1x3x1x1x!t>
}

// %o = 1
// -> [-s for s in [0.25, 0.0625, 0.015625, 0.00390625, 0.5]]
func.func @five(%o: i64) -> tensor<1x5x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 5 offset(%i : index)
  %e = tensor.empty() : tensor<1x5x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x5x1x1x!t>)
  return %dense : tensor<1x5x1x1x!t>
}

// %o = 1
// -> [-s for s in [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]]
// not [-s for s in [0.3968503, 0.1574901, 0.0625, 0.02480314, 0.009843133, 0.00390625]]
func.func @six(%o: i64) -> tensor<1x6x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 6 offset(%i : index)
  %e = tensor.empty() : tensor<1x6x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x6x1x1x!t>)
  return %dense : tensor<1x6x1x1x!t>
}

// %o = 1
// -> [-s for s in [2**-a for a in range(1, 9)] + [0.7071068, 0.3535534, 0.1767767, 0.08838835]]
func.func @twelve(%o: i64) -> tensor<1x12x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 12 offset(%i : index)
  %e = tensor.empty() : tensor<1x12x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x12x1x1x!t>)
  return %dense : tensor<1x12x1x1x!t>
}

// %o = 1
// -> [-s for s in [2**(-a / 4) for a in range(1, 33)] + [0.917004, 2**-.375, 2**-.625, 2**-.875,
//        2**-1.125, 2**-1.375, 2**-1.625, 0.2726269]]
func.func @forty(%o: i64) -> tensor<1x40x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 40 offset(%i : index)
  %e = tensor.empty() : tensor<1x40x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x40x1x1x!t>)
  return %dense : tensor<1x40x1x1x!t>
}

// The one series, which is a rule of its own.
// %o = 1
// -> [-s for s in [0.3968503, 0.1574901, 0.0625, 0.02480314, 0.009843133, 0.00390625]]
func.func @plain(%o: i64) -> tensor<1x6x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 6 series = plain offset(%i : index)
  %e = tensor.empty() : tensor<1x6x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x6x1x1x!t>)
  return %dense : tensor<1x6x1x1x!t>
}

// Heads 4 and 5 of six.
// %o = 1
// -> [-s for s in [0.5, 0.125]]
func.func @shard(%o: i64) -> tensor<1x2x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 6 first_head 4 offset(%i : index)
  %e = tensor.empty() : tensor<1x2x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x2x1x1x!t>)
  return %dense : tensor<1x2x1x1x!t>
}
