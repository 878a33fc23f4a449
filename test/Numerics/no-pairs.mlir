// Tables without columns, which only run time knows, turn nothing, at the very end of a
// row too.

// RUN: attn-run %s --reference --shapes=in0=1x2x3x1,in1=1x3x0,in2=1x3x0 --outputs=%t.npz
// RUN: attn-run %s --shapes=in0=1x2x3x1,in1=1x3x0,in2=1x3x0 --compare=%t.npz
// RUN: attn-run %s --no-vectorize --shapes=in0=1x2x3x1,in1=1x3x0,in2=1x3x0 --compare=%t.npz
// RUN: attn-run %s --reference=linalg --shapes=in0=1x2x3x1,in1=1x3x0,in2=1x3x0 --compare=%t.npz

func.func @main(%x: tensor<?x?x?x?xf32>, %cos: tensor<?x?x?xf32>, %sin: tensor<?x?x?xf32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %x, %c1 : tensor<?x?x?x?xf32>
  %t = tensor.dim %x, %c2 : tensor<?x?x?x?xf32>
  %d = tensor.dim %x, %c3 : tensor<?x?x?x?xf32>
  %out = tensor.empty(%b, %h, %t, %d) : tensor<?x?x?x?xf32>
  %pairs = attn.rotary interleaved from 1 %x, %cos, %sin
    : tensor<?x?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32> outs(%out : tensor<?x?x?x?xf32>)
  %halves = attn.rotary split_half to interleaved from 1 %x, %cos, %sin
    : tensor<?x?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32> outs(%out : tensor<?x?x?x?xf32>)
  return %pairs, %halves : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}
