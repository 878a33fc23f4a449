// Values of the frequency rules and of the slopes of ALiBi, from their
// definitions in double precision.

// RUN: attn-test-opt %s -test-attn-frequencies -o /dev/null 2>&1 | FileCheck %s

func.func @rules(%p: tensor<1x8xi64>, %four: tensor<1x8x4xf32>, %c32: tensor<1x8x32xf32>, %c64: tensor<1x8x64xf32>) {
  // base^(-2i/8): 10000^0, 10000^-0.25, 10000^-0.5, 10000^-0.75.
  // CHECK: remark: [0]=1.000000000e+00 [1]=1.000000000e-01 [2]=1.000000000e-02 [3]=1.000000000e-03{{$}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // A base of 1 gives equal frequencies; the limit of large ones 1, then 0.
  // CHECK: remark: [0]=1.000000000e+00 [1]=1.000000000e+00 [2]=1.000000000e+00 [3]=1.000000000e+00{{$}}
  %1:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 1.0>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // CHECK: remark: [0]=1.000000000e+00 [1]=0.000000000e+00 [2]=0.000000000e+00 [3]=0.000000000e+00{{$}}
  %2:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = inf>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // A quarter of each.
  // CHECK: remark: [0]=2.500000000e-01 [1]=2.500000000e-02 [2]=2.500000000e-03 [3]=2.500000000e-04{{$}}
  %3:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<linear, dim = 8, base = 10000.0, factor = 4.0>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // Llama 3.2 1B: high frequencies stay, low ones are divided by 32, number 15
  // lies between: its wavelength 2949 is between 8192/4 and 8192/1.
  // CHECK: remark: [0]=1.000000000e+00 [1]=6.636012377e-01 {{.*}} [14]=3.211445995e-03 [15]=1.290547928e-03 {{.*}} [31]=9.418306725e-08{{$}}
  %4:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<llama3, dim = 64, base = 500000.0, factor = 32.0, low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>)
    outs(%c32, %c32 : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
  // YaRN's ramp goes from pair 20 to pair 46: up to 20 frequencies stay
  // (10000^(-40/128)), from 46 they are divided by 16 (10000^(-92/128) / 16).
  // CHECK: remark: [0]=1.000000000e+00 {{.*}} [20]=5.623413252e-02 {{.*}} [30]=8.526843773e-03 {{.*}} [46]=8.33450{{[0-9]*}}e-05 {{.*}}
  %5:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<yarn, dim = 128, base = 10000.0, factor = 16.0, original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>)
    outs(%c64, %c64 : tensor<1x8x64xf32>, tensor<1x8x64xf32>)
  // Without rounding, the ramp goes from 20.94 to 45.03.
  // CHECK: remark: {{.*}} [20]=5.62341{{[0-9]*}}e-02 {{.*}} [30]=8.634272966e-03 {{.*}}
  %6:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<yarn, dim = 128, base = 10000.0, factor = 16.0, original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0, truncate = 0.0>)
    outs(%c64, %c64 : tensor<1x8x64xf32>, tensor<1x8x64xf32>)
  return
}

// Enlarged bases, spread factors, and pairs that stand still.
func.func @other_rules(%p: tensor<1x8xi64>, %four: tensor<1x8x4xf32>) {
  // 10000^(-i/4) times 8^(-i/3): the last pair is divided by 8.
  // CHECK: remark: [0]=1.000000000e+00 [1]=5.000000000e-02 [2]=2.500000000e-03 [3]=1.250000000e-04{{$}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<ntk, dim = 8, base = 10000.0, alpha = 8.0>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // 10000^(-i/4) times 16^(-(i + 1)/4) = 2^-(i + 1).
  // CHECK: remark: [0]=5.000000000e-01 [1]=2.500000000e-02 [2]=1.250000000e-03 [3]=6.250000000e-05{{$}}
  %1:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<ntk_two_step, dim = 8, base = 10000.0, factor = 16.0>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // With an exponent of 1 it is the same: a = ln 16 / 4.
  // CHECK: remark: [0]=5.000000000e-01 [1]=2.500000000e-02 [2]=1.250000000e-03 [3]=6.250000000e-05{{$}}
  %2:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<ntk_mixed, dim = 8, base = 10000.0, factor = 16.0, exponent = 1.0>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // CHECK: remark: [0]=5.000000000e-01 [1]=5.000000000e-02 [2]=5.000000000e-03 [3]=0.000000000e+00{{$}}
  %3:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 2.0, pairs = 3>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// Rules of run time at their switch; 87.11^-0.5 = 0.1071429.
func.func @lengths(%p: tensor<1x8xi64>, %n: index, %two: tensor<1x8x2xf32>) {
  // CHECK: remark: [0]=1.000000000e+00 [1]=2.500000000e-01{{$}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%n) outs(%two, %two : tensor<1x8x2xf32>, tensor<1x8x2xf32>) {test_length = 6.0}
  // CHECK: remark: [0]=1.000000000e+00 [1]=1.071428571e-01{{$}}
  %1:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%n) outs(%two, %two : tensor<1x8x2xf32>, tensor<1x8x2xf32>) {test_length = 7.0}
  // CHECK: remark: [0]=1.000000000e+00 [1]=5.000000000e-03{{$}}
  %2:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 2.0], long = [2.0, 8.0]>)
    length(%n) outs(%two, %two : tensor<1x8x2xf32>, tensor<1x8x2xf32>) {test_length = 64.0}
  // CHECK: remark: [0]=5.000000000e-01 [1]=1.250000000e-03{{$}}
  %3:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 2.0], long = [2.0, 8.0]>)
    length(%n) outs(%two, %two : tensor<1x8x2xf32>, tensor<1x8x2xf32>) {test_length = 65.0}
  return
}

// Only axial sections start their frequencies anew, with their own number of
// elements.
func.func @sections(%p: tensor<2x1x8xi64>, %four: tensor<1x8x4xf32>, %n: index) {
  // CHECK: remark: [0]=1.000000000e+00 [1]=1.000000000e-01 [2]=1.000000000e-02 [3]=1.000000000e-03{{$}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<chunked, [2, 2]>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  // CHECK: remark: [0]=1.000000000e+00 [1]=1.000000000e-02 [2]=1.000000000e+00 [3]=1.000000000e-02{{$}}
  %1:2 = attn.rotary_table positions(%p : tensor<2x1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<axial, [2, 2]>) outs(%four, %four : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

func.func @slopes() {
  // CHECK: remark: [0]=3.906250000e-03{{$}}
  %0 = attn.bias.alibi linear heads 1
  // CHECK: remark: [0]=5.000000000e-01 [1]=2.500000000e-01 [2]=1.250000000e-01 [3]=6.250000000e-02 [4]=3.125000000e-02 [5]=1.562500000e-02 [6]=7.812500000e-03 [7]=3.906250000e-03{{$}}
  %1 = attn.bias.alibi linear heads 8
  // The four slopes of 4, then those of 8 at 1 and 3.
  // CHECK: remark: [0]=2.500000000e-01 [1]=6.250000000e-02 [2]=1.562500000e-02 [3]=3.906250000e-03 [4]=5.000000000e-01 [5]=1.250000000e-01{{$}}
  %2 = attn.bias.alibi linear heads 6
  return
}
