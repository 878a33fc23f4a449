// Functions of a graph may be called like those that generated code calls.

// RUN: %python %S/../Inputs/make-npz.py %t.npz "in0=<f4:2:0,1" "in1=<i4::3" \
// RUN:   "out0=<f4:2:2,3.7182818" "out1=<i4::7"
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz
// RUN: attn-run %s --no-vectorize --inputs=%t.npz --compare=%t.npz
// RUN: attn-compile %s -o %t.so
// RUN: attn-run %t.so --inputs=%t.npz --compare=%t.npz

func.func @main(%x: tensor<2xf32>, %i: i32) -> (tensor<2xf32>, i32) {
  %empty = tensor.empty() : tensor<2xf32>
  %result = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<2xf32>) outs(%empty : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    %1 = func.call @expf(%0) : (f32) -> f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  %0 = func.call @malloc(%i) : (i32) -> i32
  %1 = func.call @attn_rt_assert_fail(%0) : (i32) -> i32
  %2 = func.call @_mlir_ciface_main(%1) : (i32) -> i32
  return %result, %2 : tensor<2xf32>, i32
}

func.func @expf(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %sum = arith.addf %x, %one : f32
  return %sum : f32
}

func.func @malloc(%i: i32) -> i32 {
  %0 = arith.addi %i, %i : i32
  return %0 : i32
}

func.func @attn_rt_assert_fail(%i: i32) -> i32 {
  %one = arith.constant 1 : i32
  %0 = arith.addi %i, %one : i32
  return %0 : i32
}

func.func @_mlir_ciface_main(%i: i32) -> i32 {
  return %i : i32
}
