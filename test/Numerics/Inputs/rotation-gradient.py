#!/usr/bin/env python3
"""The gradient of a rotation is the rotation back.

  rotation-gradient.py ATTN-RUN DIRECTORY

For y = rotate(x) with tables of magnitude m, the vector-Jacobian product of dy is
m R(-a) dy: `attn.rotary` with `inverse`, the same tables and range, and the two
layouts exchanged. Here it is compared with finite differences of sum(dy * y) in
f64, one for each element of x, on every path.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from numeric_arrays import PATHS, run_program

TOKENS, WIDTH, PAIRS, STEP = 3, 11, 4, 1e-3
SHAPE = [1, 1, TOKENS, WIDTH]
COUNT = TOKENS * WIDTH

LAYOUTS = ["interleaved", "split_half"]
MAGNITUDES = [1.0, 1.2079]
CASES = list(itertools.product(LAYOUTS, LAYOUTS, [0, 1, 3], [False, True]))


def rotate(layout, layout_out, inverse, first, name, batches, number):
    kind = f"tensor<{batches}x1x{TOKENS}x{WIDTH}xf64>"
    table = f"tensor<1x{TOKENS}x{PAIRS}xf64>"
    words = f"{layout} to {layout_out}" + (" inverse" if inverse else "")
    words += f" from {first}" if first else ""
    return (
        f"  %e{number} = tensor.empty() : {kind}\n"
        f"  %r{number} = attn.rotary {words} {name}, %cos, %sin : {kind}, {table}, {table} "
        f"outs(%e{number} : {kind})\n"
    ), kind


def make_program(magnitude):
    """Rotates all shifted inputs, and dy back, for each case."""
    table = f"tensor<1x{TOKENS}x{PAIRS}xf64>"
    positions = f"tensor<1x{TOKENS}xi64>"
    lines, types = "", []
    for layout, layout_out, first, inverse in CASES:
        at = len(types)
        forward, many = rotate(layout, layout_out, inverse, first, "%x", 2 * COUNT, at)
        backward, one = rotate(layout_out, layout, not inverse, first, "%dy", 1, at + 1)
        lines += forward + backward
        types += [many, one]
    names = ", ".join(f"%r{at}" for at in range(len(types)))
    results = ", ".join(types)
    return (
        f"func.func @main(%x: {many}, %dy: {one}, %p: {positions}) -> ({results}) {{\n"
        f"  %e = tensor.empty() : {table}\n"
        f"  %cos, %sin = attn.rotary_table positions(%p : {positions})\n"
        f"    rule(#attn.frequencies<default, dim = {2 * PAIRS}, base = 10000.0>)\n"
        f"    outs(%e, %e : {table}, {table}) {{magnitude = {magnitude} : f64}}\n"
        f"{lines}  return {names} : {results}\n}}\n"
    )


def compare(y, gradient, dy):
    """The largest difference of a gradient from the slopes of sum(dy * y)."""
    loss = [
        sum(a * b for a, b in zip(dy, y[row * COUNT : (row + 1) * COUNT]))
        for row in range(2 * COUNT)
    ]
    slopes = [(up - down) / (2 * STEP) for up, down in zip(loss[::2], loss[1::2])]
    return max(abs(a - b) for a, b in zip(slopes, gradient, strict=True))


def main():
    attn_run, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    numbers = random.Random(7)
    x = [numbers.uniform(-1, 1) for _ in range(COUNT)]
    dy = [numbers.uniform(-1, 1) for _ in range(COUNT)]
    shifted = []
    for at, sign in itertools.product(range(COUNT), (1, -1)):
        row = list(x)
        row[at] += sign * STEP
        shifted += row
    inputs = [("<f8", [2 * COUNT, *SHAPE[1:]], shifted), ("<f8", SHAPE, dy)]
    inputs.append(("<i8", [1, TOKENS], [3, 1000, 1 << 20]))
    failed = 0
    for magnitude, path in itertools.product(MAGNITUDES, PATHS):
        stem = os.path.join(directory, "gradients")
        results = run_program(attn_run, make_program(magnitude), stem, path, inputs)
        for case, (_, y), (_, gradient) in zip(CASES, results[::2], results[1::2], strict=True):
            error = compare(y, gradient, dy)
            # Not "greater than", which a NaN is not.
            if not error <= 1e-9:
                failed += 1
                print(f"FAILED {path}, {case}, magnitude {magnitude}: error {error:.3g}")
    count = len(CASES) * len(MAGNITUDES)
    print(f"{count} rotations on {len(PATHS)} paths, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
