// The loss of two tokens.
func.func @main(%logits: tensor<2x4xf32>, %targets: tensor<2xi32>) -> tensor<f32> {
  %out = tensor.empty() : tensor<f32>
  %0 = attn.cross_entropy logits(%logits : tensor<2x4xf32>) targets(%targets : tensor<2xi32>) outs(%out : tensor<f32>)
  return %0 : tensor<f32>
}
