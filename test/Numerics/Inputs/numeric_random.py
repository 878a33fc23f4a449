"""Attention with options drawn at random, and on processors of other vector widths.

The grids of numeric_cases.py cover pairs of options; here any number of options
meets, with all masks and biases, sizes of zero and given blockings. A few draws
are tested always; run-numeric-cases.py draws more by hand.
"""

import random

from numeric_cases import CHOICES, add_attention, cover_pairs
from numeric_parts import BIASES, MASKS

# Queries, keys and rows of a block.
PLANS = [None, (16, 8, 4), (32, 13, 3), (64, 128, 1)]

DRAWN = dict(
    CHOICES,
    mask=list(MASKS),
    bias=list(BIASES),
    queries=[0, *CHOICES["queries"], 2, 31, 100],
    keys=[0, *CHOICES["keys"], 2, 31, 100, 300],
    dims=[*CHOICES["dims"], (0, 4), (4, 0), (15, 17), (128, 128)],
    plan=PLANS,
)

# What decides how the code for a vector looks.
WIDTHS = dict(
    {name: options[:1] for name, options in CHOICES.items()},
    element=CHOICES["element"],
    heads=[(4, 2), (1, 1)],
    queries=[1, 17, 65],
    keys=[1, 33, 130],
    dims=[(8, 8), (7, 5), (33, 20)],
    mask=["none", "causal-scalar", "window-batch", "tensor-keys"],
    bias=["none", "alibi", "tensor"],
    rotation=["none", "fused-both"],
)

CPUS = ["x86-64", "x86-64-v3", "x86-64-v4", "native"]


def draw(rng):
    row = {name: rng.choice(options) for name, options in DRAWN.items()}
    # Code for sizes that are all open takes long to compile, and there is much of
    # it: in some draws only.
    if row["dynamic"] == "all" and rng.random() < 0.7:
        row["dynamic"] = "lengths"
    return row


def random_cases(count, seed):
    rng = random.Random(seed)
    cases = {}
    for at in range(count):
        row = draw(rng)
        name = f"random-{seed}-{at:04}-{row['element']}-{row['mask']}-{row['bias']}"
        cases[name] = lambda p, row=row: add_attention(p, row)
    return cases


def width_cases():
    cases = {}
    for at, row in enumerate(cover_pairs(WIDTHS, seed=3)):
        cases[f"width-{at:03}-{row['element']}"] = lambda p, row=row: add_attention(p, row)
    return cases
