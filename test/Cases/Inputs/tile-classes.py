#!/usr/bin/env python3
"""Prints the class of each tile of a mask, and how many there are of each.

  tile-classes.py FILE ATTN-TEST-OPT SIZE COUNT

The mask is %mask in the function @tiles of FILE, of COUNT times COUNT tiles of SIZE
queries and keys. One line for each tile of queries has a letter for each tile of
keys, which comes from the key intervals of the mask there: E, no key is in the may
interval of any two queries that follow each other; F, every key is in all of their
sure intervals; P, anything else. The test pass compares the intervals with each pair.
"""

import re
import subprocess
import sys

FUNCTION = re.compile(r"^func\.func @tiles\(\) \{\n(.*?)^  return\n\}\n", re.MULTILINE | re.DOTALL)
REMARK = re.compile(r"remark: kept (\d+), may (\d+), sure (\d+)")


def make_function(body, size, count):
    """A slice of the mask for each tile."""
    lines = [f"  %at{at * size} = arith.constant {at * size} : index" for at in range(count)]
    for i in range(count):
        for j in range(count):
            offsets = f"%at0, %at0, %at{i * size}, %at{j * size}"
            lines.append(f"  %tile_{i}_{j} = attn.mask.slice %mask[{offsets}]")
    lines = "\n".join(lines)
    return f"func.func @tiles() {{\n{body}{lines}\n  return\n}}\n"


def main():
    path, tool, size, count = *sys.argv[1:3], *map(int, sys.argv[3:])
    with open(path, encoding="utf-8") as file:
        body = FUNCTION.search(file.read())[1]
    grid = f"heads=1 queries={size} keys={size}"
    done = subprocess.run(
        [tool, "-", f"-test-attn-pairs={grid}", "-o", "/dev/null"],
        input=make_function(body, size, count),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    remarks = [tuple(map(int, numbers)) for numbers in REMARK.findall(done.stderr)]
    # The masks that %mask is made of have remarks too, in front.
    remarks = remarks[-count * count :]
    # Two batches, and the ranges of two queries in a tile.
    whole = 2 * (size - 1) * size
    letters = ["E" if may == 0 else "F" if sure == whole else "P" for _, may, sure in remarks]
    for at in range(0, count * count, count):
        print("".join(letters[at : at + count]))
    print(", ".join(f"{letters.count(letter)} {letter}" for letter in "EFP"))


if __name__ == "__main__":
    main()
