#!/usr/bin/env python3
"""Prints a graph that applies each function of numbers of arith and math.

usage: scalar-ops.py TYPE

@main takes two tensors of TYPE and one of i32, and returns a tensor for each
function. A function with a restricted domain has its operands clamped or made
positive first; what is undefined there (conversions that overflow) is left out.
"""

import sys

UNARY = """math.absf math.ceil math.floor math.round math.roundeven math.trunc
    math.cos math.sin math.exp math.exp2 math.expm1 math.tanh math.erf math.erfc
    math.atan math.asinh math.cbrt math.log math.log2 math.log10 math.log1p
    math.sqrt math.rsqrt math.acos math.asin math.acosh math.atanh math.sinh
    math.cosh arith.negf""".split()
TESTS = "math.isnan math.isinf math.isfinite math.isnormal".split()
BINARY = """arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf
    arith.minimumf arith.maxnumf arith.minnumf math.atan2 math.powf
    math.copysign""".split()
INTEGER = """arith.addi arith.subi arith.muli arith.divsi arith.divui arith.remsi
    arith.remui arith.ceildivsi arith.ceildivui arith.floordivsi arith.andi
    arith.ori arith.xori arith.maxsi arith.minsi arith.maxui arith.minui
    math.ipowi""".split()
SHIFTS = "arith.shli arith.shrsi arith.shrui".split()
COUNTS = "math.absi math.ctlz math.cttz math.ctpop".split()
FLOAT_PREDICATES = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()
INTEGER_PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
SIZE = 32


def bodies(kind):
    """Yields (type of the result, lines that compute %r from %x, %y, %i)."""
    for name in UNARY:
        yield kind, [f"%r = {name} %x : {kind}"]
    for name in TESTS:
        yield "i1", [f"%r = {name} %x : {kind}"]
    for name in BINARY:
        yield kind, [f"%r = {name} %x, %y : {kind}"]
    yield kind, [f"%r = math.fma %x, %y, %x : {kind}"]
    yield kind, [
        f"%low = arith.constant -1.0 : {kind}",
        f"%high = arith.constant 0.5 : {kind}",
        f"%r = math.clampf %x to [%low, %high] : {kind}",
    ]
    small = ["%c7 = arith.constant 7 : i32", "%small = arith.andi %i, %c7 : i32"]
    signed = small + [
        "%c3 = arith.constant 3 : i32",
        "%power = arith.subi %small, %c3 : i32",
    ]
    yield kind, signed + [
        f"%smallest = arith.constant 0.125 : {kind}",
        f"%size = math.absf %x : {kind}",
        f"%bounded = arith.maximumf %size, %smallest : {kind}",
        f"%base = math.copysign %bounded, %x : {kind}",
        f"%r = math.fpowi %base, %power : {kind}, i32",
    ]
    for name in INTEGER:
        divisor = ["%one = arith.constant 1 : i32", "%j = arith.ori %small, %one : i32"]
        yield "i32", small + divisor + [f"%r = {name} %i, %j : i32"]
    for name in SHIFTS:
        yield "i32", small + [f"%r = {name} %i, %small : i32"]
    for name in COUNTS:
        yield "i32", [f"%r = {name} %i : i32"]
    for predicate in FLOAT_PREDICATES:
        yield "i1", [f"%r = arith.cmpf {predicate}, %x, %y : {kind}"]
    for predicate in INTEGER_PREDICATES:
        yield "i1", small + [f"%r = arith.cmpi {predicate}, %i, %small : i32"]
    for name in ("arith.sitofp", "arith.uitofp"):
        yield "f64", [f"%r = {name} %i : i32 to f64"]
        yield kind, small + [f"%r = {name} %small : i32 to {kind}"]
    bounded = [
        f"%low = arith.constant 0.0 : {kind}",
        f"%high = arith.constant 100.0 : {kind}",
        f"%bounded = math.clampf %x to [%low, %high] : {kind}",
        f"%known = arith.cmpf ord, %x, %x : {kind}",
        f"%number = arith.select %known, %bounded, %low : {kind}",
    ]
    for name in ("arith.fptosi", "arith.fptoui"):
        yield "i32", bounded + [f"%r = {name} %number : {kind} to i32"]
    for name in ("arith.extsi", "arith.extui"):
        yield "i64", [f"%r = {name} %i : i32 to i64"]
    yield "i8", ["%r = arith.trunci %i : i32 to i8"]
    for name in ("arith.index_cast", "arith.index_castui"):
        yield "i64", [
            f"%index = {name} %i : i32 to index",
            f"%r = {name} %index : index to i64",
        ]
    for name in ("arith.mulsi_extended", "arith.mului_extended"):
        yield "i32", [f"%low, %r = {name} %i, %i : i32"]
    yield "i32", [
        "%sum, %over = arith.addui_extended %i, %i : i32, i1",
        "%r = arith.extui %over : i1 to i32",
    ]


def main():
    kind = sys.argv[1]
    results = list(bodies(kind))
    types = ", ".join(f"tensor<{SIZE}x{result}>" for result, _ in results)
    print(f"""#id = affine_map<(n) -> (n)>
func.func @main(%x: tensor<{SIZE}x{kind}>, %y: tensor<{SIZE}x{kind}>,
                %i: tensor<{SIZE}xi32>) -> ({types}) {{""")
    for number, (result, lines) in enumerate(results):
        body = (
            "\n    ".join(lines)
            .replace("%x", "%a")
            .replace("%y", "%b")
            .replace("%i ", "%n ")
        )
        body = body.replace("%i,", "%n,")
        print(f"""  %e{number} = tensor.empty() : tensor<{SIZE}x{result}>
  %r{number} = linalg.generic {{indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}}
      ins(%x, %y, %i : tensor<{SIZE}x{kind}>, tensor<{SIZE}x{kind}>, tensor<{SIZE}xi32>)
      outs(%e{number} : tensor<{SIZE}x{result}>) {{
  ^bb0(%a: {kind}, %b: {kind}, %n: i32, %out: {result}):
    {body}
    linalg.yield %r : {result}
  }} -> tensor<{SIZE}x{result}>""")
    names = ", ".join(f"%r{number}" for number in range(len(results)))
    print(f"  return {names} : {types}\n}}")


if __name__ == "__main__":
    main()
