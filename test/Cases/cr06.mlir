// A reduction over 96 numbers, three times what a warp holds: with lanes that nobody
// wrote the maximum of negative numbers was 0. Here the numbers, as the CPU reduces
// them; the reduction within a block of threads is tested with the lowering to that
// target.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64
// %x = range(96)
// -> 95 within 0
// -> 4560 within 0
func.func @rising(%x: tensor<96x!t>) -> (tensor<!t>, tensor<!t>) {
  %low = arith.constant -3.0e+38 : !t
  %zero = arith.constant 0.0 : !t
  %e = tensor.empty() : tensor<!t>
  %m = linalg.fill ins(%low : !t) outs(%e : tensor<!t>) -> tensor<!t>
  %z = linalg.fill ins(%zero : !t) outs(%e : tensor<!t>) -> tensor<!t>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<96x!t>) outs(%m : tensor<!t>) dimensions = [0]
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<96x!t>) outs(%z : tensor<!t>) dimensions = [0]
  return %max, %sum : tensor<!t>, tensor<!t>
}

// types: f32 f64
// %x = [-1 - a for a in range(96)]
// -> -1 within 0
// -> -4656 within 0
func.func @negative(%x: tensor<96x!t>) -> (tensor<!t>, tensor<!t>) {
  %low = arith.constant -3.0e+38 : !t
  %zero = arith.constant 0.0 : !t
  %e = tensor.empty() : tensor<!t>
  %m = linalg.fill ins(%low : !t) outs(%e : tensor<!t>) -> tensor<!t>
  %z = linalg.fill ins(%zero : !t) outs(%e : tensor<!t>) -> tensor<!t>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<96x!t>) outs(%m : tensor<!t>) dimensions = [0]
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<96x!t>) outs(%z : tensor<!t>) dimensions = [0]
  return %max, %sum : tensor<!t>, tensor<!t>
}

// The same two reductions inside an attention.
// types: f32 f16 bf16
// %q = 1
// %k = [-1 - a for a in range(96)]
// %v = [1] * 96
// -> 1
// -> log(sum(exp(-1 - rounded(a)) for a in range(96)))
func.func @scores(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x96x1x!t>, %v: tensor<1x1x96x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x96x1x!t>)
    value(%v : tensor<1x1x96x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}
