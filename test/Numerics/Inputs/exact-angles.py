#!/usr/bin/env python3
"""Compares rotary tables and sinusoidal encodings with values of 40 digits.

  exact-angles.py ATTN-RUN DIRECTORY

Frequencies, angles, sines and cosines are computed in decimal arithmetic from
the formulas of the rules, with series of its own for sine and cosine, and
compared with what the interpreter, plain loops and optimised code give. What the
ops promise is 2e-6 for angles of up to 2^27 radians, whatever position and
frequency make them; larger ones are not compared.
"""

import os
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from numeric_arrays import PATHS, run_program

getcontext().prec = 60
TOLERANCE = 2e-6
POSITIONS = [0, 1, 5, 40, 255, 2000, 4095, 16000, 131071, 1048575, 9999991, 16777215, 1 << 24]
POSITIONS += [(1 << 27) - 1, 1 << 27]
LARGEST = 1 << 27


# -----------------------------------------------------------------------------
# Decimal arithmetic
# -----------------------------------------------------------------------------


def arctan_of_inverse(n):
    """arctan(1 / n) by its series."""
    total, power, k = Decimal(0), Decimal(1) / n, 0
    while abs(power) > Decimal(10) ** -58:
        total += (-power if k % 2 else power) / (2 * k + 1)
        power /= n * n
        k += 1
    return total


PI = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


def sine(x):
    x = x % (2 * PI)
    total, term, k = Decimal(0), x, 1
    while abs(term) > Decimal(10) ** -50:
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def cosine(x):
    return sine(x + PI / 2)


def promised(function, angle):
    """What the op promises about the angle; None if that is nothing."""
    return float(function(angle)) if abs(angle) <= LARGEST else None


def power(base, exponent):
    return (exponent * base.ln()).exp() if exponent else Decimal(1)


# -----------------------------------------------------------------------------
# Rules: what the attribute says, and the frequency of pair `i` of `r` elements
# -----------------------------------------------------------------------------


def theta(base, i, r):
    return power(Decimal(base), Decimal(-2 * i) / r)


def llama3(i, r, _):
    f = theta(500000, i, r)
    wavelength = 2 * PI / f
    if wavelength < Decimal(8192) / 4:
        return f
    if wavelength > Decimal(8192):
        return f / 32
    t = (8192 / wavelength - 1) / (4 - 1)
    return (1 - t) * f / 32 + t * f


def yarn(truncate):
    def frequency(i, r, _):
        def place(beta):
            return r * (4096 / (2 * PI * beta)).ln() / (2 * Decimal(10000).ln())

        low, high = place(32), place(1)
        if truncate:
            low = low.to_integral_value(ROUND_FLOOR)
            high = high.to_integral_value(ROUND_CEILING)
        low, high = max(low, Decimal(0)), min(high, Decimal(r - 1))
        if low == high:
            high += Decimal("0.001")
        ramp = min(max((i - low) / (high - low), Decimal(0)), Decimal(1))
        f = theta(10000, i, r)
        return f * (1 - ramp) + f / 16 * ramp

    return frequency


def enlarged(base, growth, i, r):
    if i == 0:
        return Decimal(1)
    return power(base * power(growth, Decimal(r) / (r - 2)), Decimal(-2 * i) / r)


def ntk(i, r, _):
    return enlarged(Decimal(10000), Decimal(8), i, r)


def ntk_two_step(i, r, _):
    return power(Decimal(80000), Decimal(-2 * i) / r) * power(Decimal(8), Decimal(-2) / r)


def ntk_mixed(i, r, _):
    b = Decimal("0.625")
    a = Decimal(8).ln() / power(Decimal(r) / 2, b)
    return theta(10000, i, r) * (-a * power(Decimal(i + 1), b)).exp()


def dynamic_ntk(i, r, length):
    growth = Decimal(1)
    if length > 4096:
        growth = 4 * Decimal(length) / 4096 - 3
    return enlarged(Decimal(10000), growth, i, r)


def longrope(i, r, length):
    divisor = Decimal(1) + Decimal(i) / 4 if length <= 4096 else Decimal(2) + Decimal(i) * 3 / 2
    return theta(10000, i, r) / divisor


def proportional(i, r, _):
    return theta(10000, i, r) / 2 if i < r // 4 else Decimal(0)


