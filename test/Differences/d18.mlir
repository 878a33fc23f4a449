// The slopes of six heads: those of four, and every other one of eight (the
// reference implementation), or one geometric series. The attribute series.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %o = 1
// -> [-s for s in [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]]
// not [-s for s in [0.3968503, 0.1574901, 0.0625, 0.02480314, 0.009843133, 0.00390625]]
func.func @standard(%o: i64) -> tensor<1x6x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 6 offset(%i : index)
  %e = tensor.empty() : tensor<1x6x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x6x1x1x!t>)
  return %dense : tensor<1x6x1x1x!t>
}

// %o = 1
// -> [-s for s in [0.3968503, 0.1574901, 0.0625, 0.02480314, 0.009843133, 0.00390625]]
// not [-s for s in [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]]
func.func @plain(%o: i64) -> tensor<1x6x1x1x!t> {
  %i = arith.index_cast %o : i64 to index
  %alibi = attn.bias.alibi linear heads 6 series = plain offset(%i : index)
  %e = tensor.empty() : tensor<1x6x1x1x!t>
  %dense = attn.materialize %alibi : !attn.bias outs(%e : tensor<1x6x1x1x!t>)
  return %dense : tensor<1x6x1x1x!t>
}
