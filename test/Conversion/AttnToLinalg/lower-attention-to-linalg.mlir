// RUN: attn-opt %s --attn-lower-attention-to-linalg --canonicalize --cse --split-input-file | FileCheck %s

// One row at a time, over the keys that the mask may keep, twice. No tensor has
// the size of both sequences.
// CHECK-LABEL: func @causal
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x8x128x64xf32>, %[[K:[a-z0-9]+]]: tensor<1x2x128x64xf32>, %[[V:[a-z0-9]+]]: tensor<1x2x128x32xf32>, %[[OUT:[a-z0-9]+]]: tensor<1x8x128x32xf32>
// CHECK-NOT:     128x128
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[GROUP:.*]] = arith.constant 4 : index
// CHECK:         scf.forall (%[[H:.*]], %[[I:.*]]) in (8, 128) shared_outs(%[[ACC:.*]] = %[[OUT]])
// CHECK:           %[[KH:.*]] = arith.floordivsi %[[H]], %[[GROUP]]
// CHECK:           arith.addi %[[I]], %[[ONE]]
// CHECK:           %[[MAX:.*]]:2 = scf.for %[[J:[a-z0-9]+]] = {{.*}} -> (f32, i1)
// CHECK:             %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]]
// CHECK:             scf.if %[[KEEP]]
// CHECK:               scf.for
// CHECK:                 tensor.extract %[[Q]][%{{.*}}, %[[H]], %[[I]], %{{.*}}]
// CHECK:                 tensor.extract %[[K]][%{{.*}}, %[[KH]], %[[J]], %{{.*}}]
// CHECK:               arith.mulf %{{.*}}, %[[SCALE]]
// CHECK:               arith.maximumf
// Not to subtract -inf from -inf.
// CHECK:           %[[LOWEST:.*]] = arith.cmpf oeq, %[[MAX]]#0, %{{.*}} : f32
// CHECK:           %[[SHIFT:.*]] = arith.select %[[LOWEST]], %{{.*}}, %[[MAX]]#0 : f32
// CHECK:           %[[ROW:.*]] = scf.if %[[MAX]]#1 -> (tensor<32xf32>)
// CHECK:             scf.for {{.*}} -> (f32, tensor<32xf32>)
// CHECK:               scf.if
// CHECK:                 %[[SHIFTED:.*]] = arith.subf %{{.*}}, %[[SHIFT]]
// CHECK:                 math.exp %[[SHIFTED]]
// CHECK:                 tensor.extract_slice %[[V]][0, %[[KH]], %{{.*}}, 0] [1, 1, 1, 32] [1, 1, 1, 1]
// CHECK:             arith.divf
// CHECK:           } else {
// CHECK:             linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<32xf32>)
// CHECK:           scf.forall.in_parallel
// CHECK-NEXT:        tensor.parallel_insert_slice %[[ROW]] into %[[ACC]][0, %[[H]], %[[I]], 0] [1, 1, 1, 32]
// CHECK-NOT:     attn.
func.func @causal(%q: tensor<1x8x128x64xf32>, %k: tensor<1x2x128x64xf32>, %v: tensor<1x2x128x32xf32>,
                  %out: tensor<1x8x128x32xf32>) -> tensor<1x8x128x32xf32> {
  %causal = attn.mask.causal
  %attention = attn.attention query(%q : tensor<1x8x128x64xf32>) key(%k : tensor<1x2x128x64xf32>)
    value(%v : tensor<1x2x128x32xf32>) mask(%causal) outs(%out : tensor<1x8x128x32xf32>)
  return %attention : tensor<1x8x128x32xf32>
}

// -----

