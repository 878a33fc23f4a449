// RUN: attn-reference-test --split-input-file --verify-diagnostics %s

func.func @segments() {
  %ids = arith.constant dense<[[7, 7, 7]]> : tensor<1x3xi64>
  %open = tensor.cast %ids : tensor<1x3xi64> to tensor<1x?xi64>
  %out = tensor.empty() : tensor<2x4xi64>
  // expected-error@+1 {{expects segments of 4 tokens from 0 on, got 3 in all}}
  %0 = attn.positions segments(%open : tensor<1x?xi64>) outs(%out : tensor<2x4xi64>)
  return
}

// -----

func.func @tile() {
  %ids = arith.constant dense<[[7, 7, 7, 7, 7]]> : tensor<1x5xi64>
  %c2 = arith.constant 2 : index
  %out = tensor.empty() : tensor<2x4xi64>
  // expected-error@+1 {{expects segments of 4 tokens from 2 on, got 5 in all}}
  %0 = attn.positions segments(%ids : tensor<1x5xi64>) first(%c2) outs(%out : tensor<2x4xi64>)
  return
}

// -----

func.func @before() {
  %ids = arith.constant dense<[[7, 7, 7, 7, 7]]> : tensor<1x5xi64>
  %cm1 = arith.constant -1 : index
  %out = tensor.empty() : tensor<2x4xi64>
  // expected-error@+1 {{expects a non-negative 'first', got -1}}
  %0 = attn.positions segments(%ids : tensor<1x5xi64>) first(%cm1) outs(%out : tensor<2x4xi64>)
  return
}

// -----

func.func @rows() {
  %ids = arith.constant dense<7> : tensor<3x4xi64>
  %open = tensor.cast %ids : tensor<3x4xi64> to tensor<?x4xi64>
  %out = tensor.empty() : tensor<2x4xi64>
  // expected-error@+1 {{expects segments of 2 rows, got 3}}
  %0 = attn.positions segments(%open : tensor<?x4xi64>) outs(%out : tensor<2x4xi64>)
  return
}

// -----

func.func @no_rows() {
  %c0 = arith.constant 0 : index
  %table = tensor.empty(%c0) : tensor<?x2xf32>
  %p = arith.constant dense<3> : tensor<1x2xi64>
  %out = tensor.empty() : tensor<1x2x2xf32>
  // expected-error@+1 {{the table has no rows to clamp positions to}}
  %0 = attn.learned_position table(%table : tensor<?x2xf32>) positions(%p : tensor<1x2xi64>)
    out_of_range = clamp outs(%out : tensor<1x2x2xf32>)
  return
}

// -----

func.func @sinusoidal() {
  %c3 = arith.constant 3 : index
  %p = arith.constant dense<3> : tensor<1x2xi64>
  %out = tensor.empty(%c3) : tensor<1x?x4xf32>
  // expected-error@+1 {{expects a destination of shape [1, 2, 4], got [1, 3, 4]}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<1x2xi64>) outs(%out : tensor<1x?x4xf32>)
  return
}

// -----

func.func @axes() {
  %p = arith.constant dense<3> : tensor<3x1x2xi64>
  %open = tensor.cast %p : tensor<3x1x2xi64> to tensor<?x1x2xi64>
  %out = tensor.empty() : tensor<1x2x4xf32>
  // expected-error@+1 {{expects 'positions' of 2 axes, those of 'sections', got 3}}
  %0:2 = attn.rotary_table positions(%open : tensor<?x1x2xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    sections(#attn.sections<chunked, [2, 2]>) outs(%out, %out : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @too_few_frequencies() {
  %p = arith.constant dense<3> : tensor<2x1x2xi64>
  %f = arith.constant dense<1.0> : tensor<3xf64>
  %open = tensor.cast %f : tensor<3xf64> to tensor<?xf64>
  %c4 = arith.constant 4 : index
  %out = tensor.empty(%c4) : tensor<1x2x?xf32>
  // expected-error@+1 {{expects 'frequencies' of 4 pairs, those of 'sections', got 3}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x1x2xi64>) frequencies(%open : tensor<?xf64>)
    sections(#attn.sections<chunked, [2, 2]>) outs(%out, %out : tensor<1x2x?xf32>, tensor<1x2x?xf32>)
  return
}

// -----

func.func @other_frequencies() {
  %p = arith.constant dense<3> : tensor<1x2xi64>
  %f = arith.constant dense<1.0> : tensor<3xf64>
  %open = tensor.cast %f : tensor<3xf64> to tensor<?xf64>
  %cos = tensor.empty() : tensor<1x2x4xf32>
  // expected-error@+1 {{expects 'cos' of shape [1, 2, 3], by 'positions' and 'frequencies', got [1, 2, 4]}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x2xi64>) frequencies(%open : tensor<?xf64>)
    outs(%cos, %cos : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}
