// A position past the end of a learned table: an error, or the last row. The
// attribute out_of_range.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32
// %table = [10, 20, 30, 40]
// %ids = [3, 4]
// fails: expects 'positions' within the 4 rows of 'table'.*got 4
func.func @trap(%table: tensor<4x1x!t>, %ids: tensor<1x2xi64>) -> tensor<1x2x1x!t> {
  %e = tensor.empty() : tensor<1x2x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%ids : tensor<1x2xi64>)
    outs(%e : tensor<1x2x1x!t>)
  return %r : tensor<1x2x1x!t>
}

// %table = [10, 20, 30, 40]
// %ids = [3, 4]
// -> [40, 40] within 0
func.func @clamp(%table: tensor<4x1x!t>, %ids: tensor<1x2xi64>) -> tensor<1x2x1x!t> {
  %e = tensor.empty() : tensor<1x2x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%ids : tensor<1x2xi64>) out_of_range = clamp
    outs(%e : tensor<1x2x1x!t>)
  return %r : tensor<1x2x1x!t>
}
