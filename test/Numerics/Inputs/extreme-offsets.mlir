func.func @main(%q: tensor<2x2x5x8xf32>, %k: tensor<2x2x9x8xf32>, %o: tensor<2x2x5x8xf32>, %len: tensor<2xi64>, %off: index, %offb: tensor<2xi64>, %keys: index) -> (tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>) {
  %c = attn.mask.causal offset(%off : index)
  %w = attn.mask.window left 1152921504606846976 right 2 offset(%offb : tensor<2xi64>)
  %p = attn.mask.padding left lengths(%len : tensor<2xi64>) keys(%keys)
  %1 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) mask(%c) outs(%o : tensor<2x2x5x8xf32>)
  %2 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) mask(%w) empty_row = nan outs(%o : tensor<2x2x5x8xf32>)
  %n = attn.mask.not %c
  %3 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) mask(%p) empty_row = mean outs(%o : tensor<2x2x5x8xf32>)
  %al = attn.bias.alibi linear heads 2 offset(%off : index)
  %4 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) bias(%al) mask(%n) empty_row = mean outs(%o : tensor<2x2x5x8xf32>)
  return %1, %2, %3, %4 : tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>
}
