// A mask whose rows lie 7 or 8 bytes apart and start in the middle of a buffer is
// read where it lies; nothing is assumed about alignment. Query, key and value that
// are views with heads and tokens exchanged give the bits of copies. The bytes
// between are 1, which would keep.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5, 6]
// %buffer = [1] * 3 + [int(j <= i) if j < 6 else 1 for i in range(6) for j in range(8)]
// -> [1, 1.5, 2, 2.5, 3, 3.5]
func.func @stride_8(%q: tensor<1x1x6x1x!t>, %k: tensor<1x1x6x1x!t>, %v: tensor<1x1x6x1x!t>,
    %buffer: tensor<51xi1>) -> tensor<1x1x6x1x!t> {
  %tail = tensor.extract_slice %buffer[3] [48] [1] : tensor<51xi1> to tensor<48xi1>
  %wide = tensor.expand_shape %tail [[0, 1, 2, 3]] output_shape [1, 1, 6, 8] : tensor<48xi1> into tensor<1x1x6x8xi1>
  %keep = tensor.extract_slice %wide[0, 0, 0, 0] [1, 1, 6, 6] [1, 1, 1, 1] : tensor<1x1x6x8xi1> to tensor<1x1x6x6xi1>
  %mask = attn.mask.tensor keep %keep : tensor<1x1x6x6xi1>
  %out = tensor.empty() : tensor<1x1x6x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x6x1x!t>) key(%k : tensor<1x1x6x1x!t>) value(%v : tensor<1x1x6x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x6x1x!t>)
  return %rows : tensor<1x1x6x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5, 6]
// %buffer = [1] * 3 + [int(j <= i) if j < 6 else 1 for i in range(6) for j in range(7)]
// -> [1, 1.5, 2, 2.5, 3, 3.5]
func.func @stride_7(%q: tensor<1x1x6x1x!t>, %k: tensor<1x1x6x1x!t>, %v: tensor<1x1x6x1x!t>,
    %buffer: tensor<45xi1>) -> tensor<1x1x6x1x!t> {
  %tail = tensor.extract_slice %buffer[3] [42] [1] : tensor<45xi1> to tensor<42xi1>
  %wide = tensor.expand_shape %tail [[0, 1, 2, 3]] output_shape [1, 1, 6, 7] : tensor<42xi1> into tensor<1x1x6x7xi1>
  %keep = tensor.extract_slice %wide[0, 0, 0, 0] [1, 1, 6, 6] [1, 1, 1, 1] : tensor<1x1x6x7xi1> to tensor<1x1x6x6xi1>
  %mask = attn.mask.tensor keep %keep : tensor<1x1x6x6xi1>
  %out = tensor.empty() : tensor<1x1x6x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x6x1x!t>) key(%k : tensor<1x1x6x1x!t>) value(%v : tensor<1x1x6x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x6x1x!t>)
  return %rows : tensor<1x1x6x1x!t>
}

// %q = [sin(3 * a) for a in range(60)]
// %k = [cos(5 * a) for a in range(60)]
// %v = [sin(7 * a) for a in range(60)]
// %qh = [sin(3 * (12 * s + 4 * h + d)) for h in range(3) for s in range(5) for d in range(4)]
// %kh = [cos(5 * (12 * s + 4 * h + d)) for h in range(3) for s in range(5) for d in range(4)]
// %vh = [sin(7 * (12 * s + 4 * h + d)) for h in range(3) for s in range(5) for d in range(4)]
// -> 0 within 0
func.func @exchanged(%q: tensor<1x5x3x4x!t>, %k: tensor<1x5x3x4x!t>, %v: tensor<1x5x3x4x!t>,
    %qh: tensor<1x3x5x4x!t>, %kh: tensor<1x3x5x4x!t>, %vh: tensor<1x3x5x4x!t>) -> tensor<1x3x5x4x!t> {
  %e = tensor.empty() : tensor<1x3x5x4x!t>
  %qt = linalg.transpose ins(%q : tensor<1x5x3x4x!t>) outs(%e : tensor<1x3x5x4x!t>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k : tensor<1x5x3x4x!t>) outs(%e : tensor<1x3x5x4x!t>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%v : tensor<1x5x3x4x!t>) outs(%e : tensor<1x3x5x4x!t>) permutation = [0, 2, 1, 3]
  %causal = attn.mask.causal
  %viewed = attn.attention query(%qt : tensor<1x3x5x4x!t>) key(%kt : tensor<1x3x5x4x!t>)
    value(%vt : tensor<1x3x5x4x!t>)
    mask(%causal) outs(%e : tensor<1x3x5x4x!t>)
  %copied = attn.attention query(%qh : tensor<1x3x5x4x!t>) key(%kh : tensor<1x3x5x4x!t>)
    value(%vh : tensor<1x3x5x4x!t>)
    mask(%causal) outs(%e : tensor<1x3x5x4x!t>)
  %difference = arith.subf %viewed, %copied : tensor<1x3x5x4x!t>
  return %difference : tensor<1x3x5x4x!t>
}
