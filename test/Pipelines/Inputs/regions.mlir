func.func @main(%q: tensor<1x1x?x8xf32>, %k: tensor<1x1x?x8xf32>, %t: tensor<?xf32>, %seg: tensor<?xi64>, %off: index) -> tensor<1x1x?x8xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x1x?x8xf32>
  %o = tensor.empty(%n) : tensor<1x1x?x8xf32>
  %mask = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %s = tensor.extract %seg[%j] : tensor<?xi64>
    %x = arith.index_cast %s : i64 to index
    %v = tensor.extract %t[%x] : tensor<?xf32>
    %z = arith.constant 0.0 : f32
    %keep = arith.cmpf ogt, %v, %z : f32
    attn.yield %keep : i1
  }
  %bias = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %s = arith.addi %i, %off : index
    %v = tensor.extract %t[%s] : tensor<?xf32>
    attn.yield %v : f32
  }
  %a = attn.attention query(%q : tensor<1x1x?x8xf32>) key(%k : tensor<1x1x?x8xf32>) value(%k : tensor<1x1x?x8xf32>) bias(%bias) mask(%mask)
    outs(%o : tensor<1x1x?x8xf32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %d = arith.remui %i, %c2 : index
        %v = tensor.extract %t[%d] : tensor<?xf32>
        %twice = arith.addf %s, %v : f32
        attn.yield %twice : f32
      }
  return %a : tensor<1x1x?x8xf32>
}
