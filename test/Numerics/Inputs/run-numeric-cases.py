#!/usr/bin/env python3
"""Runs programs of attn ops on three paths and compares the results.

  run-numeric-cases.py GROUP ATTN-RUN DIRECTORY [--only=CASE] [--list]

Each program runs in the interpreter (double precision), as plain loops, and
optimised; what must be equal is compared in all three. Programs are made from
fixed seeds and packed into modules, which are left in DIRECTORY; that of a case
that fails is made again alone, with the commands that show the failure.
"""

import argparse
import ast
import math
import os
import struct
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numeric_cases
import numeric_decoding
import numeric_properties
from numeric_program import Program

# Enough to hide the start of a process, few enough to compile side by side.
CASES_PER_MODULE = 10


def find_groups():
    groups = {
        "zero": numeric_cases.zero_cases(),
        "encodings": numeric_cases.encoding_cases(),
        "properties": numeric_properties.property_cases(),
        "masks": numeric_properties.mask_property_cases(),
    }
    for name, case in numeric_cases.attention_cases().items():
        element = name.split("-")[1]
        groups.setdefault(f"attention-{element}", {})[name] = case
    groups["decoding"] = numeric_decoding.decoding_cases()
    return groups


def make_program(cases):
    program = Program()
    for name, build in cases.items():
        program.case = name
        build(program)
    return program


# -----------------------------------------------------------------------------
# Arrays
# -----------------------------------------------------------------------------

CODES = {"|b1": "?", "|i1": "b", "<i4": "i", "<i8": "q", "<f2": "e", "<f4": "f", "<f8": "d"}


def read_npz(path):
    """The arrays of a file, as (shape, list of numbers)."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            data = archive.read(member)
            size, start = struct.unpack("<H", data[8:10])[0], 10
            if data[6] > 1:
                size, start = struct.unpack("<I", data[8:12])[0], 12
            header = ast.literal_eval(data[start : start + size].decode())
            assert not header["fortran_order"]
            count = math.prod(header["shape"])
            code = CODES[header["descr"]]
            values = struct.unpack_from(f"<{count}{code}", data, start + size)
            arrays[member.removesuffix(".npy")] = header["shape"], values
    return arrays


def compare(actual, expected, tolerance):
    """What is wrong with an array, or None."""
    if actual[0] != expected[0]:
        return f"shape {actual[0]}, expected {expected[0]}"
    bad, first, worst = 0, None, 0.0
    for at, (x, y) in enumerate(zip(actual[1], expected[1])):
        # Equal infinities have no difference; NaN equals NaN.
        if x == y or (x != x and y != y):
            continue
        # Infinities have no tolerance: inf <= inf would accept any number.
        error = abs(x - y)
        if math.isfinite(y) and error <= tolerance * (1 + abs(y)):
            continue
        bad += 1
        first = at if first is None else first
        worst = max(worst, error)
    if not bad:
        return None
    place = []
    rest = first
    for size in reversed(actual[0]):
        place.insert(0, rest % size)
        rest //= size
    return (
        f"{bad} of {len(actual[1])} elements, first at {place}: got "
        f"{actual[1][first]:.9g}, expected {expected[1][first]:.9g}; largest error "
        f"{worst:.3g}, tolerance {tolerance:.3g}"
    )


# -----------------------------------------------------------------------------
# Runs
# -----------------------------------------------------------------------------

PATHS = {
    "reference": ["--reference"],
    "plain": ["--no-vectorize"],
    "optimised": ["--threads=2"],
}


class Runner:
    def __init__(self, options):
        self.options = options

    def command(self, program, stem, path):
        command = [self.options.attn_run, f"{stem}.{path}.mlir", "--seed=11"]
        return command + program.flags() + PATHS[path] + [f"--outputs={stem}.{path}.npz"]

    def run(self, cases, stem):
        """Runs a module; returns failures as (case, text), or None where a path
        does not run at all."""
        program = make_program(cases)
        stem = os.path.join(self.options.directory, stem)
        outputs = {}
        for path in PATHS:
            with open(f"{stem}.{path}.mlir", "w", encoding="utf-8") as out:
                out.write(program.text(path))
            command = self.command(program, stem, path)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                self.error = f"{path}: exit code {done.returncode}\n"
                self.error += (done.stdout + done.stderr)[-2000:]
                return None
            arrays = read_npz(f"{stem}.{path}.npz")
            outputs[path] = {
                result: arrays[f"out{at}"]
                for at, result in enumerate(program.results_on(path))
            }
        return self.check(program, outputs)

    def check(self, program, outputs):
        failures = []

        def note(result, what, text):
            if text:
                failures.append((result.case, f"{result.name}, {what}: {text}"))

        for result in program.results:
            expected = outputs["reference"][result]
            for path, arrays in outputs.items():
                if result not in arrays:
                    continue
                if path != "reference":
                    note(result, path, compare(arrays[result], expected, result.tolerance))
                if result.same_as:
                    other = arrays[result.same_as]
                    found = compare(arrays[result], other, result.same_tolerance)
                    note(result, f"{path}, against '{result.same_as.name}'", found)
        return failures

    def run_alone(self, name, case):
        """The failure of one case, with the commands that show it."""
        failures = self.run({name: case}, name)
        if failures == []:
            return []
        if failures is None:
            failures = [(name, self.error)]
        program = make_program({name: case})
        stem = os.path.join(self.options.directory, name)
        text = "\n".join(text for _, text in failures)
        for path in PATHS:
            text += "\n  " + " ".join(self.command(program, stem, path))
        return [(name, text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("group")
    parser.add_argument("attn_run")
    parser.add_argument("directory")
    parser.add_argument("--only", help="the name of a case, or its beginning")
    parser.add_argument("--list", action="store_true", help="only print names")
    options = parser.parse_args()

    groups = find_groups()
    if options.group not in groups:
        sys.exit(f"expects a group of: {', '.join(groups)}")
    cases = groups[options.group]
    if options.only:
        cases = {n: c for n, c in cases.items() if n.startswith(options.only)}
    if not cases:
        sys.exit("no such case")
    if options.list:
        print("\n".join(cases))
        return
    os.makedirs(options.directory, exist_ok=True)

    runner = Runner(options)
    failed = []
    names = list(cases)
    for start in range(0, len(names), CASES_PER_MODULE):
        chosen = names[start : start + CASES_PER_MODULE]
        module = {name: cases[name] for name in chosen}
        failures = runner.run(module, f"module-{start // CASES_PER_MODULE}")
        if failures is None:
            suspects = chosen
            # Not to be lost if it takes all of them together.
            failed.append((", ".join(chosen), runner.error))
        else:
            suspects = list(dict.fromkeys(name for name, _ in failures))
        alone = [f for name in suspects for f in runner.run_alone(name, cases[name])]
        if failures is None and alone:
            failed.pop()
        elif failures and not alone:
            alone = failures
        failed += alone
    for name, text in failed:
        print(f"FAILED {name}\n{text}\n")
    print(f"{options.group}: {len(cases)} cases, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
