// The logarithm of the sum of exponentials to the base e, or to the base 2, as
// kernels keep it that compute powers of two. The attribute lse_base; the output is
// the same.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// -> [2.5]
// -> [log(4)]
// not [2]
func.func @natural(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// -> [2.5]
// -> [2]
// not [log(4)]
func.func @two(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    lse_base = two outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}
