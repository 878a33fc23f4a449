// A product of bf16 whose bits were taken for f16: 1.0 read so is 1.875, and the
// first element 56.25 instead of 16. Here the numbers, as the CPU computes them,
// with the sizes of one matrix instruction of a GPU; what the instruction is called,
// and whether its registers fit, is tested with the lowering to that target.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = [i + 1 for i in range(16) for k in range(16)]
// %y = [n + 1 for k in range(16) for n in range(8)]
// -> [16 * (i + 1) * (n + 1) for i in range(16) for n in range(8)] within 0
// not [56.25 * (i + 1) * (n + 1) for i in range(16) for n in range(8)]
func.func @product(%x: tensor<16x16x!t>, %y: tensor<16x8x!t>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = linalg.matmul ins(%x, %y : tensor<16x16x!t>, tensor<16x8x!t>)
    outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
