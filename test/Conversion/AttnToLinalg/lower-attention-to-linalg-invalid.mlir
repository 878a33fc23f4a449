// RUN: attn-opt %s --attn-lower-attention-to-linalg --split-input-file --verify-diagnostics

// expected-note @below {{which is defined here}}
func.func @mask(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x4xf32>, %given: !attn.mask,
                %out: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %causal = attn.mask.causal
  %mask = attn.mask.and %causal, %given
  // expected-error @below {{expects 'mask' to be made by ops that emit masks, got one that depends on a block argument}}
  %attention = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
    value(%v : tensor<1x2x6x4xf32>) mask(%mask) outs(%out : tensor<1x2x4x4xf32>)
  return %attention : tensor<1x2x4x4xf32>
}

// -----

// expected-note @below {{which is defined here}}
func.func @bias(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x4xf32>, %bias: !attn.bias,
                %out: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @below {{expects 'bias' to be made by ops that emit biases}}
  %attention = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
    value(%v : tensor<1x2x6x4xf32>) bias(%bias) outs(%out : tensor<1x2x4x4xf32>)
  return %attention : tensor<1x2x4x4xf32>
}
