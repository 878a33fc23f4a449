// RUN: attn-reference-test %s | FileCheck --match-full-lines %s

// Every function of one or more numbers, at numbers where no two agree.

// CHECK-LABEL: one#0 [] = 2.5
// CHECK-NEXT:  one#1 [] = 1.0472
// CHECK-NEXT:  one#2 [] = 1.31696
// CHECK-NEXT:  one#3 [] = 0.523599
// CHECK-NEXT:  one#4 [] = 0.481212
// CHECK-NEXT:  one#5 [] = 0.463648
// CHECK-NEXT:  one#6 [] = 0.549306
// CHECK-NEXT:  one#7 [] = 0.793701
// CHECK-NEXT:  one#8 [] = -2
// CHECK-NEXT:  one#9 [] = 0.877583
// CHECK-NEXT:  one#10 [] = 1.12763
// CHECK-NEXT:  one#11 [] = 0.5205
// CHECK-NEXT:  one#12 [] = 0.4795
// CHECK-NEXT:  one#13 [] = 1.64872
// CHECK-NEXT:  one#14 [] = 1.41421
// CHECK-NEXT:  one#15 [] = 0.648721
// CHECK-NEXT:  one#16 [] = -3
// CHECK-NEXT:  one#17 [] = 0.693147
// CHECK-NEXT:  one#18 [] = 0.30103
// CHECK-NEXT:  one#19 [] = 0.405465
// CHECK-NEXT:  one#20 [] = -1
// CHECK-NEXT:  one#21 [] = -3
// CHECK-NEXT:  one#22 [] = -2
// CHECK-NEXT:  one#23 [] = 1.41421
// CHECK-NEXT:  one#24 [] = 0.479426
// CHECK-NEXT:  one#25 [] = 0.521095
// CHECK-NEXT:  one#26 [] = 0.707107
// CHECK-NEXT:  one#27 [] = 0.546302
// CHECK-NEXT:  one#28 [] = 0.462117
// CHECK-NEXT:  one#29 [] = -2
// CHECK-NEXT:  one#30 [] = 0.479426
// CHECK-NEXT:  one#31 [] = 0.877583
func.func @one() -> (
    f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
    f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
    f64, f64, f64, f64, f64, f64) {
  %x = arith.constant 0.5 : f64
  %y = arith.constant 2.0 : f64
  %z = arith.constant -2.5 : f64
  %0 = math.absf %z : f64
  %1 = math.acos %x : f64
  %2 = math.acosh %y : f64
  %3 = math.asin %x : f64
  %4 = math.asinh %x : f64
  %5 = math.atan %x : f64
  %6 = math.atanh %x : f64
  %7 = math.cbrt %x : f64
  %8 = math.ceil %z : f64
  %9 = math.cos %x : f64
  %10 = math.cosh %x : f64
  %11 = math.erf %x : f64
  %12 = math.erfc %x : f64
  %13 = math.exp %x : f64
  %14 = math.exp2 %x : f64
  %15 = math.expm1 %x : f64
  %16 = math.floor %z : f64
  %17 = math.log %y : f64
  %18 = math.log10 %y : f64
  %19 = math.log1p %x : f64
  %20 = math.log2 %x : f64
  %21 = math.round %z : f64
  %22 = math.roundeven %z : f64
  %23 = math.rsqrt %x : f64
  %24 = math.sin %x : f64
  %25 = math.sinh %x : f64
  %26 = math.sqrt %x : f64
  %27 = math.tan %x : f64
  %28 = math.tanh %x : f64
  %29 = math.trunc %z : f64
  %30:2 = math.sincos %x : f64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,
    %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29,
    %30#0, %30#1 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
    f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
    f64, f64, f64, f64
}

