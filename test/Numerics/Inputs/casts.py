#!/usr/bin/env python3
"""Compares casts between floats and integers with exactly rounded numbers.

  casts.py ATTN-RUN DIRECTORY

Every cast of arith between f64, f32, f16, bf16 and integers of 1 to 64 bits, of
numbers that lie on, next to and far from the middle between two results, and of
subnormal, infinite and huge ones. What is expected is rounded once, in rational
arithmetic. Also for a processor that has no 16-bit floats.
"""

import math
import os
import random
import struct
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from numeric_arrays import read_npz, write_npz

# Width, precision and exponents.
FLOATS = {"f64": (64, 53, -1022, 1023), "f32": (32, 24, -126, 127)}
FLOATS |= {"f16": (16, 11, -14, 15), "bf16": (16, 8, -126, 127)}
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
DESCRIPTIONS = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "bf16": "<f4"}
DESCRIPTIONS |= {"i1": "|b1", "i8": "|i1", "i16": "<i2", "i32": "<i4", "i64": "<i8"}
WAYS = [[], ["--no-vectorize"], ["--cpu=x86-64"], ["--cpu=x86-64", "--no-vectorize"]]
KINDS = [*FLOATS, *INTEGERS]


def rounded(x, kind):
    """A number rounded to nearest, ties to even."""
    if isinstance(x, float) and (math.isnan(x) or math.isinf(x) or x == 0):
        return x
    _, precision, smallest, largest = FLOATS[kind]
    x = Fraction(x)
    if x == 0:
        return 0.0
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** exponent > abs(x):
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, smallest) - precision + 1)
    # Python rounds fractions to even.
    result = round(x / unit) * unit
    if abs(result) >= Fraction(2) ** (largest + 1):
        return math.copysign(math.inf, x)
    return math.copysign(float(result), x)


def numbers():
    """Those of f64."""
    rng = random.Random(1)
    yield from (0.0, 1.0, math.inf, math.nan, 1e300, 5e-324, 65504.0, 65519.99, 65520.0)
    yield from (65520.0001, 3.3961775292304e38, 3.39617752923046e38, 3.4028235677973366e38)
    for _, precision, smallest, largest in list(FLOATS.values())[1:]:
        for exponent in [*range(smallest - 13, smallest + 2, 3), 0, 10, largest]:
            lost = max(smallest - exponent, 0)
            unit = 2.0 ** (1 - precision + lost)
            start = 1 + rng.getrandbits(precision - 1) * 2.0 ** (1 - precision)
            start = max(math.floor(start / unit) * unit, 0)
            for change in (0, unit / 2, -unit / 2):
                for step in (0, 2.0**-30, -(2.0**-30), 2.0**-45, -(2.0**-45)):
                    yield (start + change + step) * 2.0**exponent
    for _ in range(60):
        yield rng.uniform(-1, 1) * 2.0 ** rng.randint(-150, 130)
        yield rng.uniform(-1, 1) * 2.0 ** rng.randint(-10, 64)


def integers(count):
    """Those of 64 bits."""
    rng = random.Random(2)
    for _ in range(count):
        width = rng.randint(1, 63)
        x = rng.getrandbits(width)
        precision = rng.choice([8, 11, 24, 53])
        if width > precision + 1:
            # The middle between two numbers of so many bits, or next to it.
            shift = width - precision
            top = rng.getrandbits(precision) | 1 << (precision - 1)
            x = (top << shift) + (1 << (shift - 1)) + rng.choice([0, 1, -1])
        yield rng.choice([x, -x]) >> rng.choice([0, 0, 31, 33, 40])


def wrapped(x, width, signed):
    x &= (1 << width) - 1
    return x - (1 << width) if signed and x >> (width - 1) else x


def make_inputs():
    wide = list(numbers())
    wide += [-x for x in wide]
    whole = list(integers(len(wide)))
    inputs = {kind: [rounded(x, kind) for x in wide] for kind in FLOATS}
    for kind, width in INTEGERS.items():
        inputs[kind] = [wrapped(x, width, width > 1) for x in whole]
    return inputs


def limits(source, kind, signed):
    """Numbers that fit into an integer: from one, below another."""
    low, high = (-1 << (kind - 1), 1 << (kind - 1)) if signed else (0, 1 << kind)
    finite = 65504 if source == "f16" else 1 << 127
    return float(max(low, -finite)), float(min(high, finite))


