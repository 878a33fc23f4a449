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

// The second document does not change by a bit, whatever stands in the first: what
// two attentions differ by is 0.
// %q = [0.3, -1.1, 0.7, 1.9]
// %k = [0.2, 1.3, -0.4, 0.9]
// %v = [1.1, 2.3, 0.7, -1.9]
// %k_of_other = [0.2, 1.3, -0.4, 0.9]
// %v_of_other = [nan, 2.3, 0.7, -1.9]
// %ids = [0, 0, 1, 1]
// -> [nan, nan, 0, 0] within 0
// again
// %k_of_other = [nan, inf, -0.4, 0.9]
// %v_of_other = [1000, -1000, 0.7, -1.9]
// -> [nan, nan, 0, 0] within 0
func.func @isolated(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %k_of_other: tensor<1x1x4x1x!t>, %v_of_other: tensor<1x1x4x1x!t>, %ids: tensor<1x4xi32>)
    -> tensor<1x1x4x1x!t> {
  %documents = attn.mask.document query(%ids : tensor<1x4xi32>) key(%ids : tensor<1x4xi32>)
  %causal = attn.mask.causal
  %mask = attn.mask.and %documents, %causal
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x4x1x!t>)
  %other = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k_of_other : tensor<1x1x4x1x!t>)
    value(%v_of_other : tensor<1x1x4x1x!t>) mask(%mask) outs(%out : tensor<1x1x4x1x!t>)
  %difference = arith.subf %rows, %other : tensor<1x1x4x1x!t>
  return %difference : tensor<1x1x4x1x!t>
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
