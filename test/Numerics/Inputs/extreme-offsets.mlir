func.func @main(%q: tensor<2x2x5x8xf32>, %k: tensor<2x2x9x8xf32>, %o: tensor<2x2x5x8xf32>, %len: tensor<2xi64>, %off: index, %offb: tensor<2xi64>, %keys: index) -> (tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>) {
  %c = attn.mask.causal offset(%off : index)
  %w = attn.mask.window left 1152921504606846976 right 2 offset(%offb : tensor<2xi64>)
  %p = attn.mask.padding left lengths(%len : tensor<2xi64>) keys(%keys)
  %1 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) mask(%c) outs(%o : tensor<2x2x5x8xf32>)
  %2 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) mask(%w) empty_row = nan outs(%o : tensor<2x2x5x8xf32>)
  %n = attn.mask.not %c
  %3 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) mask(%p) empty_row = mean outs(%o : tensor<2x2x5x8xf32>)
  %al = attn.bias.alibi linear heads 2 offset(%off : index)
  %4 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) bias(%al) mask(%n) empty_row = mean outs(%o : tensor<2x2x5x8xf32>)
  %chunk = attn.mask.chunk size 3 offset(%off : index) start(%offb : tensor<2xi64>)
  %prefix = attn.mask.prefix length(%len : tensor<2xi64>)
  %chunks = attn.mask.or %chunk, %prefix
  %table = arith.constant dense<[[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]]> : tensor<1x9xf32>
  %toeplitz = attn.bias.relative toeplitz first_distance -3 table(%table : tensor<1x9xf32>) offset(%offb : tensor<2xi64>)
  %5 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) bias(%toeplitz) mask(%chunks) outs(%o : tensor<2x2x5x8xf32>)
  %image = attn.bias.relative window size [2, 2] table(%table : tensor<1x9xf32>) offset(%off : index)
  %buckets = attn.bias.relative t5 num_buckets 9 max_distance 20 table(%table : tensor<1x9xf32>) offset(%offb : tensor<2xi64>)
  %sum = attn.bias.add %image, %buckets
  %6 = attn.attention query(%q : tensor<2x2x5x8xf32>) key(%k : tensor<2x2x9x8xf32>) value(%k : tensor<2x2x9x8xf32>) bias(%sum) outs(%o : tensor<2x2x5x8xf32>)
  return %1, %2, %3, %4, %5, %6 : tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>
}
