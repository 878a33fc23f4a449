// A rotation of bf16 rounds once, at its end. Products that were rounded before they
// met gave the wrong sign here. A table that is bf16 on purpose stays so, also where it
// is recovered from a graph that rounds it.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: attn-opt %s -attn-raise | FileCheck %s

!t = f32

// types: bf16
// %x = [1.8125, 1.5625]
// %p = 4
// -> [-0.002227783203125, -2.390625] within 0
// not [0.0078125, -2.390625]
// not [0.001708984375, -2.390625]
func.func @table_f32(%x: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2x!t> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %s = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %s : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %o = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%o : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}

// types: bf16
// %x = [1.8125, 1.5625]
// %cos = cos(4)
// %sin = sin(4)
// -> [0.001708984375, -2.390625] within 0
// not [-0.002227783203125, -2.390625]
// not [0.0078125, -2.390625]
func.func @table_bf16(%x: tensor<1x1x1x2x!t>, %cos: tensor<1x1x1x!t>, %sin: tensor<1x1x1x!t>) -> tensor<1x1x1x2x!t> {
  %o = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1x!t>, tensor<1x1x1x!t>
    outs(%o : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}

// types: f32 f64
// %x = [1.8125, 1.5625]
// %p = 4
// -> [-0.0022251639, -2.39302268]
func.func @f32(%x: tensor<1x1x1x2x!t>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2x!t> {
  %c = tensor.empty() : tensor<1x1x1xf32>
  %s = tensor.empty() : tensor<1x1x1xf32>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%c, %s : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %o = tensor.empty() : tensor<1x1x1x2x!t>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2x!t>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
    outs(%o : tensor<1x1x1x2x!t>)
  return %r : tensor<1x1x1x2x!t>
}

// %x = [1.8125, 1.5625]
// %p = 4
// -> [-0.002227783203125, -2.390625] within 0
// not [0.001708984375, -2.390625]
// CHECK-LABEL: func.func @graph_f32(
// CHECK: attn.rotary_table {{.*}} outs({{.*}} : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
// CHECK: attn.rotary split_half
func.func @graph_f32(%x: tensor<1x1x1x2xbf16>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2xbf16> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x2xbf16> to tensor<1x1x1x1xbf16>
  %b = tensor.extract_slice %x[0, 0, 0, 1] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x2xbf16> to tensor<1x1x1x1xbf16>
  %q = tensor.expand_shape %p [[0], [1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1x1xi64> into tensor<1x1x1x1xi64>
  %angle = arith.sitofp %q : tensor<1x1x1x1xi64> to tensor<1x1x1x1xf32>
  %c = math.cos %angle : tensor<1x1x1x1xf32>
  %s = math.sin %angle : tensor<1x1x1x1xf32>
  %aw = arith.extf %a : tensor<1x1x1x1xbf16> to tensor<1x1x1x1xf32>
  %bw = arith.extf %b : tensor<1x1x1x1xbf16> to tensor<1x1x1x1xf32>
  %ac = arith.mulf %aw, %c : tensor<1x1x1x1xf32>
  %bs = arith.mulf %bw, %s : tensor<1x1x1x1xf32>
  %bc = arith.mulf %bw, %c : tensor<1x1x1x1xf32>
  %as = arith.mulf %aw, %s : tensor<1x1x1x1xf32>
  %u = arith.subf %ac, %bs : tensor<1x1x1x1xf32>
  %v = arith.addf %bc, %as : tensor<1x1x1x1xf32>
  %un = arith.truncf %u : tensor<1x1x1x1xf32> to tensor<1x1x1x1xbf16>
  %vn = arith.truncf %v : tensor<1x1x1x1xf32> to tensor<1x1x1x1xbf16>
  %r = tensor.concat dim(3) %un, %vn : (tensor<1x1x1x1xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x1x1x2xbf16>
  return %r : tensor<1x1x1x2xbf16>
}

// %x = [1.8125, 1.5625]
// %p = 4
// compiled
// -> [0.001708984375, -2.390625] within 0
// not [-0.002227783203125, -2.390625]
// not [0.0078125, -2.390625]
// CHECK-LABEL: func.func @graph_bf16(
// CHECK: attn.rotary_table {{.*}} outs({{.*}} : tensor<1x1x1xbf16>, tensor<1x1x1xbf16>)
// CHECK: attn.rotary split_half
func.func @graph_bf16(%x: tensor<1x1x1x2xbf16>, %p: tensor<1x1xi64>) -> tensor<1x1x1x2xbf16> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x2xbf16> to tensor<1x1x1x1xbf16>
  %b = tensor.extract_slice %x[0, 0, 0, 1] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x2xbf16> to tensor<1x1x1x1xbf16>
  %q = tensor.expand_shape %p [[0], [1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1x1xi64> into tensor<1x1x1x1xi64>
  %angle = arith.sitofp %q : tensor<1x1x1x1xi64> to tensor<1x1x1x1xf32>
  %c = math.cos %angle : tensor<1x1x1x1xf32>
  %s = math.sin %angle : tensor<1x1x1x1xf32>
  %cn = arith.truncf %c : tensor<1x1x1x1xf32> to tensor<1x1x1x1xbf16>
  %sn = arith.truncf %s : tensor<1x1x1x1xf32> to tensor<1x1x1x1xbf16>
  %cw = arith.extf %cn : tensor<1x1x1x1xbf16> to tensor<1x1x1x1xf32>
  %sw = arith.extf %sn : tensor<1x1x1x1xbf16> to tensor<1x1x1x1xf32>
  %aw = arith.extf %a : tensor<1x1x1x1xbf16> to tensor<1x1x1x1xf32>
  %bw = arith.extf %b : tensor<1x1x1x1xbf16> to tensor<1x1x1x1xf32>
  %ac = arith.mulf %aw, %cw : tensor<1x1x1x1xf32>
  %bs = arith.mulf %bw, %sw : tensor<1x1x1x1xf32>
  %bc = arith.mulf %bw, %cw : tensor<1x1x1x1xf32>
  %as = arith.mulf %aw, %sw : tensor<1x1x1x1xf32>
  %u = arith.subf %ac, %bs : tensor<1x1x1x1xf32>
  %v = arith.addf %bc, %as : tensor<1x1x1x1xf32>
  %un = arith.truncf %u : tensor<1x1x1x1xf32> to tensor<1x1x1x1xbf16>
  %vn = arith.truncf %v : tensor<1x1x1x1xf32> to tensor<1x1x1x1xbf16>
  %r = tensor.concat dim(3) %un, %vn : (tensor<1x1x1x1xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x1x1x2xbf16>
  return %r : tensor<1x1x1x2xbf16>
}
