#!/usr/bin/env python3
"""Counts the pairs of choices that no case of a grid has.

  count-pairs.py TESTS

Each grid of options is taken where it is made, and compared with the rows of the
cases that the tests run, one line for each grid. Only cases count whose group is
run by one of the .test files in the folder TESTS.
"""

import argparse
import itertools
import pathlib
import re
import runpy
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import numeric_cases
import numeric_decoding
import numeric_random


def record_grids():
    """The grids that are made from now on, as pairs of choices and rows."""
    grids = []

    def make(choices, seed, cover=numeric_cases.cover_pairs):
        rows = cover(choices, seed)
        grids.append((choices, rows))
        return rows

    for module in (numeric_cases, numeric_decoding, numeric_random):
        module.cover_pairs = make
    return grids


def is_run(group, tests):
    line = rf"^// RUN: %python \S*run-numeric-cases\.py {group} attn-run %t\b"
    return any(re.search(line, text, re.MULTILINE) for text in tests)


def main():
    folder = pathlib.Path(sys.argv[1])
    tests = [path.read_text(encoding="utf-8") for path in folder.glob("*.test")]
    grids = record_grids()
    find_groups = runpy.run_path(str(HERE / "run-numeric-cases.py"))["find_groups"]
    groups = find_groups(argparse.Namespace(count=1, seed=0))
    used = {
        id(value): name.split("-")[0]
        for group, cases in groups.items()
        if is_run(group, tests)
        for name, case in cases.items()
        for value in case.__defaults__ or ()
    }
    wrong = 0
    for choices, rows in grids:
        rows = [row for row in rows if id(row) in used]
        name = used[id(rows[0])] if rows else "a grid that no test runs"
        count = missing = 0
        for (a, xs), (b, ys) in itertools.combinations(choices.items(), 2):
            found = [(row[a], row[b]) for row in rows]
            for pair in itertools.product(xs, ys):
                count += 1
                missing += pair not in found
        wrong += missing
        names = ", ".join(choices)
        print(f"{name}: {count} pairs of {names}; {missing} in none of {len(rows)} cases")
    sys.exit(1 if wrong or not grids else 0)


if __name__ == "__main__":
    main()
