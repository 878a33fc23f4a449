// RUN: attn-reference-test --round-to-type %s | FileCheck %s --check-prefix=ROUND
// RUN: attn-reference-test %s | FileCheck %s --check-prefix=EXACT

// bf16 has 8 bits of precision: 256 + 1 is 256 there.
// EXACT-LABEL: sum#0 [] = 257
// ROUND-LABEL: sum#0 [] = 256
func.func @sum() -> bf16 {
  %a = arith.constant 256.0 : bf16
  %b = arith.constant 1.0 : bf16
  %c = arith.addf %a, %b : bf16
  return %c : bf16
}

// f16 ends at 65504.
// EXACT-LABEL: overflow#0 [2] = 120000 0.000244141
// ROUND-LABEL: overflow#0 [2] = inf 0.000244141
func.func @overflow() -> tensor<2xf16> {
  %a = arith.constant dense<[6.0e+4, 0.0001220703125]> : tensor<2xf16>
  %b = arith.addf %a, %a : tensor<2xf16>
  return %b : tensor<2xf16>
}
