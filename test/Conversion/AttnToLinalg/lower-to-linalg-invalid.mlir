// RUN: attn-opt %s --allow-unregistered-dialect --attn-lower-to-linalg --split-input-file --verify-diagnostics

// expected-note @below {{which is defined here}}
func.func @argument(%mask: !attn.mask, %out: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
  // expected-error @below {{expects 'source' to be made by ops that emit masks, got one that depends on a block argument}}
  %dense = attn.materialize %mask : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
  return %dense : tensor<1x1x8x8xi1>
}

// -----

// expected-note @below {{which is defined here}}
func.func @inside(%bias: !attn.bias, %out: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %alibi = attn.bias.alibi linear heads 8
  %sum = attn.bias.add %alibi, %bias
  // expected-error @below {{expects 'source' to be made by ops that emit biases}}
  %dense = attn.materialize %sum : !attn.bias outs(%out : tensor<1x8x8x8xf32>)
  return %dense : tensor<1x8x8x8xf32>
}

// -----

func.func @result(%out: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
  // expected-note @below {{which is defined here}}
  %mask = "foreign.mask"() : () -> !attn.mask
  %not = attn.mask.not %mask
  // expected-error @below {{expects 'source' to be made by ops that emit masks, got one that depends on the result of 'foreign.mask'}}
  %dense = attn.materialize %not : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
  return %dense : tensor<1x1x8x8xi1>
}

// -----

module {
  // expected-note @below {{which is defined here}}
  %mask = attn.mask.and %not, %not
  %not = attn.mask.not %mask
  %out = tensor.empty() : tensor<1x1x8x8xi1>
  // expected-error @below {{expects 'source' to be made by ops that emit masks, got one that depends on itself or on more than 4096 ops}}
  %dense = attn.materialize %mask : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
  "foreign.use"(%dense) : (tensor<1x1x8x8xi1>) -> ()
}