// The order of the stages: scale, softcap, bias, score region. A bias of -inf
// removes the pair. bf16 is computed in f32.
// CHECK-LABEL: func @stages
// CHECK-SAME:    %[[BIAS:[a-z0-9]+]]: tensor<1x1x4x6xf32>
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 0.353553385 : f32
// CHECK-DAG:     %[[CAP:.*]] = arith.constant 2.000000e+01 : f32
// CHECK-DAG:     %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:           scf.for
// CHECK:             %[[B:.*]] = tensor.extract %[[BIAS]]
// CHECK-NEXT:        %[[KEEP:.*]] = arith.cmpf une, %[[B]], %[[LOWEST]]
// CHECK:             scf.if %[[KEEP]]
// CHECK:               arith.extf %{{.*}} : bf16 to f32
// CHECK:               }
// CHECK:               %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[SCALE]] : f32
// CHECK-NEXT:          %[[RATIO:.*]] = arith.divf %[[SCALED]], %[[CAP]]
// CHECK-NEXT:          %[[TANH:.*]] = math.tanh %[[RATIO]]
// CHECK-NEXT:          %[[CAPPED:.*]] = arith.mulf %[[TANH]], %[[CAP]]
// CHECK-NEXT:          %[[BIASED:.*]] = arith.addf %[[CAPPED]], %[[B]]
// CHECK-NEXT:          %[[SCORE:.*]] = math.absf %[[BIASED]]
// CHECK-NEXT:          arith.maximumf %{{.*}}, %[[SCORE]]
// CHECK:           math.log
// CHECK:           tensor.parallel_insert_slice %{{.*}} : tensor<4xbf16> into tensor<1x2x4x4xbf16>
// CHECK:           tensor.parallel_insert_slice %{{.*}} : tensor<1x1x1xf32> into tensor<1x2x4xf32>
func.func @stages(%bias: tensor<1x1x4x6xf32>, %q: tensor<1x2x4x8xbf16>, %k: tensor<1x2x6x8xbf16>,
                  %v: tensor<1x2x6x4xbf16>, %out: tensor<1x2x4x4xbf16>, %lse_out: tensor<1x2x4xf32>)
    -> (tensor<1x2x4x4xbf16>, tensor<1x2x4xf32>) {
  %b = attn.bias.tensor %bias : tensor<1x1x4x6xf32>
  %attention, %lse = attn.attention query(%q : tensor<1x2x4x8xbf16>) key(%k : tensor<1x2x6x8xbf16>)
    value(%v : tensor<1x2x6x4xbf16>) bias(%b)
    outs(%out, %lse_out : tensor<1x2x4x4xbf16>, tensor<1x2x4xf32>) {softcap = 20.0} score {
  ^bb0(%score: f32, %batch: index, %h: index, %i: index, %j: index):
    %abs = math.absf %score : f32
    attn.yield %abs : f32
  }
  return %attention, %lse : tensor<1x2x4x4xbf16>, tensor<1x2x4xf32>
}

// -----

// The mean of all values is a loop of its own.
// CHECK-LABEL: func @mean
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 6.000000e+00 : f32
// CHECK:         } else {
// CHECK:         scf.for {{.*}} -> (tensor<4xf32>)
// CHECK-NOT:     scf.if
// CHECK:         arith.divf %{{.*}}, %[[COUNT]]
func.func @mean(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x4xf32>, %keep: tensor<1x1x4x6xi1>,
                %out: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x4x6xi1>
  %attention = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
    value(%v : tensor<1x2x6x4xf32>) mask(%mask) empty_row=mean outs(%out : tensor<1x2x4x4xf32>)
  return %attention : tensor<1x2x4x4xf32>
}

// -----

// CHECK-LABEL: func @nan
// CHECK:         %[[NAN:.*]] = arith.constant 0x7E00 : f16
// CHECK:         linalg.fill ins(%[[NAN]] : f16)
func.func @nan(%q: tensor<1x2x4x8xf16>, %k: tensor<1x2x6x8xf16>, %v: tensor<1x2x6x4xf16>, %keep: tensor<1x1x4x6xi1>,
               %out: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x4x6xi1>
  %attention = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%k : tensor<1x2x6x8xf16>)
    value(%v : tensor<1x2x6x4xf16>) mask(%mask) empty_row=nan outs(%out : tensor<1x2x4x4xf16>)
  return %attention : tensor<1x2x4x4xf16>
}

