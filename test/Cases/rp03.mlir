// The first pair turns by one radian a position, so its angle is as large as the
// position. Sines made for small angles were off in the third digit, or outside of
// [-1, 1]; frequency times position in f32 is off by 2e-4 at 131071 and 2e-2 at
// 2^24. An angle is reduced in double precision before its sine is taken. The
// numbers of f16 and bf16 are those, rounded.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64 f16 bf16
// %p = [40, 2000, 16000, 131071, 1048575, 16777216]
// -> [-0.666938062, -0.653643621, 0.921060994, 0.999200107,
//        -0.367459549, 0.487187675, 0.408082062, -0.416146837,
//        -0.991381434, -0.598363464, -0.975629313, -0.95765948,
//        -0.817983499, 0.93034299, -0.78638369, 0.640312376,
//        0.78804224, -0.846190441, 0.632300167, 0.753815784,
//        0.626322983, -0.392691306, 0.116459147, 0.443559623] within rounding(2e-6)
// -> [0.74511316, -0.756802495, 0.389418342, 0.0399893342,
//        0.930039504, -0.873297297, 0.912945251, 0.909297427,
//        0.131007066, -0.801224791, 0.219425258, -0.287903317,
//        -0.575241684, 0.366690498, -0.617738368, -0.768114614,
//        -0.615621173, -0.532880604, -0.774723498, -0.657085811,
//        -0.779563673, -0.919670342, -0.993195483, 0.896244866] within rounding(2e-6)
func.func @angles(%p: tensor<1x6xi64>) -> (tensor<1x6x4x!t>, tensor<1x6x4x!t>) {
  %c = tensor.empty() : tensor<1x6x4x!t>
  %s = tensor.empty() : tensor<1x6x4x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x6xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%c, %s : tensor<1x6x4x!t>, tensor<1x6x4x!t>)
  return %cos, %sin : tensor<1x6x4x!t>, tensor<1x6x4x!t>
}

// types: f32 f64 f16 bf16
// %p = 16777216
// -> [0.626322983, -0.392691306, 0.116459147, 0.443559623] within rounding(2e-6)
// not [0, -0.392691306, 0.116459147, 0.443559623]
// -> [-0.779563673, -0.919670342, -0.993195483, 0.896244866] within rounding(2e-6)
// not [-1, -0.919670342, -0.993195483, 0.896244866]
func.func @stock_sine(%p: tensor<1x1xi64>) -> (tensor<1x1x4x!t>, tensor<1x1x4x!t>) {
  %c = tensor.empty() : tensor<1x1x4x!t>
  %s = tensor.empty() : tensor<1x1x4x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%c, %s : tensor<1x1x4x!t>, tensor<1x1x4x!t>)
  return %cos, %sin : tensor<1x1x4x!t>, tensor<1x1x4x!t>
}