def casts():
    for source, (width, *_) in FLOATS.items():
        for target, (other, *_) in FLOATS.items():
            if width != other:
                yield "truncf" if width > other else "extf", source, target
        for target in INTEGERS:
            yield "fptosi", source, target
            yield "fptoui", source, target
    for source in INTEGERS:
        for target in FLOATS:
            yield "sitofp", source, target
            yield "uitofp", source, target


def body(name, source, target):
    if not name.startswith("fpto"):
        return [f"%r = arith.{name} %x : {source} to {target}"]
    low, high = limits(source, INTEGERS[target], name == "fptosi")
    return [
        f"%low = arith.constant {low!r} : {source}".replace("e+", "E+"),
        f"%high = arith.constant {high!r} : {source}".replace("e+", "E+"),
        f"%zero = arith.constant 0.0 : {source}",
        f"%large = arith.cmpf oge, %x, %low : {source}",
        f"%small = arith.cmpf olt, %x, %high : {source}",
        "%fits = arith.andi %large, %small : i1",
        f"%y = arith.select %fits, %x, %zero : {source}",
        f"%r = arith.{name} %y : {source} to {target}",
    ]


def expected(name, source, target, x):
    if name in ("truncf", "extf"):
        return rounded(x, target)
    if name.startswith("fpto"):
        low, high = limits(source, INTEGERS[target], name == "fptosi")
        number = int(x) if low <= x < high else 0
        return wrapped(number, INTEGERS[target], INTEGERS[target] > 1)
    return rounded(wrapped(x, INTEGERS[source], name == "sitofp"), target)


def program(count):
    arguments = ", ".join(f"%{kind}: tensor<{count}x{kind}>" for kind in KINDS)
    results = list(casts())
    types = ", ".join(f"tensor<{count}x{target}>" for _, _, target in results)
    text = f"#id = affine_map<(n) -> (n)>\nfunc.func @main({arguments}) -> ({types}) {{\n"
    for at, (name, source, target) in enumerate(results):
        lines = "\n    ".join(body(name, source, target))
        text += f"""  %e{at} = tensor.empty() : tensor<{count}x{target}>
  %r{at} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%{source} : tensor<{count}x{source}>) outs(%e{at} : tensor<{count}x{target}>) {{
  ^bb0(%x: {source}, %out: {target}):
    {lines}
    linalg.yield %r : {target}
  }} -> tensor<{count}x{target}>
"""
    names = ", ".join(f"%r{at}" for at in range(len(results)))
    return text + f"  return {names} : {types}\n}}\n"


def differs(x, y):
    """Zeros have signs."""
    if isinstance(x, float):
        return struct.pack("<d", x) != struct.pack("<d", y) and not (x != x and y != y)
    return x != y


def main():
    attn_run, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    paths = {name: os.path.join(directory, name) for name in ("casts.mlir", "in.npz", "out.npz")}
    inputs = make_inputs()
    count = len(inputs["f64"])
    with open(paths["casts.mlir"], "w", encoding="utf-8") as out:
        out.write(program(count))
    arrays = {
        f"in{at}": (DESCRIPTIONS[kind], (count,), inputs[kind]) for at, kind in enumerate(KINDS)
    }
    write_npz(paths["in.npz"], arrays)
    failed = False
    for way in WAYS:
        command = [attn_run, paths["casts.mlir"], *way, f"--inputs={paths['in.npz']}"]
        subprocess.run([*command, f"--outputs={paths['out.npz']}"], check=True)
        outputs = read_npz(paths["out.npz"])
        right = 0
        for at, (name, source, target) in enumerate(casts()):
            wrong = [
                (x, y, want)
                for x, y in zip(inputs[source], outputs[f"out{at}"][1])
                if differs(y, want := expected(name, source, target, x))
            ]
            right += not wrong
            for x, y, want in wrong[:2]:
                print(f"{name} {source} to {target}: {x!r} gives {y!r}, expected {want!r}")
        print(f"{' '.join(way) or 'optimised'}: {right} casts")
        failed |= right < len(list(casts()))
    sys.exit(failed)


if __name__ == "__main__":
    main()
