// RUN: attn-opt %s --attn-plan | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: attn-opt %s --attn-plan="vector-bits=256 vector-registers=16" | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: not attn-opt %s --attn-plan=vector-bits=192 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not attn-opt %s --attn-plan=vector-bits=65536 2>&1 | FileCheck %s --check-prefix=WIDEST
// RUN: not attn-opt %s --attn-plan=vector-registers=7 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not attn-opt %s --attn-plan=vector-registers=1000000 2>&1 | FileCheck %s --check-prefix=MOST

// BITS: error: expects 'vector-bits' to be a power of two from 128 to 2048, got 192
// WIDEST: error: expects 'vector-bits' to be a power of two from 128 to 2048, got 65536
// REGISTERS: error: expects 'vector-registers' to be from 8 to 64, got 7
// MOST: error: expects 'vector-registers' to be from 8 to 64, got 1000000

// Many queries fill two registers; one that decodes leaves lanes idle in as few
// as there are. f64 has half the lanes.
// CHECK-LABEL: func @sizes(
// WIDE: plan = #attn.plan<query_block = 32, key_block = 128, rows = 8>
// WIDE: plan = #attn.plan<query_block = 16, key_block = 128, rows = 4>
// WIDE: plan = #attn.plan<query_block = 16, key_block = 128, rows = 8>
// NARROW: plan = #attn.plan<query_block = 16, key_block = 128, rows = 5>
// NARROW: plan = #attn.plan<query_block = 16, key_block = 128, rows = 5>
// NARROW: plan = #attn.plan<query_block = 16, key_block = 128, rows = 1>
func.func @sizes(%q: tensor<1x1x?x64xf32>, %k: tensor<1x1x8x64xf32>, %one: tensor<1x1x1x64xf32>,
                 %d: tensor<1x1x99x64xf64>) -> (tensor<1x1x?x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x99x64xf64>) {
  %a = attn.attention query(%q : tensor<1x1x?x64xf32>) key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>)
    outs(%q : tensor<1x1x?x64xf32>)
  %b = attn.attention query(%one : tensor<1x1x1x64xf32>) key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>)
    outs(%one : tensor<1x1x1x64xf32>)
  %c = attn.attention query(%d : tensor<1x1x99x64xf64>) key(%d : tensor<1x1x99x64xf64>) value(%d : tensor<1x1x99x64xf64>)
    outs(%d : tensor<1x1x99x64xf64>)
  return %a, %b, %c : tensor<1x1x?x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x99x64xf64>
}

// A plan that is there stays.
// CHECK-LABEL: func @kept(
// CHECK: plan = #attn.plan<query_block = 64, key_block = 32, rows = 2>
func.func @kept(%q: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
  %a = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    outs(%q : tensor<1x1x8x64xf32>) {plan = #attn.plan<query_block = 64, key_block = 32, rows = 2>}
  return %a : tensor<1x1x8x64xf32>
}
