// RUN: mymask-opt --verify-diagnostics %s

func.func @heads(%q: tensor<1x4x8x16xf32>, %rates: tensor<3xi64>, %out: tensor<1x4x8x16xf32>)
    -> tensor<1x4x8x16xf32> {
  // expected-note @below {{which is this op's}}
  %mask = mymask.dilated %rates : tensor<3xi64>
  // expected-error @below {{expects number of heads of the data of 'mask' (3) to be 1 or at least 4}}
  %attention = attn.attention query(%q : tensor<1x4x8x16xf32>) key(%q : tensor<1x4x8x16xf32>)
    value(%q : tensor<1x4x8x16xf32>) mask(%mask) outs(%out : tensor<1x4x8x16xf32>)
  return %attention : tensor<1x4x8x16xf32>
}
