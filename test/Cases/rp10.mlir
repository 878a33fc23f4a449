// The Llama 3 rule keeps short wavelengths, divides long ones, and blends between. A
// loader that read the rule and did not use it worked on short prompts only. What a
// pair turns in one position is read off its sine; pairs before the first listed are
// kept, those after the last are divided.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

// %p = 1
// F = [1, 500000**(-28/64), 0.00129054793, 0.000429556797, 9.7082878e-05, 500000**(-36/64)/32,
//        500000**(-62/64)/32]
// -> [sin(f) for f in F] within 1e-9
func.func @case_a(%p: tensor<1x1xi64>) -> tensor<7xf64> {
  %z = arith.constant 0 : index
  %c = tensor.empty() : tensor<1x1x32xf64>
  %s = tensor.empty() : tensor<1x1x32xf64>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<llama3, dim = 64, base = 500000.0, factor = 32.0,
      low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>)
        outs(%c, %s : tensor<1x1x32xf64>, tensor<1x1x32xf64>)
  %i0 = arith.constant 0 : index
  %f0 = tensor.extract %sin[%z, %z, %i0] : tensor<1x1x32xf64>
  %i1 = arith.constant 14 : index
  %f1 = tensor.extract %sin[%z, %z, %i1] : tensor<1x1x32xf64>
  %i2 = arith.constant 15 : index
  %f2 = tensor.extract %sin[%z, %z, %i2] : tensor<1x1x32xf64>
  %i3 = arith.constant 16 : index
  %f3 = tensor.extract %sin[%z, %z, %i3] : tensor<1x1x32xf64>
  %i4 = arith.constant 17 : index
  %f4 = tensor.extract %sin[%z, %z, %i4] : tensor<1x1x32xf64>
  %i5 = arith.constant 18 : index
  %f5 = tensor.extract %sin[%z, %z, %i5] : tensor<1x1x32xf64>
  %i6 = arith.constant 31 : index
  %f6 = tensor.extract %sin[%z, %z, %i6] : tensor<1x1x32xf64>
  %f = tensor.from_elements %f0, %f1, %f2, %f3, %f4, %f5, %f6 : tensor<7xf64>
  return %f : tensor<7xf64>
}

// %p = 1
// F = [500000**(-56/128), 0.00216657076, 0.00137189357, 0.000856751413, 0.000524846161, 0.00031269375,
//        0.000178507813, 500000**(-70/128)/8, 500000**(-126/128)/8]
// -> [sin(f) for f in F] within 1e-9
func.func @case_b(%p: tensor<1x1xi64>) -> tensor<9xf64> {
  %z = arith.constant 0 : index
  %c = tensor.empty() : tensor<1x1x64xf64>
  %s = tensor.empty() : tensor<1x1x64xf64>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<llama3, dim = 128, base = 500000.0, factor = 8.0,
      low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>)
        outs(%c, %s : tensor<1x1x64xf64>, tensor<1x1x64xf64>)
  %i0 = arith.constant 28 : index
  %f0 = tensor.extract %sin[%z, %z, %i0] : tensor<1x1x64xf64>
  %i1 = arith.constant 29 : index
  %f1 = tensor.extract %sin[%z, %z, %i1] : tensor<1x1x64xf64>
  %i2 = arith.constant 30 : index
  %f2 = tensor.extract %sin[%z, %z, %i2] : tensor<1x1x64xf64>
  %i3 = arith.constant 31 : index
  %f3 = tensor.extract %sin[%z, %z, %i3] : tensor<1x1x64xf64>
  %i4 = arith.constant 32 : index
  %f4 = tensor.extract %sin[%z, %z, %i4] : tensor<1x1x64xf64>
  %i5 = arith.constant 33 : index
  %f5 = tensor.extract %sin[%z, %z, %i5] : tensor<1x1x64xf64>
  %i6 = arith.constant 34 : index
  %f6 = tensor.extract %sin[%z, %z, %i6] : tensor<1x1x64xf64>
  %i7 = arith.constant 35 : index
  %f7 = tensor.extract %sin[%z, %z, %i7] : tensor<1x1x64xf64>
  %i8 = arith.constant 63 : index
  %f8 = tensor.extract %sin[%z, %z, %i8] : tensor<1x1x64xf64>
  %f = tensor.from_elements %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8 : tensor<9xf64>
  return %f : tensor<9xf64>
}