// CHECK-LABEL: more#0 [] = 2.9442
// CHECK-NEXT:  more#1 [] = -0.5
// CHECK-NEXT:  more#2 [] = 0.176777
// CHECK-NEXT:  more#3 [] = -1.5
// CHECK-NEXT:  more#4 [] = 0.125
// CHECK-NEXT:  more#5 [] = -2
// CHECK-NEXT:  more#6 [] = 3
// CHECK-NEXT:  more#7 [] = -1.25
// CHECK-NEXT:  more#8 [] = -0.2
// CHECK-NEXT:  more#9 [] = -0.5
// CHECK-NEXT:  more#10 [] = 2.5
// CHECK-NEXT:  more#11 [] = 0
// CHECK-NEXT:  more#12 [] = 1
// CHECK-NEXT:  more#13 [] = 0
// CHECK-NEXT:  more#14 [] = 0
// CHECK-NEXT:  more#15 [] = 1
func.func @more() -> (
    f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, i1, i1, i1,
    i1, i1) {
  %x = arith.constant 0.5 : f64
  %y = arith.constant 2.0 : f64
  %z = arith.constant -2.5 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %small = arith.constant 1.0e-310 : f64
  %n = arith.constant -3 : i32
  %0 = math.atan2 %x, %z : f64
  %1 = math.copysign %x, %z : f64
  %2 = math.powf %y, %z : f64
  %3 = math.fma %x, %y, %z : f64
  %4 = math.fpowi %y, %n : f64, i32
  %5 = arith.addf %x, %z : f64
  %6 = arith.subf %x, %z : f64
  %7 = arith.mulf %x, %z : f64
  %8 = arith.divf %x, %z : f64
  %9 = arith.remf %z, %y : f64
  %10 = arith.negf %z : f64
  %11 = math.isfinite %inf : f64
  %12 = math.isinf %inf : f64
  %13 = math.isnan %inf : f64
  %14 = math.isnormal %small : f64
  %15 = math.isnormal %x : f64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, i1, i1, i1, i1,
    i1
}

// CHECK-LABEL: integers#0 [] = -10
// CHECK-NEXT:  integers#1 [] = 1
// CHECK-NEXT:  integers#2 [] = -5
// CHECK-NEXT:  integers#3 [] = -6
// CHECK-NEXT:  integers#4 [] = 3
// CHECK-NEXT:  integers#5 [] = -7
// CHECK-NEXT:  integers#6 [] = -7
// CHECK-NEXT:  integers#7 [] = 3
// CHECK-NEXT:  integers#8 [] = -2
// CHECK-NEXT:  integers#9 [] = -3
// CHECK-NEXT:  integers#10 [] = 83
// CHECK-NEXT:  integers#11 [] = 0
// CHECK-NEXT:  integers#12 [] = -1
// CHECK-NEXT:  integers#13 [] = 31
// CHECK-NEXT:  integers#14 [] = -56
// CHECK-NEXT:  integers#15 [] = -14
// CHECK-NEXT:  integers#16 [] = 1
// CHECK-NEXT:  integers#17 [] = -21
// CHECK-NEXT:  integers#18 [] = -1
// CHECK-NEXT:  integers#19 [] = -21
// CHECK-NEXT:  integers#20 [] = 2
// CHECK-NEXT:  integers#21 [] = 249
// CHECK-NEXT:  integers#22 [] = -7
// CHECK-NEXT:  integers#23 [] = 249
// CHECK-NEXT:  integers#24 [] = -7
// CHECK-NEXT:  integers#25 [] = 1
// CHECK-NEXT:  integers#26 [] = 7
// CHECK-NEXT:  integers#27 [] = 6
// CHECK-NEXT:  integers#28 [] = 0
// CHECK-NEXT:  integers#29 [] = 6
func.func @integers() -> (
    i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i1,
    i8, i8, i8, i8, f64, f64, index, index, i2, i8, i8, i8, i8) {
  %a = arith.constant -7 : i8
  %b = arith.constant 3 : i8
  %0 = arith.subi %a, %b : i8
  %1 = arith.andi %a, %b : i8
  %2 = arith.ori %a, %b : i8
  %3 = arith.xori %a, %b : i8
  %4 = arith.maxsi %a, %b : i8
  %5 = arith.minsi %a, %b : i8
  %6 = arith.maxui %a, %b : i8
  %7 = arith.minui %a, %b : i8
  %8 = arith.ceildivsi %a, %b : i8
  %9 = arith.floordivsi %a, %b : i8
  %10 = arith.ceildivui %a, %b : i8
  %11 = arith.remui %a, %b : i8
  %12 = arith.shrsi %a, %b : i8
  %13 = arith.shrui %a, %b : i8
  %14 = arith.shli %a, %b : i8
  %15:2 = arith.addui_extended %a, %a : i8, i1
  %16:2 = arith.mulsi_extended %a, %b : i8
  %17:2 = arith.mului_extended %a, %b : i8
  %18 = arith.uitofp %a : i8 to f64
  %19 = arith.sitofp %a : i8 to f64
  %20 = arith.index_castui %a : i8 to index
  %21 = arith.index_cast %a : i8 to index
  %22 = arith.trunci %a : i8 to i2
  %23 = math.absi %a : i8
  %24 = math.ctlz %b : i8
  %25 = math.cttz %a : i8
  %26 = math.ctpop %a : i8
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15#0,
    %15#1, %16#0, %16#1, %17#0, %17#1, %18, %19, %20, %21, %22, %23, %24,
    %25, %26 : i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i1, i8,
    i8, i8, i8, f64, f64, index, index, i2, i8, i8, i8, i8
}