def lists(r):
    short = ", ".join(str(1 + i / 4) for i in range(r // 2))
    long = ", ".join(str(2 + i * 1.5) for i in range(r // 2))
    return f"short = [{short}], long = [{long}]"


YARN = "factor = 16.0, original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0"
RULES = {
    "default": ("default", "base = 10000.0", lambda i, r, _: theta(10000, i, r)),
    "default-1": ("default", "base = 1.0", lambda i, r, _: Decimal(1)),
    "default-inf": ("default", "base = inf", lambda i, r, _: Decimal(0 if i else 1)),
    "default-low": ("default", "base = 1.0e-6", lambda i, r, _: theta(1e-6, i, r)),
    "linear": ("linear", "base = 10000.0, factor = 3.0", lambda i, r, _: theta(10000, i, r) / 3),
    "linear-low": (
        "linear",
        "base = 10000.0, factor = 0.125",
        lambda i, r, _: theta(10000, i, r) * 8,
    ),
    "llama3": (
        "llama3",
        "base = 500000.0, factor = 32.0, low_freq_factor = 1.0, high_freq_factor = 4.0, "
        "original_length = 8192.0",
        llama3,
    ),
    "yarn": ("yarn", f"base = 10000.0, {YARN}, truncate = 1.0", yarn(True)),
    "yarn-exact": ("yarn", f"base = 10000.0, {YARN}, truncate = 0.0", yarn(False)),
    "ntk": ("ntk", "base = 10000.0, alpha = 8.0", ntk),
    "ntk_two_step": ("ntk_two_step", "base = 10000.0, factor = 8.0", ntk_two_step),
    "ntk_mixed": ("ntk_mixed", "base = 10000.0, factor = 8.0, exponent = 0.625", ntk_mixed),
    "proportional": (
        "proportional",
        lambda r: f"base = 10000.0, factor = 2.0, pairs = {r // 4}",
        proportional,
    ),
    "dynamic_ntk": (
        "dynamic_ntk",
        "base = 10000.0, factor = 4.0, original_length = 4096.0",
        dynamic_ntk,
    ),
    "longrope": (
        "longrope",
        lambda r: f"base = 10000.0, original_length = 4096.0, {lists(r)}",
        longrope,
    ),
}
OF_RUN_TIME = ("dynamic_ntk", "longrope")


def rule_text(name, r):
    rule, parameters, _ = RULES[name]
    if callable(parameters):
        parameters = parameters(r)
    return f"#attn.frequencies<{rule}, dim = {r}, {parameters}>"


# -----------------------------------------------------------------------------
# Programs
# -----------------------------------------------------------------------------


class Program:
    """Ops that each give one or two tables, and what the tables must be."""

    def __init__(self):
        self.lines, self.types, self.results, self.expected = [], [], [], []

    def add(self, text, shape, element, expected, attributes=""):
        """`expected` has a function of the indices for each result."""
        at = len(self.lines)
        kind = f"tensor<{'x'.join(map(str, shape))}x{element}>"
        self.lines.append(f"  %e{at} = tensor.empty() : {kind}")
        count = len(expected)
        inits, kinds = ", ".join([f"%e{at}"] * count), ", ".join([kind] * count)
        self.lines.append(f"  %r{at}:{count} = {text} outs({inits} : {kinds}){attributes}")
        self.results += [f"%r{at}#{n}" for n in range(count)]
        self.types += [kind] * count
        self.expected += [(text, shape, e) for e in expected]

    def text(self, arguments):
        types = ", ".join(self.types)
        lines = "\n".join(self.lines)
        return (
            f"func.func @main({arguments}) -> ({types}) {{\n{lines}\n"
            f"  return {', '.join(self.results)} : {types}\n}}\n"
        )


def add_table(program, name, r, element, tokens, length, order=None):
    """A table for one rule; with an order, for positions of two axes, of which
    the second is 7 less than the first, or 0."""
    frequency = RULES[name][2]
    pairs = r // 2
    sizes = [pairs - pairs // 2, pairs // 2]

    def turn(t, i):
        position, index, dim = POSITIONS[t], i, r
        axis = 0
        if order == "interleaved":
            axis = i % 2
        elif order:
            axis = int(i >= sizes[0])
        if order == "axial":
            index, dim = i - axis * sizes[0], 2 * sizes[axis]
        if axis == 1:
            position = max(position - 7, 0)
        return position * frequency(index, dim, length)

    planes = "2x" if order else ""
    source = "%axes" if order else "%positions"
    text = f"attn.rotary_table positions({source} : tensor<{planes}1x{tokens}xi64>)"
    text += f" rule({rule_text(name, r)})"
    if order:
        text += f" sections(#attn.sections<{order}, {sizes}>)"
    if name in OF_RUN_TIME:
        text += f" length(%l{length})"
    expected = [
        lambda t, i: promised(cosine, turn(t, i)),
        lambda t, i: promised(sine, turn(t, i)),
    ]
    program.add(text, [1, tokens, pairs], element, expected)


def add_sinusoidal(
    program, layout, denominator, cosine_first, width, element, tokens, base=1e4, scale=1.0
):
    n = width if denominator == "full" else width - 2
    firsts = width - width // 2

    def expected(t, d):
        index, second = (d // 2, d % 2) if layout == "interleaved" else (d % firsts, d >= firsts)
        frequency = power(Decimal(base), Decimal(-2 * index) / n) if index else 1
        angle = POSITIONS[t] * Decimal(scale) * frequency
        return promised(cosine if bool(second) != cosine_first else sine, angle)

    text = f"attn.sinusoidal {layout} positions(%positions : tensor<1x{tokens}xi64>)"
    text += f" denominator={denominator}" + (" cosine_first" if cosine_first else "")
    attributes = f" {{base = {base:f} : f64, position_scale = {scale:f} : f64}}"
    program.add(text, [1, tokens, width], element, [expected], attributes)


LENGTHS = [4096, 4097, 1 << 24]


def make_program(element):
    program = Program()
    tokens = len(POSITIONS)
    for name in RULES:
        for length in LENGTHS if name in OF_RUN_TIME else LENGTHS[:1]:
            add_table(program, name, 16, element, tokens, length)
    for order in ("chunked", "interleaved", "axial"):
        for name in ("default", "yarn", "dynamic_ntk", "longrope"):
            # Its lists are for the pairs of the whole rotation.
            if (order, name) == ("axial", "longrope"):
                continue
            add_table(program, name, 12, element, tokens, LENGTHS[1], order)
    for layout in ("interleaved", "concatenated"):
        for denominator in ("full", "minus_two"):
            add_sinusoidal(program, layout, denominator, False, 8, element, tokens)
            add_sinusoidal(program, layout, denominator, True, 7, element, tokens)
        add_sinusoidal(program, layout, "full", False, 8, element, tokens, 1e-6, 0.3)
    arguments = [f"%positions: tensor<1x{tokens}xi64>", f"%axes: tensor<2x1x{tokens}xi64>"]
    arguments += [f"%i{length}: i64" for length in LENGTHS]
    program.lines = [
        f"  %l{length} = arith.index_cast %i{length} : i64 to index" for length in LENGTHS
    ] + program.lines
    second = [max(position - 7, 0) for position in POSITIONS]
    inputs = [("<i8", [1, tokens], POSITIONS), ("<i8", [2, 1, tokens], POSITIONS + second)]
    inputs += [("<i8", [], [length]) for length in LENGTHS]
    return program, program.text(", ".join(arguments)), inputs


def main():
    attn_run, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    failed = False
    for element in ("f32", "f64"):
        program, text, inputs = make_program(element)
        exact = []
        for _, shape, expected in program.expected:
            indices = [(t, i) for t in range(shape[1]) for i in range(shape[2])]
            exact.append([expected(t, i) for t, i in indices])
        for path in PATHS:
            stem = os.path.join(directory, element)
            worst = 0.0
            for (op, *_), values, found in zip(
                program.expected, exact, run_program(attn_run, text, stem, path, inputs)
            ):
                # Not "greater than", which a NaN is not.
                pairs = zip(found[1], values, strict=True)
                errors = [abs(x - y) for x, y in pairs if y is not None]
                bad = [e for e in errors if not e <= TOLERANCE]
                worst = max([worst, *errors])
                if bad:
                    failed = True
                    print(f"FAILED {element} {path}: {len(bad)} elements, {bad[0]:.3g}: {op}")
            print(f"{element}, {path}: {len(exact)} tables, worst error {worst:.1e}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
