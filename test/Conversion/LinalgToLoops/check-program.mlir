// What cannot be compiled, with the whole pipeline and alone.
// RUN: attn-opt %s --attn-check-program -split-input-file -verify-diagnostics
// RUN: attn-opt %s --attn-cpu-pipeline=stage=planned -split-input-file -verify-diagnostics

// expected-error @below {{expects no recursion, but 'direct' calls itself}}
func.func @direct(%n: index) -> index {
  %r = func.call @direct(%n) : (index) -> index
  return %r : index
}

// -----

func.func private @even(%n: index) -> index {
  %r = func.call @odd(%n) : (index) -> index
  return %r : index
}
// expected-error @below {{expects no recursion, but 'odd' calls itself through other functions}}
func.func private @odd(%n: index) -> index {
  %r = func.call @even(%n) : (index) -> index
  return %r : index
}
func.func @main(%n: index) -> index {
  %r = func.call @even(%n) : (index) -> index
  return %r : index
}

// -----

// Called twice is not called by itself.
func.func private @leaf(%n: index) -> index {
  return %n : index
}
func.func private @unused(index) -> index
func.func @twice(%n: index) -> index {
  %a = func.call @leaf(%n) : (index) -> index
  %b = func.call @leaf(%a) : (index) -> index
  return %b : index
}

// -----

func.func private @elsewhere(index) -> index
func.func @declared(%n: index) -> index {
  // expected-error @below {{expects a function with a body, but 'elsewhere' is only declared}}
  %r = func.call @elsewhere(%n) : (index) -> index
  return %r : index
}

// -----

func.func @by_value(%n: index, %f: (index) -> index) -> index {
  // expected-error @below {{expects a call of a func.func by its symbol}}
  %r = func.call_indirect %f(%n) : (index) -> index
  return %r : index
}

// -----

// expected-error @below {{expects integers without a sign for argument 1 of 'unsigned', got 'tensor<4xui8>'}}
func.func @unsigned(%n: index, %x: tensor<4xui8>) -> index {
  return %n : index
}

// -----

// expected-error @below {{expects a tensor without an encoding for result 0 of 'encoded', got 'tensor<4xf32, "sparse">'}}
func.func @encoded(%x: index) -> tensor<4xf32, "sparse"> {
  %r = tensor.empty() : tensor<4xf32, "sparse">
  return %r : tensor<4xf32, "sparse">
}

// -----

func.func @huge(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{expects tensors of less than 2^63 bytes, got 'tensor<4611686018427387905x4xf32>'}}
  %0 = tensor.empty() : tensor<4611686018427387905x4xf32>
  %1 = tensor.extract_slice %0[0, 0] [1, 4] [1, 1] : tensor<4611686018427387905x4xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error@below {{expects tensors of less than 2^63 bytes, got 'tensor<4294967296x?x4294967296xf32>'}}
func.func @argument(%x: tensor<4294967296x?x4294967296xf32>) {
  return
}

// -----

func.func @none(%x: tensor<4294967296x0x4294967296xf32>) {
  return
}
