// No buffer holds scores, masks or biases: none has two sequence lengths, and
// scratch memory depends on neither length. The lengths, 1031 queries and 2053
// keys, are sizes that nothing else has.

// RUN: attn-opt %s --attn-cpu-pipeline=stage=bufferized -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BUFFERS
// RUN: attn-opt %t.mlir -attn-lower-attention-to-vector | FileCheck %s --check-prefix=KERNEL

// The only buffers are the results.
// BUFFERS-NOT:   1031x2053
// BUFFERS-LABEL: func.func @causal
// BUFFERS-NOT:     = memref.alloc
// BUFFERS:         = memref.alloc(){{.*}} : memref<1x4x1031x64xf32>
// BUFFERS-NOT:     = memref.alloc
// BUFFERS-NOT:     1031x2053
// BUFFERS:         attn.attention
// BUFFERS-NOT:     = memref.alloc
// BUFFERS-LABEL: func.func @biased
// BUFFERS-NOT:     = memref.alloc
// BUFFERS:         = memref.alloc(){{.*}} : memref<2x2x1031x32xbf16>
// BUFFERS-NOT:     = memref.alloc
// BUFFERS:         = memref.alloc(){{.*}} : memref<2x2x1031xf32>
// BUFFERS-NOT:     = memref.alloc
// BUFFERS-NOT:     1031x2053
// BUFFERS:         attn.attention
// BUFFERS-NOT:     = memref.alloc
// BUFFERS-LABEL: func.func @dynamic
// BUFFERS-NOT:     = memref.alloc
// BUFFERS:         = memref.alloc(%{{.*}}, %{{.*}}){{.*}} : memref<?x4x?x64xf32>
// BUFFERS-NOT:     = memref.alloc
// BUFFERS:         attn.attention
// BUFFERS-NOT:     = memref.alloc

// Scratch memory of one work unit: rows of the head dimensions or of a block of
// keys, by queries of a block.
// KERNEL-NOT:    1031x2053
// KERNEL-LABEL:  func.func @causal
// KERNEL:          = memref.alloc(){{.*}} : memref<1x4x1031x64xf32>
// KERNEL-NOT:      memref.alloc{{.*}}{{1031|2053|\?}}
// KERNEL-NOT:      1031x2053
// KERNEL-LABEL:  func.func @biased
// KERNEL:          = memref.alloc(){{.*}} : memref<2x2x1031x32xbf16>
// KERNEL:          = memref.alloc(){{.*}} : memref<2x2x1031xf32>
// KERNEL-NOT:      memref.alloc{{.*}}{{1031|2053|\?}}
// KERNEL-NOT:      1031x2053
// KERNEL-LABEL:  func.func @dynamic
// KERNEL:          = memref.alloc(%{{.*}}, %{{.*}}){{.*}} : memref<?x4x?x64xf32>
// KERNEL-NOT:      memref.alloc{{.*}}\?
// KERNEL-NOT:      memref.alloc(%
// KERNEL:          return

func.func @causal(%q: tensor<1x4x1031x64xf32>, %k: tensor<1x2x2053x64xf32>,
                  %v: tensor<1x2x2053x64xf32>) -> tensor<1x4x1031x64xf32> {
  %out = tensor.empty() : tensor<1x4x1031x64xf32>
  %offset = arith.constant 1022 : index
  %mask = attn.mask.causal offset(%offset : index)
  %0 = attn.attention query(%q : tensor<1x4x1031x64xf32>)
    key(%k : tensor<1x2x2053x64xf32>) value(%v : tensor<1x2x2053x64xf32>)
    mask(%mask) outs(%out : tensor<1x4x1031x64xf32>)
  return %0 : tensor<1x4x1031x64xf32>
}

func.func @biased(%q: tensor<2x2x1031x32xbf16>, %k: tensor<2x2x2053x32xbf16>,
                  %v: tensor<2x2x2053x32xbf16>, %lengths: tensor<2xi64>,
                  %given: tensor<2x1x1x2053xi1>, %row: tensor<1x2x1x2053xbf16>)
    -> (tensor<2x2x1031x32xbf16>, tensor<2x2x1031xf32>) {
  %out = tensor.empty() : tensor<2x2x1031x32xbf16>
  %lse = tensor.empty() : tensor<2x2x1031xf32>
  %window = attn.mask.window left 100 right 100
  %padding = attn.mask.padding right lengths(%lengths : tensor<2xi64>)
  %keep = attn.mask.tensor keep %given : tensor<2x1x1x2053xi1>
  %some = attn.mask.or %window, %keep
  %mask = attn.mask.and %some, %padding
  %alibi = attn.bias.alibi linear heads 2
  %values = attn.bias.tensor %row : tensor<1x2x1x2053xbf16>
  %bias = attn.bias.add %alibi, %values
  %0:2 = attn.attention query(%q : tensor<2x2x1031x32xbf16>)
    key(%k : tensor<2x2x2053x32xbf16>) value(%v : tensor<2x2x2053x32xbf16>)
    bias(%bias) mask(%mask)
    outs(%out, %lse : tensor<2x2x1031x32xbf16>, tensor<2x2x1031xf32>)
  return %0#0, %0#1 : tensor<2x2x1031x32xbf16>, tensor<2x2x1031xf32>
}

func.func @dynamic(%q: tensor<?x4x?x64xf32>, %k: tensor<?x2x?x64xf32>,
                   %v: tensor<?x2x?x64xf32>) -> tensor<?x4x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : tensor<?x4x?x64xf32>
  %s = tensor.dim %q, %c2 : tensor<?x4x?x64xf32>
  %out = tensor.empty(%b, %s) : tensor<?x4x?x64xf32>
  %mask = attn.mask.causal
  %0 = attn.attention query(%q : tensor<?x4x?x64xf32>)
    key(%k : tensor<?x2x?x64xf32>) value(%v : tensor<?x2x?x64xf32>)
    mask(%mask) outs(%out : tensor<?x4x?x64xf32>)
  return %0 : tensor<?x4x?x64xf32>
}
