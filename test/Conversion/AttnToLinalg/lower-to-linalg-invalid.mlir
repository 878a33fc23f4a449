// RUN: attn-opt %s --attn-lower-to-linalg --split-input-file --verify-diagnostics

func.func @argument(%mask: !attn.mask, %out: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
  // expected-error @below {{expects 'source' to be made by ops that emit masks, got one that depends on a function argument or on the result of another op}}
  %dense = attn.materialize %mask : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
  return %dense : tensor<1x1x8x8xi1>
}

// -----

func.func @inside(%bias: !attn.bias, %out: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %alibi = attn.bias.alibi linear heads 8
  %sum = attn.bias.add %alibi, %bias
  // expected-error @below {{expects 'source' to be made by ops that emit biases}}
  %dense = attn.materialize %sum : !attn.bias outs(%out : tensor<1x8x8x8xf32>)
  return %dense : tensor<1x8x8x8xf32>
}