// -----

// The query is rotated in f32 and not rounded; the key is read as it is.
// CHECK-LABEL: func @rotation
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<1x2x4x8xf16>, %[[K:[a-z0-9]+]]: tensor<1x2x6x8xf16>
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<1x2x4x8xf16>)
// CHECK:         tensor.extract_slice %[[WIDE]]
// CHECK-NOT:     f16
// CHECK:         %[[HALF:.*]] = tensor.insert_slice {{.*}} : tensor<1x2x4x4xf32> into tensor<1x2x4x8xf32>
// CHECK:         %[[ROTATED:.*]] = tensor.insert_slice %{{.*}} into %[[HALF]]
// CHECK-NEXT:    scf.forall
// CHECK:           tensor.extract %[[ROTATED]]
// CHECK:           tensor.extract %[[K]]
func.func @rotation(%q: tensor<1x2x4x8xf16>, %k: tensor<1x2x6x8xf16>, %v: tensor<1x2x6x4xf16>,
                    %cos: tensor<1x4x4xf32>, %sin: tensor<1x4x4xf32>, %out: tensor<1x2x4x4xf16>)
    -> tensor<1x2x4x4xf16> {
  %attention = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%k : tensor<1x2x6x8xf16>)
    value(%v : tensor<1x2x6x4xf16>) rotate_query(%cos, %sin : tensor<1x4x4xf32>, tensor<1x4x4xf32>)
    outs(%out : tensor<1x2x4x4xf16>) {query_rotation = #attn.rotation<split_half>}
  return %attention : tensor<1x2x4x4xf16>
}

// -----

// Sizes that only run time knows: checked there, and the scale follows.
// CHECK-LABEL: func @dynamic
// CHECK-DAG:     cf.assert %{{.*}}, "'attn.attention' op expects length of 'value' to equal that of 'key'"
// CHECK-DAG:     cf.assert %{{.*}}, "'attn.attention' op expects head dimension of 'query' to equal that of 'key'"
// CHECK-DAG:     cf.assert %{{.*}}, "'attn.attention' op expects number of heads of 'query' to be a multiple of that of 'key'"
// CHECK:         math.sqrt
func.func @dynamic(%q: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %v: tensor<?x?x?x?xf32>,
                   %out: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %attention = attn.attention query(%q : tensor<?x?x?x?xf32>) key(%k : tensor<?x?x?x?xf32>)
    value(%v : tensor<?x?x?x?xf32>) outs(%out : tensor<?x?x?x?xf32>)
  return %attention : tensor<?x?x?x?xf32>
}

// -----

// No query: the destination is the result.
// CHECK-LABEL: func @no_query
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: tensor<1x2x0x4xf32>)
// CHECK-NEXT:    return %[[OUT]]
func.func @no_query(%q: tensor<1x2x0x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x4xf32>,
                    %out: tensor<1x2x0x4xf32>) -> tensor<1x2x0x4xf32> {
  %attention = attn.attention query(%q : tensor<1x2x0x8xf32>) key(%k : tensor<1x2x6x8xf32>)
    value(%v : tensor<1x2x6x4xf32>) outs(%out : tensor<1x2x0x4xf32>)
  return %attention : tensor<1x2x0x4xf32>
}

// -----

// Attention on memrefs is left to the kernels.
// CHECK-LABEL: func @memref
// CHECK:         attn.attention
func.func @memref(%q: memref<1x2x4x8xf32>, %k: memref<1x2x6x8xf32>, %v: memref<1x2x6x4xf32>,
                  %out: memref<1x2x4x4xf32>) {
  attn.attention query(%q : memref<1x2x4x8xf32>) key(%k : memref<1x2x6x8xf32>)
    value(%v : memref<1x2x6x4xf32>) outs(%out : memref<1x2x4x4xf32>)
  return
}
