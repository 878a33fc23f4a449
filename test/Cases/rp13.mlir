// A position with three numbers, and pairs that turn by one of them each: in
// consecutive ranges, or in turns. One number for all, or ranges of other sizes, is
// invisible with text, where the three are equal.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = range(1, 9)
// %p = [3, 5, 7]
// -> [-1.695593, -1.121388, 2.503053, 3.943902, -4.808842, 6.224346, 7.192686, 8.027804]
// not [-1.695593, 0.1375517, 2.788682, 3.975982, -4.808842, 6.323059, 7.086837, 8.011964]
// again
// %p = [3, 3, 3]
// -> [-1.695593, 0.1375517, 2.788682, 3.975982, -4.808842, 6.323059, 7.086837, 8.011964]
func.func @chunked(%x: tensor<1x1x1x8x!t>, %p: tensor<3x1x1xi64>) -> tensor<1x1x1x8x!t> {
  %e = tensor.empty() : tensor<1x1x4xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<3x1x1xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<chunked, [1, 1, 2]>)
    outs(%e, %e : tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}

// %x = range(1, 9)
// %p = [3, 5, 7]
// -> [-1.695593, -1.121388, 2.503053, 3.975982, -4.808842, 6.224346, 7.192686, 8.011964]
// again
// %p = [3, 3, 3]
// -> [-1.695593, 0.1375517, 2.788682, 3.975982, -4.808842, 6.323059, 7.086837, 8.011964]
func.func @interleaved(%x: tensor<1x1x1x8x!t>, %p: tensor<3x1x1xi64>) -> tensor<1x1x1x8x!t> {
  %e = tensor.empty() : tensor<1x1x4xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<3x1x1xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<interleaved, [2, 1, 1]>)
    outs(%e, %e : tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  %o = tensor.empty() : tensor<1x1x1x8x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x8x!t>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
    outs(%o : tensor<1x1x1x8x!t>)
  return %r : tensor<1x1x1x8x!t>
}
