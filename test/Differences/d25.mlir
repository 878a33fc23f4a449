// The scores that ONNX's Attention gives out as output mode 1: with the mask, in front
// of the cap (as first published), or capped, in front of the mask (since then, where
// mode 2 is capped and masked). None of them is a result of attn.attention: each is
// computed beside it. Scores 3 and 5 after the scale of 1/2, a cap of 2, the second key
// removed.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

#query = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#key = affine_map<(b, h, i, j) -> (b, h, j, 0)>
#pair = affine_map<(b, h, i, j) -> (b, h, i, j)>

// %q = 1
// %k = [6, 10]
// %keep = [1, 0]
// -> [3, -inf]
// not [2 * tanh(1.5), 2 * tanh(2.5)]
// not [2 * tanh(1.5), -inf]
func.func @mode_1_published(%q: tensor<1x1x1x1xf32>, %k: tensor<1x1x2x1xf32>, %keep: tensor<1x1x1x2xi1>) -> tensor<1x1x1x2xf32> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x2xi1>
  %ek = tensor.empty() : tensor<1x1x1x2xi1>
  %kept = attn.materialize %mask : !attn.mask outs(%ek : tensor<1x1x1x2xi1>)
  %es = tensor.empty() : tensor<1x1x1x2xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%q, %k, %kept : tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x2xi1>) outs(%es : tensor<1x1x1x2xf32>) {
  ^bb0(%x: f32, %y: f32, %real: i1, %o: f32):
    %scale = arith.constant 0.5 : f32
    %low = arith.constant 0xFF800000 : f32
    %xy = arith.mulf %x, %y : f32
    %scaled = arith.mulf %xy, %scale : f32
    %masked = arith.select %real, %scaled, %low : f32
    linalg.yield %masked : f32
  } -> tensor<1x1x1x2xf32>
  return %s : tensor<1x1x1x2xf32>
}

// %q = 1
// %k = [6, 10]
// %keep = [1, 0]
// -> [2 * tanh(1.5), 2 * tanh(2.5)]
// not [3, -inf]
// not [2 * tanh(1.5), -inf]
func.func @mode_1_since(%q: tensor<1x1x1x1xf32>, %k: tensor<1x1x2x1xf32>, %keep: tensor<1x1x1x2xi1>) -> tensor<1x1x1x2xf32> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x2xi1>
  %ek = tensor.empty() : tensor<1x1x1x2xi1>
  %kept = attn.materialize %mask : !attn.mask outs(%ek : tensor<1x1x1x2xi1>)
  %es = tensor.empty() : tensor<1x1x1x2xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%q, %k, %kept : tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x2xi1>) outs(%es : tensor<1x1x1x2xf32>) {
  ^bb0(%x: f32, %y: f32, %real: i1, %o: f32):
    %scale = arith.constant 0.5 : f32
    %xy = arith.mulf %x, %y : f32
    %scaled = arith.mulf %xy, %scale : f32
    %cap = arith.constant 2.0 : f32
    %part = arith.divf %scaled, %cap : f32
    %bent = math.tanh %part : f32
    %capped = arith.mulf %bent, %cap : f32
    linalg.yield %capped : f32
  } -> tensor<1x1x1x2xf32>
  return %s : tensor<1x1x1x2xf32>
}

// %q = 1
// %k = [6, 10]
// %keep = [1, 0]
// -> [2 * tanh(1.5), -inf]
// not [3, -inf]
// not [2 * tanh(1.5), 2 * tanh(2.5)]
func.func @mode_2_since(%q: tensor<1x1x1x1xf32>, %k: tensor<1x1x2x1xf32>, %keep: tensor<1x1x1x2xi1>) -> tensor<1x1x1x2xf32> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x2xi1>
  %ek = tensor.empty() : tensor<1x1x1x2xi1>
  %kept = attn.materialize %mask : !attn.mask outs(%ek : tensor<1x1x1x2xi1>)
  %es = tensor.empty() : tensor<1x1x1x2xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%q, %k, %kept : tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x2xi1>) outs(%es : tensor<1x1x1x2xf32>) {
  ^bb0(%x: f32, %y: f32, %real: i1, %o: f32):
    %scale = arith.constant 0.5 : f32
    %low = arith.constant 0xFF800000 : f32
    %xy = arith.mulf %x, %y : f32
    %scaled = arith.mulf %xy, %scale : f32
    %cap = arith.constant 2.0 : f32
    %part = arith.divf %scaled, %cap : f32
    %bent = math.tanh %part : f32
    %capped = arith.mulf %bent, %cap : f32
    %masked = arith.select %real, %capped, %low : f32
    linalg.yield %masked : f32
  } -> tensor<1x1x1x2xf32>
  return %s : tensor<1x1x1x2xf32>
}
