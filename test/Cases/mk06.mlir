// Documents that are packed into one row: positions that start again do not keep
// them apart, a mask does. NaN in the first document stays there.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %ids = [0, 0, 1, 1]
// -> [1, 1.5, 3, 3.5]
// not [1, 1.5, 2, 2.5]
// again
// %v = [nan, 2, 3, 4]
// -> [nan, nan, 3, 3.5]
// again
// %k = [nan, inf, 0, 0]
// %v = [1, 2, 3, 4]
// -> [nan, nan, 3, 3.5]
func.func @packed(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %ids: tensor<1x4xi32>)
    -> tensor<1x1x4x1x!t> {
  %documents = attn.mask.document query(%ids : tensor<1x4xi32>) key(%ids : tensor<1x4xi32>)
  %causal = attn.mask.causal
  %mask = attn.mask.and %documents, %causal
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x4x1x!t>)
  return %rows : tensor<1x1x4x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, nan]
// %ids = [0, 0, 1, -1]
// -> [1, 1.5, 3, 0]
func.func @padding(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %ids: tensor<1x4xi32>)
    -> tensor<1x1x4x1x!t> {
  %documents = attn.mask.document query(%ids : tensor<1x4xi32>) key(%ids : tensor<1x4xi32>)
  %causal = attn.mask.causal
  %mask = attn.mask.and %documents, %causal
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x4x1x!t>)
  return %rows : tensor<1x1x4x1x!t>
}
