func.func @main(%q: tensor<1x?x2x4xf32>) -> tensor<1x?x2x4xf32> {
  %c1 = arith.constant 1 : index
  %heads = tensor.dim %q, %c1 : tensor<1x?x2x4xf32>
  %bias = attn.bias.alibi linear heads 4 first_head 1
  %e = tensor.empty(%heads) : tensor<1x?x2x4xf32>
  %a = attn.attention query(%q : tensor<1x?x2x4xf32>) key(%q : tensor<1x?x2x4xf32>) value(%q : tensor<1x?x2x4xf32>)
    bias(%bias) outs(%e : tensor<1x?x2x4xf32>)
  return %a : tensor<1x?x2x4xf32>
}