// CHECK-LABEL: complexes#0 [] = (0.5,-2.5)
// CHECK-NEXT:  complexes#1 [] = 0.5
// CHECK-NEXT:  complexes#2 [] = -1
// CHECK-NEXT:  complexes#3 [] = 1.11803
// CHECK-NEXT:  complexes#4 [] = -1.10715
// CHECK-NEXT:  complexes#5 [] = (2.5,-0.75)
// CHECK-NEXT:  complexes#6 [] = (-1.5,-1.25)
// CHECK-NEXT:  complexes#7 [] = (1.25,-1.875)
// CHECK-NEXT:  complexes#8 [] = (0.184615,-0.523077)
// CHECK-NEXT:  complexes#9 [] = (-0.951997,-1.34596)
// CHECK-NEXT:  complexes#10 [] = 0
// CHECK-NEXT:  complexes#11 [] = 1
// CHECK-NEXT:  complexes#12 [] = (-0.5,1)
// CHECK-NEXT:  complexes#13 [] = (0.5,1)
// CHECK-NEXT:  complexes#14 [] = (0.890808,-1.38735)
// CHECK-NEXT:  complexes#15 [] = (-0.109192,-1.38735)
// CHECK-NEXT:  complexes#16 [] = (0.111572,-1.10715)
// CHECK-NEXT:  complexes#17 [] = (0.589327,-0.588003)
// CHECK-NEXT:  complexes#18 [] = (0.899454,-0.555893)
// CHECK-NEXT:  complexes#19 [] = (0.804496,0.497206)
// CHECK-NEXT:  complexes#20 [] = (0.739792,-1.03134)
// CHECK-NEXT:  complexes#21 [] = (1.35418,0.563421)
// CHECK-NEXT:  complexes#22 [] = (0.195577,-0.842966)
// CHECK-NEXT:  complexes#23 [] = (1.04283,-0.806877)
// CHECK-NEXT:  complexes#24 [] = (0.447214,-0.894427)
func.func @complexes() -> (
    complex<f64>, f64, f64, f64, f64, complex<f64>, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, i1, i1, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, complex<f64>) {
  %a = complex.constant [0.5, -1.0] : complex<f64>
  %b = complex.constant [2.0, 0.25] : complex<f64>
  %x = arith.constant 0.5 : f64
  %z = arith.constant -2.5 : f64
  %0 = complex.create %x, %z : complex<f64>
  %1 = complex.re %a : complex<f64>
  %2 = complex.im %a : complex<f64>
  %3 = complex.abs %a : complex<f64>
  %4 = complex.angle %a : complex<f64>
  %5 = complex.add %a, %b : complex<f64>
  %6 = complex.sub %a, %b : complex<f64>
  %7 = complex.mul %a, %b : complex<f64>
  %8 = complex.div %a, %b : complex<f64>
  %9 = complex.pow %a, %b : complex<f64>
  %10 = complex.eq %a, %b : complex<f64>
  %11 = complex.neq %a, %b : complex<f64>
  %12 = complex.neg %a : complex<f64>
  %13 = complex.conj %a : complex<f64>
  %14 = complex.exp %a : complex<f64>
  %15 = complex.expm1 %a : complex<f64>
  %16 = complex.log %a : complex<f64>
  %17 = complex.log1p %a : complex<f64>
  %18 = complex.sqrt %a : complex<f64>
  %19 = complex.rsqrt %a : complex<f64>
  %20 = complex.sin %a : complex<f64>
  %21 = complex.cos %a : complex<f64>
  %22 = complex.tan %a : complex<f64>
  %23 = complex.tanh %a : complex<f64>
  %24 = complex.sign %a : complex<f64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,
    %16, %17, %18, %19, %20, %21, %22, %23, %24 : complex<f64>, f64, f64, f64, f64, complex<f64>, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, i1, i1, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, complex<f64>, complex<f64>,
    complex<f64>, complex<f64>, complex<f64>, complex<f64>, complex<f64>,
    complex<f64>, complex<f64>
}
