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
CASES = list(itertools.product(LAYOUTS, LAYOUTS, [0, 1, 3], [1.0, 1.2079], [False, True]))


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


def make_program(layout, layout_out, first, magnitude, inverse):
    """Rotates all shifted inputs, and dy back."""
    forward, many = rotate(layout, layout_out, inverse, first, "%x", 2 * COUNT, 0)
    backward, one = rotate(layout_out, layout, not inverse, first, "%dy", 1, 1)
    table = f"tensor<1x{TOKENS}x{PAIRS}xf64>"
    positions = f"tensor<1x{TOKENS}xi64>"
    return (
        f"func.func @main(%x: {many}, %dy: {one}, %p: {positions}) -> ({many}, {one}) {{\n"
        f"  %e = tensor.empty() : {table}\n"
        f"  %cos, %sin = attn.rotary_table positions(%p : {positions})\n"
        f"    rule(#attn.frequencies<default, dim = {2 * PAIRS}, base = 10000.0>)\n"
        f"    outs(%e, %e : {table}, {table}) {{magnitude = {magnitude} : f64}}\n"
        f"{forward}{backward}  return %r0, %r1 : {many}, {one}\n}}\n"
    )


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
    for case, path in itertools.product(CASES, PATHS):
        stem = os.path.join(directory, "gradient")
        y, gradient = run_program(attn_run, make_program(*case), stem, path, inputs)
        loss = [
            sum(a * b for a, b in zip(dy, y[1][row * COUNT : (row + 1) * COUNT]))
            for row in range(2 * COUNT)
        ]
        slopes = [(up - down) / (2 * STEP) for up, down in zip(loss[::2], loss[1::2])]
        error = max(abs(a - b) for a, b in zip(slopes, gradient[1], strict=True))
        # Not "greater than", which a NaN is not.
        if not error <= 1e-9:
            failed += 1
            print(f"FAILED {path}, {case}: error {error:.3g}")
    print(f"{len(CASES)} rotations on {len(PATHS)} paths, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
