// Scalars of all types in and out.
func.func @main(%b: i1, %i8: i8, %i16: i16, %i32: i32, %i64: i64, %bf: bf16, %f16: f16,
                %f32: f32, %f64: f64)
    -> (i1, i8, i16, i32, i64, bf16, f16, f32, f64) {
  return %b, %i8, %i16, %i32, %i64, %bf, %f16, %f32, %f64
    : i1, i8, i16, i32, i64, bf16, f16, f32, f64
}

func.func @half(%a: f16, %b: i32) -> f16 {
  %sum = arith.addf %a, %a : f16
  return %sum : f16
}

func.func @brain(%a: bf16) -> bf16 {
  %sum = arith.addf %a, %a : bf16
  return %sum : bf16
}

func.func @negate(%a: i1) -> i1 {
  %true = arith.constant true
  %not = arith.xori %a, %true : i1
  return %not : i1
}

func.func @attn_call_clash(%a: f32) -> f32 {
  return %a : f32
}

func.func @clash() -> f32 {
  %c3 = arith.constant 3.0 : f32
  %result = func.call @attn_call_clash(%c3) : (f32) -> f32
  return %result : f32
}
