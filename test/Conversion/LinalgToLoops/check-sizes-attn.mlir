// What attn ops expect of dynamic sizes.
// RUN: attn-opt %s --attn-check-sizes --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @attention
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 0 of argument 0, for dimension 0 of 'key' of attn.attention to equal dimension 0 of 'query'"
// CHECK: cf.assert %{{.*}}, "expects dimension 2 of argument 2 to equal dimension 2 of argument 1, for dimension 2 of 'value' of attn.attention to equal dimension 2 of 'key'"
// CHECK: cf.assert %{{.*}}, "expects number of heads of 'query' of attn.attention to be a multiple of that of 'key'"
// CHECK: cf.assert %{{.*}}, "expects dimension 3 of argument 3 to be at least dimension 2 of argument 2, for dimension 3 of the data of 'mask' of attn.attention not to be smaller than the attention"
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 4 to be at least dimension 0 of argument 0, for dimension 0 of the data of 'mask' of attn.attention not to be smaller than the attention"
// CHECK-NOT: cf.assert
// CHECK: attn.attention
func.func @attention(%q: tensor<?x4x6x8xf32>, %k: tensor<?x?x?x8xf32>, %v: tensor<?x?x?x8xf32>,
                     %valid: tensor<1x1x1x?xi1>, %lengths: tensor<?xi64>) -> tensor<?x4x6x8xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %q, %c0 : tensor<?x4x6x8xf32>
  %bk = tensor.dim %k, %c0 : tensor<?x?x?x8xf32>
  %bv = tensor.dim %v, %c0 : tensor<?x?x?x8xf32>
  %same = arith.cmpi eq, %bk, %bv : index
  cf.assert %same, "batch"
  %c1 = arith.constant 1 : index
  %hk = tensor.dim %k, %c1 : tensor<?x?x?x8xf32>
  %hv = tensor.dim %v, %c1 : tensor<?x?x?x8xf32>
  %heads = arith.cmpi eq, %hk, %hv : index
  cf.assert %heads, "heads"
  %e = tensor.empty(%b) : tensor<?x4x6x8xf32>
  %given = attn.mask.tensor keep %valid : tensor<1x1x1x?xi1>
  %padding = attn.mask.padding right lengths(%lengths : tensor<?xi64>)
  %mask = attn.mask.and %padding, %given
  %r = attn.attention query(%q : tensor<?x4x6x8xf32>) key(%k : tensor<?x?x?x8xf32>) value(%v : tensor<?x?x?x8xf32>)
    mask(%mask) outs(%e : tensor<?x4x6x8xf32>)
  return %r : tensor<?x4x6x8xf32>
}

// CHECK-LABEL: func.func @rotary
// CHECK: cf.assert %{{.*}}, "expects dimension 2 of argument 2 to equal dimension 2 of argument 1, for dimension 2 of 'sin' of attn.rotary to equal dimension 2 of 'cos'"
// CHECK: cf.assert %{{.*}}, "expects dimension 1 of argument 1 to equal dimension 2 of argument 0, for dimension 1 of 'cos' of attn.rotary to equal dimension 2 of 'input'"
// CHECK: cf.assert %{{.*}}, "expects the rotated pairs of attn.rotary to be within dimension 3 of 'input'"
// CHECK-NOT: cf.assert
// CHECK: attn.rotary
func.func @rotary(%x: tensor<2x4x?x8xf32>, %cos: tensor<1x?x?xf32>, %sin: tensor<1x?x?xf32>,
                  %out: tensor<2x4x?x8xf32>) -> tensor<2x4x?x8xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %cos, %c1 : tensor<1x?x?xf32>
  %b = tensor.dim %sin, %c1 : tensor<1x?x?xf32>
  %same = arith.cmpi eq, %a, %b : index
  cf.assert %same, "tables"
  %m = tensor.dim %x, %c2 : tensor<2x4x?x8xf32>
  %n = tensor.dim %out, %c2 : tensor<2x4x?x8xf32>
  %length = arith.cmpi eq, %m, %n : index
  cf.assert %length, "length"
  %r = attn.rotary split_half %x, %cos, %sin : tensor<2x4x?x8xf32>, tensor<1x?x?xf32>, tensor<1x?x?xf32>
    outs(%out : tensor<2x4x?x8xf32>)
  return %r : tensor<2x4x?x8xf32>
}

