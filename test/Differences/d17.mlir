// Positions of six tokens: counted through; from the start of each document
// (segments); from the first token that is no padding (left_padding).

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %offset = 0
// -> [0, 1, 2, 3, 4, 5]
// not [0, 1, 0, 1, 2, 0]
// not [0, 0, 0, 1, 2, 3]
func.func @through(%offset: i64) -> tensor<1x6xi64> {
  %o = arith.index_cast %offset : i64 to index
  %e = tensor.empty() : tensor<1x6xi64>
  %p = attn.positions offset(%o : index) outs(%e : tensor<1x6xi64>)
  return %p : tensor<1x6xi64>
}

// %ids = [7, 7, 8, 8, 8, 7]
// -> [0, 1, 0, 1, 2, 0]
// not [0, 1, 2, 3, 4, 5]
func.func @documents(%ids: tensor<1x6xi64>) -> tensor<1x6xi64> {
  %e = tensor.empty() : tensor<1x6xi64>
  %p = attn.positions segments(%ids : tensor<1x6xi64>) outs(%e : tensor<1x6xi64>)
  return %p : tensor<1x6xi64>
}

// %pads = 2
// -> [0, 0, 0, 1, 2, 3]
// not [0, 1, 2, 3, 4, 5]
func.func @padded(%pads: tensor<1xi64>) -> tensor<1x6xi64> {
  %e = tensor.empty() : tensor<1x6xi64>
  %p = attn.positions left_padding(%pads : tensor<1xi64>) outs(%e : tensor<1x6xi64>)
  return %p : tensor<1x6xi64>
}
