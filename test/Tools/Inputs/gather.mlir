// A table of four rows, looked up by token ids that are checked.
func.func @main(%ids: tensor<3xi64>) -> tensor<3x2xf32> {
  %table = arith.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]>
    : tensor<4x2xf32>
  %empty = tensor.empty() : tensor<3x2xf32>
  %rows = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%ids : tensor<3xi64>) outs(%empty : tensor<3x2xf32>) {
  ^bb0(%id: i64, %out: f32):
    %zero = arith.constant 0 : i64
    %four = arith.constant 4 : i64
    %low = arith.cmpi sge, %id, %zero : i64
    cf.assert %low, "token id must not be negative"
    %high = arith.cmpi slt, %id, %four : i64
    cf.assert %high, "token id must be smaller than the vocabulary (4)"
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %value = tensor.extract %table[%row, %column] : tensor<4x2xf32>
    linalg.yield %value : f32
  } -> tensor<3x2xf32>
  return %rows : tensor<3x2xf32>
}