// Ids are read at a batch and a query or a key, a table at a head and at columns
// that the form of the bias gives.
// CHECK-LABEL: func.func @ids_and_tables
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to be at least dimension 0 of argument 0, for dimension 0 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 1 of argument 1 to be at least dimension 2 of argument 0, for dimension 1 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 0 of argument 2 to be at least dimension 0 of argument 0, for dimension 0 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 1 of argument 2 to be at least dimension 3 of argument 0, for dimension 1 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 0 of argument 3 to be at least dimension 0 of argument 0, for dimension 0 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 0 of argument 4 to be at least dimension 0 of argument 0, for dimension 0 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK: attn.materialize
func.func @ids_and_tables(%out: tensor<?x?x?x?xi1>, %queries: tensor<?x?xi64>, %keys: tensor<?x?xi32>,
                          %starts: tensor<?xi64>, %lengths: tensor<?xi64>) -> tensor<?x?x?x?xi1> {
  %document = attn.mask.document query(%queries : tensor<?x?xi64>) key(%keys : tensor<?x?xi32>)
  %chunk = attn.mask.chunk size 4 start(%starts : tensor<?xi64>)
  %prefix = attn.mask.prefix length(%lengths : tensor<?xi64>)
  %0 = attn.mask.and %document, %chunk
  %1 = attn.mask.and %0, %prefix
  %dense = attn.materialize %1 : !attn.mask outs(%out : tensor<?x?x?x?xi1>)
  return %dense : tensor<?x?x?x?xi1>
}

// CHECK-LABEL: func.func @tables
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to be at least dimension 1 of argument 0, for dimension 0 of the data of 'source' of attn.materialize not to be smaller than the attention"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 1 of 'table' of attn.bias.relative to be 32"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 1 of argument 2 to be at least 1, for 'table' of attn.bias.relative not to be empty"
// CHECK-DAG: cf.assert %{{.*}}, "expects dimension 1 of 'table' of attn.bias.relative to be 15"
// CHECK: attn.materialize
func.func @tables(%out: tensor<1x?x4x4xf32>, %buckets: tensor<?x?xf32>, %distances: tensor<1x?xf32>,
                  %image: tensor<1x?xf32>) -> tensor<1x?x4x4xf32> {
  %t5 = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%buckets : tensor<?x?xf32>)
  %toeplitz = attn.bias.relative toeplitz first_distance -3 table(%distances : tensor<1x?xf32>)
  %window = attn.bias.relative window size [3, 2] table(%image : tensor<1x?xf32>)
  %0 = attn.bias.add %t5, %toeplitz
  %1 = attn.bias.add %0, %window
  %dense = attn.materialize %1 : !attn.bias outs(%out : tensor<1x?x4x4xf32>)
  return %dense : tensor<1x?x4x4xf32>
}

// The size of a table that is no argument.
// CHECK-LABEL: func.func @computed_table
// CHECK: cf.assert %{{.*}}, "expects 'table' of attn.bias.relative not to be empty"
func.func @computed_table(%out: tensor<1x1x4x4xf32>, %columns: index) -> tensor<1x1x4x4xf32> {
  %table = tensor.empty(%columns) : tensor<1x?xf32>
  %toeplitz = attn.bias.relative toeplitz first_distance -3 table(%table : tensor<1x?xf32>)
  %dense = attn.materialize %toeplitz : !attn.bias outs(%out : tensor<1x1x4x4xf32>)
  return %dense : tensor<1x1x4x4xf32>
}
