// RUN: attn-reference-test %s | FileCheck %s

// CHECK-LABEL: loop#0 [3] = 1 3 6
func.func @loop() -> tensor<3xi64> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi64>
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero, %t = %x)
      -> (i64, tensor<3xi64>) {
    %a = tensor.extract %x[%i] : tensor<3xi64>
    %next = arith.addi %sum, %a : i64
    %u = tensor.insert %next into %t[%i] : tensor<3xi64>
    scf.yield %next, %u : i64, tensor<3xi64>
  }
  return %r#1 : tensor<3xi64>
}

// CHECK-LABEL: search#0 [] = 128
func.func @search() -> i64 {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %limit = arith.constant 100 : i64
  %r = scf.while (%x = %one) : (i64) -> i64 {
    %small = arith.cmpi slt, %x, %limit : i64
    scf.condition(%small) %x : i64
  } do {
  ^bb0(%x: i64):
    %y = arith.muli %x, %two : i64
    scf.yield %y : i64
  }
  return %r : i64
}

// Tiles are inserted into the output; the rest of it stays.
// CHECK-LABEL: tiles#0 [5] = 10 20 30 40 9
func.func @tiles() -> tensor<5xi64> {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %out = arith.constant dense<9> : tensor<5xi64>
  %ten = arith.constant dense<10> : tensor<2xi64>
  %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %out) -> tensor<5xi64> {
    %tile = tensor.extract_slice %x[%i] [2] [1] : tensor<4xi64> to tensor<2xi64>
    %scaled = arith.muli %tile, %ten : tensor<2xi64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %scaled into %o[%i] [2] [1]
        : tensor<2xi64> into tensor<5xi64>
    }
  }
  return %r : tensor<5xi64>
}

// CHECK-LABEL: choose#0 [] = 6
func.func @choose() -> index {
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %less = arith.cmpi slt, %c5, %c3 : index
  %a = scf.if %less -> index {
    scf.yield %c5 : index
  } else {
    %sum = affine.apply affine_map<(d0)[s0] -> (d0 + s0 floordiv 2 + 1)>(%c3)[%c5]
    scf.yield %sum : index
  }
  %b = affine.min affine_map<(d0) -> (d0, 100)>(%a)
  return %b : index
}

// CHECK-LABEL: caller#0 [] = 42
func.func private @twice(%x: i64) -> i64 {
  %y = arith.addi %x, %x : i64
  return %y : i64
}
func.func @caller() -> i64 {
  %x = arith.constant 21 : i64
  %y = func.call @twice(%x) : (i64) -> i64
  return %y : i64
}

// CHECK-LABEL: switch#0 [] = 20
// CHECK-NEXT:  switch#1 [] = 30
func.func @switch() -> (i64, i64) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %0 = func.call @pick(%c1) : (index) -> i64
  %1 = func.call @pick(%c7) : (index) -> i64
  return %0, %1 : i64, i64
}
func.func private @pick(%case: index) -> i64 {
  %ten = arith.constant 10 : i64
  %twenty = arith.constant 20 : i64
  %thirty = arith.constant 30 : i64
  %0 = scf.index_switch %case -> i64
  case 0 {
    scf.yield %ten : i64
  }
  case 1 {
    scf.yield %twenty : i64
  }
  default {
    scf.yield %thirty : i64
  }
  return %0 : i64
}

// CHECK-LABEL: maps#0 [] = 11
// CHECK-NEXT:  maps#1 [] = -2
// CHECK-NEXT:  maps#2 [] = 2
// CHECK-NEXT:  maps#3 [] = 1
// CHECK-NEXT:  maps#4 [] = 5
func.func @maps() -> (index, index, index, index, index) {
  %a = arith.constant -5 : index
  %b = arith.constant 8 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 + 13)>(%a)[%b]
  %1 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%a)
  %2 = affine.min affine_map<(d0) -> (d0 ceildiv 4, 9)>(%b)
  %3 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%a)
  %4 = affine.max affine_map<(d0) -> (-d0, 3)>(%a)
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}
