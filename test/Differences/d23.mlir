// Four query heads on two heads of keys: in groups (0, 0, 1, 1), or in turns (0, 1,
// 0, 1; tiled). The op means groups. Turns are written by permuting the heads of key
// and value: repeated as a whole, they are a head of their own for each query head.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2]
// -> [1, 1, 2, 2]
// not [1, 2, 1, 2]
func.func @groups(%q: tensor<1x4x1x1x!t>, %k: tensor<1x2x1x1x!t>, %v: tensor<1x2x1x1x!t>) -> tensor<1x4x1x1x!t> {
  %out = tensor.empty() : tensor<1x4x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x4x1x1x!t>) key(%k : tensor<1x2x1x1x!t>) value(%v : tensor<1x2x1x1x!t>)
    outs(%out : tensor<1x4x1x1x!t>)
  return %rows : tensor<1x4x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2]
// -> [1, 2, 1, 2]
// not [1, 1, 2, 2]
func.func @turns(%q: tensor<1x4x1x1x!t>, %k: tensor<1x2x1x1x!t>, %v: tensor<1x2x1x1x!t>) -> tensor<1x4x1x1x!t> {
  %k4 = tensor.concat dim(1) %k, %k : (tensor<1x2x1x1x!t>, tensor<1x2x1x1x!t>) -> tensor<1x4x1x1x!t>
  %v4 = tensor.concat dim(1) %v, %v : (tensor<1x2x1x1x!t>, tensor<1x2x1x1x!t>) -> tensor<1x4x1x1x!t>
  %out = tensor.empty() : tensor<1x4x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x4x1x1x!t>) key(%k4 : tensor<1x4x1x1x!t>)
    value(%v4 : tensor<1x4x1x1x!t>) outs(%out : tensor<1x4x1x1x!t>)
  return %rows : tensor<1x4x1x1x!t>
}
