// What positions and encodings expect of dynamic sizes.
// RUN: attn-opt %s --attn-check-sizes --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @segments
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 0 of argument 0, for dimension 0 of 'segments' of attn.positions to equal dimension 0 of 'outs'"
// CHECK: cf.assert %{{.*}}, "expects dimension 1 of argument 1 to equal dimension 1 of argument 0, for dimension 1 of 'segments' of attn.positions to equal dimension 1 of 'outs'"
// CHECK: attn.positions
// CHECK: cf.assert %{{.*}}, "expects a non-negative 'first' of attn.positions"
// CHECK: cf.assert %{{.*}}, "expects the tokens from 'first' of attn.positions on to have 'segments'"
// CHECK: attn.positions
func.func @segments(%ids: tensor<?x?xi64>, %p: tensor<?x?xi64>, %row: tensor<1x?xi64>, %first: index)
    -> (tensor<?x?xi64>, tensor<?x?xi64>) {
  %0 = attn.positions segments(%ids : tensor<?x?xi64>) outs(%p : tensor<?x?xi64>)
  %1 = attn.positions segments(%row : tensor<1x?xi64>) first(%first) outs(%p : tensor<?x?xi64>)
  return %0, %1 : tensor<?x?xi64>, tensor<?x?xi64>
}

// CHECK-LABEL: func.func @sinusoidal
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 0 of argument 0, for dimension 0 of 'outs' of attn.sinusoidal to equal dimension 0 of 'positions'"
// CHECK: cf.assert %{{.*}}, "expects dimension 1 of argument 1 to equal dimension 1 of argument 0, for dimension 1 of 'outs' of attn.sinusoidal to equal dimension 1 of 'positions'"
// CHECK-NOT: cf.assert
// CHECK: attn.sinusoidal
func.func @sinusoidal(%p: tensor<?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = attn.sinusoidal interleaved positions(%p : tensor<?x?xf32>) outs(%e : tensor<?x?x?xf32>)
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @sections
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 1 of argument 0, for dimension 0 of 'cos' of attn.rotary_table to equal dimension 1 of 'positions'"
// CHECK: cf.assert %{{.*}}, "expects dimension 1 of argument 1 to equal dimension 2 of argument 0, for dimension 1 of 'cos' of attn.rotary_table to equal dimension 2 of 'positions'"
// CHECK: cf.assert %{{.*}}, "expects number of axes of 'positions' of attn.rotary_table to equal that of 'sections'"
// CHECK: cf.assert %{{.*}}, "expects the sum of 'sections' of attn.rotary_table to be the number of pairs of 'cos'"
// CHECK: attn.rotary_table
func.func @sections(%p: tensor<?x?x?xi64>, %c: tensor<?x?x?xf32>, %f: tensor<?xf64>) -> tensor<?x?x?xf32> {
  %0:2 = attn.rotary_table positions(%p : tensor<?x?x?xi64>) frequencies(%f : tensor<?xf64>)
    sections(#attn.sections<interleaved, [2, 1, 1]>) outs(%c, %c : tensor<?x?x?xf32>, tensor<?x?x?xf32>)
  return %0#0 : tensor<?x?x?xf32>
}
