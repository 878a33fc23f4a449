// What the interpreter says of sizes and data that only it knows.

// RUN: attn-reference-test --split-input-file --verify-diagnostics %s

func.func @new_shape() -> tensor<?x1x4x1xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %new = tensor.empty(%c2) : tensor<?x1x1x1xf32>
  %cache = tensor.empty(%c1) : tensor<?x1x4x1xf32>
  // expected-error@+1 {{expects 'new' of shape [1, 1, 1, 1], got [2, 1, 1, 1]}}
  %0 = attn.cache_append new(%new : tensor<?x1x1x1xf32>) start(%c1 : index) outs(%cache : tensor<?x1x4x1xf32>)
  return %0 : tensor<?x1x4x1xf32>
}

// -----

func.func @new_length() -> tensor<1x1x4x1xf32> {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %new = tensor.empty(%c5) : tensor<1x1x?x1xf32>
  %cache = tensor.empty() : tensor<1x1x4x1xf32>
  // expected-error@+1 {{expects length of 'new' (5) to be at most that of 'outs' (4)}}
  %0 = attn.cache_append new(%new : tensor<1x1x?x1xf32>) start(%c1 : index) ring outs(%cache : tensor<1x1x4x1xf32>)
  return %0 : tensor<1x1x4x1xf32>
}

// -----

func.func @starts() -> tensor<2x1x4x1xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %starts = arith.constant dense<[1, 3]> : tensor<2xi64>
  %new = tensor.empty(%c2) : tensor<2x1x?x1xf32>
  %cache = tensor.empty() : tensor<2x1x4x1xf32>
  // expected-error@+1 {{expects a 'start' of at most 2, for 2 rows in a cache of 4, got 3}}
  %0 = attn.cache_append new(%new : tensor<2x1x?x1xf32>) start(%starts : tensor<2xi64>) outs(%cache : tensor<2x1x4x1xf32>)
  return %0 : tensor<2x1x4x1xf32>
}

// -----

func.func @part() -> tensor<1x1x?x1xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %partial = tensor.empty(%c2) : tensor<1x1x?x1xf32>
  %lse = tensor.empty(%c2) : tensor<1x1x?xf32>
  %out = tensor.empty(%c1) : tensor<1x1x?x1xf32>
  // expected-error@+1 {{expects 'partials' of shape [1, 1, 1, 1], got [1, 1, 2, 1]}}
  %0 = attn.merge partials(%partial : tensor<1x1x?x1xf32>) lses(%lse : tensor<1x1x?xf32>) outs(%out : tensor<1x1x?x1xf32>)
  return %0 : tensor<1x1x?x1xf32>
}

// -----

func.func @part_lse() -> tensor<1x1x?x1xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %partial = tensor.empty(%c1) : tensor<1x1x?x1xf32>
  %lse = tensor.empty(%c2) : tensor<1x1x?xf32>
  // expected-error@+1 {{expects 'lses' of shape [1, 1, 1], got [1, 1, 2]}}
  %0 = attn.merge partials(%partial : tensor<1x1x?x1xf32>) lses(%lse : tensor<1x1x?xf32>) outs(%partial : tensor<1x1x?x1xf32>)
  return %0 : tensor<1x1x?x1xf32>
}

// -----

func.func @targets() -> tensor<f32> {
  %c2 = arith.constant 2 : index
  %logits = arith.constant dense<0.0> : tensor<3x4xf32>
  %targets = tensor.empty(%c2) : tensor<?xi64>
  %out = tensor.empty() : tensor<f32>
  // expected-error@+1 {{expects size of 'targets' (2) to equal that of 'logits' (3)}}
  %0 = attn.cross_entropy logits(%logits : tensor<3x4xf32>) targets(%targets : tensor<?xi64>) outs(%out : tensor<f32>)
  return %0 : tensor<f32>
}

// -----

func.func @classes() -> tensor<f32> {
  %c4 = arith.constant 4 : index
  %logits = tensor.empty(%c4) : tensor<1x?xf32>
  %targets = arith.constant dense<4> : tensor<1xi64>
  %out = tensor.empty() : tensor<f32>
  // expected-error@+1 {{expects 'targets' within the 4 classes, got 4}}
  %0 = attn.cross_entropy logits(%logits : tensor<1x?xf32>) targets(%targets : tensor<1xi64>) outs(%out : tensor<f32>)
  return %0 : tensor<f32>
}

// -----

func.func @sinks() -> tensor<1x2x1x1xf32> {
  %c1 = arith.constant 1 : index
  %q = arith.constant dense<0.0> : tensor<1x2x1x1xf32>
  %sinks = tensor.empty(%c1) : tensor<?xf32>
  // expected-error@+1 {{expects number of heads of 'sinks' (1) to equal that of 'query' (2)}}
  %0 = attn.attention query(%q : tensor<1x2x1x1xf32>) key(%q : tensor<1x2x1x1xf32>) value(%q : tensor<1x2x1x1xf32>)
    sinks(%sinks : tensor<?xf32>) outs(%q : tensor<1x2x1x1xf32>)
  return %0 : tensor<1x2x1x1xf32>
}
