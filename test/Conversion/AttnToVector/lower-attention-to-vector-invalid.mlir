// RUN: attn-opt %s -split-input-file -verify-diagnostics -attn-lower-attention-to-vector
// RUN: not attn-opt %s --attn-lower-attention-to-vector=vector-bits=64 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not attn-opt %s --attn-lower-attention-to-vector=vector-registers=0 2>&1 | FileCheck %s --check-prefix=REGISTERS
// BITS: error: expects 'vector-bits' to be a power of two from 128 to 2048, got 64
// REGISTERS: error: expects 'vector-registers' to be from 8 to 64, got 0

func.func @tensors(%x: tensor<1x1x8x8xf32>, %o: tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32> {
  // expected-error@+1 {{expects memrefs, got operand 0 of type 'tensor<1x1x8x8xf32>'; bufferize first}}
  %r = attn.attention query(%x : tensor<1x1x8x8xf32>) key(%x : tensor<1x1x8x8xf32>)
    value(%x : tensor<1x1x8x8xf32>) outs(%o : tensor<1x1x8x8xf32>)
  return %r : tensor<1x1x8x8xf32>
}

// -----

// expected-note@+1 {{which is defined here}}
func.func @unknown_mask(%x: memref<1x1x8x8xf32>, %mask: !attn.mask, %o: memref<1x1x8x8xf32>) {
  // expected-error@+1 {{expects 'mask' to be made by ops that emit masks, got one that depends on a block argument}}
  attn.attention query(%x : memref<1x1x8x8xf32>) key(%x : memref<1x1x8x8xf32>)
    value(%x : memref<1x1x8x8xf32>) mask(%mask) outs(%o : memref<1x1x8x8xf32>)
  return
}

// -----

// expected-note@+1 {{which is defined here}}
func.func @unknown_bias(%x: memref<1x1x8x8xf32>, %bias: !attn.bias, %o: memref<1x1x8x8xf32>) {
  // expected-error@+1 {{expects 'bias' to be made by ops that emit biases, got one that depends on a block argument}}
  attn.attention query(%x : memref<1x1x8x8xf32>) key(%x : memref<1x1x8x8xf32>)
    value(%x : memref<1x1x8x8xf32>) bias(%bias) outs(%o : memref<1x1x8x8xf32>)
  return
}
