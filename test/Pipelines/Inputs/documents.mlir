func.func @main(%q: tensor<1x1x4x8xf32>, %queries: tensor<1x?xi64>, %keys: tensor<?x4xi32>, %table: tensor<1x?xf32>) -> tensor<1x1x4x8xf32> {
  %document = attn.mask.document query(%queries : tensor<1x?xi64>) key(%keys : tensor<?x4xi32>)
  %relative = attn.bias.relative t5 num_buckets 4 max_distance 8 table(%table : tensor<1x?xf32>)
  %empty = tensor.empty() : tensor<1x1x4x8xf32>
  %attention = attn.attention query(%q : tensor<1x1x4x8xf32>) key(%q : tensor<1x1x4x8xf32>) value(%q : tensor<1x1x4x8xf32>)
    bias(%relative) mask(%document) outs(%empty : tensor<1x1x4x8xf32>)
  return %attention : tensor<1x1x4x8xf32>
}
