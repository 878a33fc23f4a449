// LongRoPE divides by short factors up to the original length and by long ones above
// it: the length is that of the sequence, not of the cache, the switch is behind
// 4096 and not at it, and no table outlives it. The magnitude is sqrt(1 + ln 32 / ln
// 4096).

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = [1, 2, 3, 4]
// %length = 4096
// -> [0.943849, 2.058026, -3.643599, 4.908957]
// not [3.76167, 2.32078, -0.1284716, 4.790336]
// again
// %length = 4097
// -> [3.76167, 2.32078, -0.1284716, 4.790336]
// again
// %length = 4096
// -> [0.943849, 2.058026, -3.643599, 4.908957]
func.func @switch(%x: tensor<1x1x1x4x!t>, %length: i64) -> tensor<1x1x1x4x!t> {
  %l = arith.index_cast %length : i64 to index
  %c10 = arith.constant 10 : index
  %ep = tensor.empty() : tensor<1x1xi64>
  %p = attn.positions offset(%c10 : index) outs(%ep : tensor<1x1xi64>)
  %e = tensor.empty() : tensor<1x1x2xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 4096.0, short = [1.0, 1.5], long = [2.0, 8.0]>)
    length(%l) outs(%e, %e : tensor<1x1x2xf32>, tensor<1x1x2xf32>) {magnitude = 1.1902380714238083 : f64}
  %o = tensor.empty() : tensor<1x1x1x4x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x4x!t>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
    outs(%o : tensor<1x1x1x4x!t>)
  return %r : tensor<1x1x1x4x!t>
}
