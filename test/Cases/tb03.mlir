// A position past the end of a learned table is an error that names both, never a
// read behind it: by the verifier where it is constant, else when the graph runs. A
// negative one is past the other end.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -split-input-file -verify-diagnostics -o /dev/null

!t = f32

// %table = [10, 20, 30, 40]
// %ids = [3, 0]
// -> [40, 10] within 0
func.func @rows(%table: tensor<4x1x!t>, %ids: tensor<1x2xi64>) -> tensor<1x2x1x!t> {
  %e = tensor.empty() : tensor<1x2x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%ids : tensor<1x2xi64>)
    outs(%e : tensor<1x2x1x!t>)
  return %r : tensor<1x2x1x!t>
}

// types: f32
// %table = [10, 20, 30, 40]
// %ids = [3, 4]
// fails: expects 'positions' within the 4 rows of 'table'.*got 4
func.func @too_large(%table: tensor<4x1x!t>, %ids: tensor<1x2xi64>) -> tensor<1x2x1x!t> {
  %e = tensor.empty() : tensor<1x2x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%ids : tensor<1x2xi64>)
    outs(%e : tensor<1x2x1x!t>)
  return %r : tensor<1x2x1x!t>
}

// types: f32
// %table = [10, 20, 30, 40]
// %ids = [0, -1]
// fails: expects 'positions' within the 4 rows of 'table'.*got -1
func.func @negative(%table: tensor<4x1x!t>, %ids: tensor<1x2xi64>) -> tensor<1x2x1x!t> {
  %e = tensor.empty() : tensor<1x2x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%ids : tensor<1x2xi64>)
    outs(%e : tensor<1x2x1x!t>)
  return %r : tensor<1x2x1x!t>
}

// Unless it says that the nearest row is meant.
// %table = [10, 20, 30, 40]
// %ids = [3, 4]
// -> [40, 40] within 0
// again
// %ids = [-1, 1]
// -> [10, 20] within 0
func.func @clamped(%table: tensor<4x1x!t>, %ids: tensor<1x2xi64>) -> tensor<1x2x1x!t> {
  %e = tensor.empty() : tensor<1x2x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%ids : tensor<1x2xi64>) out_of_range = clamp
    outs(%e : tensor<1x2x1x!t>)
  return %r : tensor<1x2x1x!t>
}

// types: f32
// %table = [10, 20, 30, 40]
// %offset = 2
// fails: expects 'positions' within the 4 rows of 'table'.*got 4
func.func @offset(%table: tensor<4x1x!t>, %offset: i64) -> tensor<1x4x1x!t> {
  %o = arith.index_cast %offset : i64 to index
  %e = tensor.empty() : tensor<1x4xi64>
  %p = attn.positions offset(%o : index) outs(%e : tensor<1x4xi64>)
  %out = tensor.empty() : tensor<1x4x1x!t>
  %r = attn.learned_position table(%table : tensor<4x1x!t>) positions(%p : tensor<1x4xi64>)
    outs(%out : tensor<1x4x1x!t>)
  return %r : tensor<1x4x1x!t>
}

// -----

func.func @constant(%table: tensor<4x1xf32>, %out: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {
  %ids = arith.constant dense<[[3, 4]]> : tensor<1x2xi64>
  // expected-error @+1 {{expects 'positions' within the 4 rows of 'table', got 4}}
  %r = attn.learned_position table(%table : tensor<4x1xf32>) positions(%ids : tensor<1x2xi64>)
    outs(%out : tensor<1x2x1xf32>)
  return %r : tensor<1x2x1xf32>
}

// -----

func.func @negative_constant(%table: tensor<4x1xf32>, %out: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {
  %ids = arith.constant dense<[[-1, 0]]> : tensor<1x2xi64>
  // expected-error @+1 {{expects 'positions' within the 4 rows of 'table', got -1}}
  %r = attn.learned_position table(%table : tensor<4x1xf32>) positions(%ids : tensor<1x2xi64>)
    outs(%out : tensor<1x2x1xf32>)
  return %r : tensor<1x2x1xf32>
}

// -----

func.func @constant_offset(%table: tensor<4x1xf32>, %init: tensor<1x4xi64>, %out: tensor<1x4x1xf32>)
    -> tensor<1x4x1xf32> {
  %two = arith.constant 2 : index
  %ids = attn.positions offset(%two : index) outs(%init : tensor<1x4xi64>)
  // expected-error @+1 {{expects 'positions' within the 4 rows of 'table', got 5}}
  %r = attn.learned_position table(%table : tensor<4x1xf32>) positions(%ids : tensor<1x4xi64>)
    outs(%out : tensor<1x4x1xf32>)
  return %r : tensor<1x4x1xf32>
}
