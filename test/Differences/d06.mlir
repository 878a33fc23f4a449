// The order of stages: cap, bias, mask (ONNX, FlexAttention); the bias before the
// cap (FlashInfer's ALiBi), which a score region says; the bias before the scale too
// (Falcon), which is an attribute. Scores 3 and 5 after the scale of 1/2, a cap of
// 2, a bias of -4 on the first.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 1
// %k = [6, 10]
// %v = [1, 3]
// %b = [-4, 0]
// -> [(exp(2 * tanh(1.5) - 4) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(1.5) - 4) + exp(2 * tanh(2.5)))]
// not [(exp(2 * tanh(-.5)) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(-.5)) + exp(2 * tanh(2.5)))]
// not [(exp(2 * tanh(.5)) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(.5)) + exp(2 * tanh(2.5)))]
func.func @bias_last(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %b: tensor<1x1x1x2x!t>) -> tensor<1x1x1x1x!t> {
  %bias = attn.bias.tensor %b : tensor<1x1x1x2x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    bias(%bias) outs(%out : tensor<1x1x1x1x!t>) {scale = 0.5 : f64, softcap = 2.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 1
// %k = [6, 10]
// %v = [1, 3]
// %b = [-4, 0]
// -> [(exp(2 * tanh(-.5)) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(-.5)) + exp(2 * tanh(2.5)))]
// not [(exp(2 * tanh(1.5) - 4) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(1.5) - 4) + exp(2 * tanh(2.5)))]
// not [(exp(2 * tanh(.5)) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(.5)) + exp(2 * tanh(2.5)))]
func.func @bias_before_cap(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %b: tensor<1x1x1x2x!t>) -> tensor<1x1x1x1x!t> {
  %bias = attn.bias.tensor %b : tensor<1x1x1x2x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    bias(%bias) outs(%out : tensor<1x1x1x1x!t>)
    {scale = 0.5 : f64} score {
  ^bb0(%s: f32, %b0: index, %h: index, %i: index, %j: index):
    %cap = arith.constant 2.0 : f32
    %x = arith.divf %s, %cap : f32
    %y = math.tanh %x : f32
    %z = arith.mulf %y, %cap : f32
    attn.yield %z : f32
  }
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 1
// %k = [6, 10]
// %v = [1, 3]
// %b = [-4, 0]
// -> [(exp(2 * tanh(.5)) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(.5)) + exp(2 * tanh(2.5)))]
// not [(exp(2 * tanh(1.5) - 4) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(1.5) - 4) + exp(2 * tanh(2.5)))]
// not [(exp(2 * tanh(-.5)) + 3 * exp(2 * tanh(2.5))) / (exp(2 * tanh(-.5)) + exp(2 * tanh(2.5)))]
func.func @bias_before_scale(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %b: tensor<1x1x1x2x!t>) -> tensor<1x1x1x1x!t> {
  %bias = attn.bias.tensor %b : tensor<1x1x1x2x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    bias(%bias) outs(%out : tensor<1x1x1x1x!t>) {bias_before_scale, scale = 0.5 : f64, softcap = 2.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}
