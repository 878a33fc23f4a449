// A sum of 2044 products is not a multiple of any tile, and what is left over was
// dropped or read from behind the end: 2012 instead of 2044. The rows go on with
// NaN.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %x = ([1] * 2044 + [nan] * 4) * 16
// %y = [1] * 2044 * 8 + [nan] * 32
// -> 2044 within 0
// not [2012] * 128
func.func @product_2044(%x: tensor<16x2048x!t>, %y: tensor<2048x8x!t>) -> tensor<16x8xf32> {
  %a = tensor.extract_slice %x[0, 0] [16, 2044] [1, 1] : tensor<16x2048x!t> to tensor<16x2044x!t>
  %b = tensor.extract_slice %y[0, 0] [2044, 8] [1, 1] : tensor<2048x8x!t> to tensor<2044x8x!t>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x2044x!t>, tensor<2044x8x!t>)
    outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// %x = ([1] * 130 + [nan] * 14) * 16
// %y = [1] * 130 * 8 + [nan] * 112
// -> 130 within 0
// not [128] * 128
func.func @product_130(%x: tensor<16x144x!t>, %y: tensor<144x8x!t>) -> tensor<16x8xf32> {
  %a = tensor.extract_slice %x[0, 0] [16, 130] [1, 1] : tensor<16x144x!t> to tensor<16x130x!t>
  %b = tensor.extract_slice %y[0, 0] [130, 8] [1, 1] : tensor<144x8x!t> to tensor<130x8x!t>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x130x!t>, tensor<130x8x!t>)
    outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// Twenty features; each score is 1.
// %q = 1
// %k = 1
// %v = [1, 2, 3, 4, 5, 6, 7]
// -> 4
// -> 1 + log(7)
func.func @features(%q: tensor<1x1x3x20x!t>, %k: tensor<1x1x7x20x!t>, %v: tensor<1x1x7x1x!t>)
    -> (tensor<1x1x3x1x!t>, tensor<1x1x3xf32>) {
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %sums = tensor.empty() : tensor<1x1x3xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x3x20x!t>) key(%k : tensor<1x1x7x20x!t>)
    value(%v : tensor<1x1x7x1x!t>)
    outs(%out, %sums : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>) {scale = 0.05 : f64}
  return %rows, %lse : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>
}

// %q = 0
// %k = [0] * 2044 + [nan] * 20
// %v = [j % 4 for j in range(2044)] + [nan, inf] * 10
// -> 1.5
func.func @keys(%q: tensor<1x1x17x1x!t>, %k: tensor<1x1x2064x1x!t>, %v: tensor<1x1x2064x1x!t>)
    -> tensor<1x1x17x1x!t> {
  %ks = tensor.extract_slice %k[0, 0, 0, 0] [1, 1, 2044, 1] [1, 1, 1, 1]
    : tensor<1x1x2064x1x!t> to tensor<1x1x2044x1x!t>
  %vs = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, 2044, 1] [1, 1, 1, 1]
    : tensor<1x1x2064x1x!t> to tensor<1x1x2044x1x!t>
  %e = tensor.empty() : tensor<1x1x17x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x17x1x!t>) key(%ks : tensor<1x1x2044x1x!t>)
    value(%vs : tensor<1x1x2044x1x!t>)
    outs(%e : tensor<1x1x17x1x!t>)
  return %rows : tensor<1x1x17x1x!t>
}
