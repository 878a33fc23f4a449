func.func @main(%positions: tensor<?x1x1xi64>, %f: tensor<?xf64>) -> tensor<1x1x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %f, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<1x1x?xf32>
  %r:2 = attn.rotary_table positions(%positions : tensor<?x1x1xi64>) frequencies(%f : tensor<?xf64>)
    sections(#attn.sections<chunked, [1, 1]>) outs(%e, %e : tensor<1x1x?xf32>, tensor<1x1x?xf32>)
  return %r#1 : tensor<1x1x?xf32>
}
