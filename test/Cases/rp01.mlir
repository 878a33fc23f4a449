// A table of cosines and sines that is kept in a 16-bit type is rounded when it is
// done. Frameworks whose buffers follow the type of the model rounded the
// frequencies or the positions before: at position 4095 the angle is then off by
// more than a radian.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64 f16 bf16
// %p = [255, 257, 2048, 4095]
// -> [-0.86230361, 0.93331511, -0.83005354, 0.9676633,
//        0.81930553, 0.84337707, -0.84104046, 0.96715687,
//        0.94973433, -0.82731943, -0.059612388, -0.45929705,
//        -0.065975997, 0.45986334, -0.99403319, -0.57890813] within rounding(1e-6)
// -> [-0.50639163, 0.35905835, 0.55768372, 0.25224541,
//        -0.57335717, 0.53732218, 0.54097222, 0.25418023,
//        -0.31305701, -0.56173175, 0.9982216, 0.88828274,
//        -0.99782121, 0.8879897, -0.10907803, -0.81539277] within rounding(1e-6)
func.func @tables(%p: tensor<1x4xi64>) -> (tensor<1x4x4x!t>, tensor<1x4x4x!t>) {
  %c = tensor.empty() : tensor<1x4x4x!t>
  %s = tensor.empty() : tensor<1x4x4x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x4xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%c, %s : tensor<1x4x4x!t>, tensor<1x4x4x!t>)
  return %cos, %sin : tensor<1x4x4x!t>, tensor<1x4x4x!t>
}

// 0.1 as bf16 turns the second pair elsewhere.
// types: f32 f64 f16 bf16
// %p = 4095
// -> [-0.065975997, 0.45986334, -0.99403319, -0.57890813] within rounding(1e-6)
// not [-0.065975997, 0.07786007, -0.99403319, -0.57890813]
// -> [-0.99782121, 0.8879897, -0.10907803, -0.81539277] within rounding(1e-6)
func.func @rounded_frequency(%p: tensor<1x1xi64>) -> (tensor<1x1x4x!t>, tensor<1x1x4x!t>) {
  %c = tensor.empty() : tensor<1x1x4x!t>
  %s = tensor.empty() : tensor<1x1x4x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%c, %s : tensor<1x1x4x!t>, tensor<1x1x4x!t>)
  return %cos, %sin : tensor<1x1x4x!t>, tensor<1x1x4x!t>
}

// 257 is 256 as bf16.
// types: f32 f64 f16 bf16
// %p = 257
// -> [0.81930553, 0.84337707, -0.84104046, 0.96715687] within rounding(1e-6)
// not [-0.03979076, 0.84337707, -0.84104046, 0.96715687]
// -> [-0.57335717, 0.53732218, 0.54097222, 0.25418023] within rounding(1e-6)
func.func @rounded_position(%p: tensor<1x1xi64>) -> (tensor<1x1x4x!t>, tensor<1x1x4x!t>) {
  %c = tensor.empty() : tensor<1x1x4x!t>
  %s = tensor.empty() : tensor<1x1x4x!t>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%c, %s : tensor<1x1x4x!t>, tensor<1x1x4x!t>)
  return %cos, %sin : tensor<1x1x4x!t>, tensor<1x1x4x!t>
}
