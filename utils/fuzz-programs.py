#!/usr/bin/env python3
"""Runs random programs on all paths and compares them with the interpreter.

  fuzz-programs.py BIN DIRECTORY [--first=N] [--count=N] [--jobs=N] [--quick]

BIN holds attn-gen, attn-opt, attn-run and attn-compile. Each seed gives one
program (its options follow from the seed), which is

  printed   and parsed again, as text, in the generic form and as bytecode: the
            text must not change;
  passed    through single passes and random lists of them; the interpreter has
            to give the same results for what comes out;
  lowered   to each stage on tensors, which the interpreter runs as well;
  compiled  plain and optimised, with and without raising, in the process and to
            a library.

Results may differ by what attn-gen says that rounding explains, not more. With
--quick, a program takes some of the ways, which its seed chooses. What fails is
left in DIRECTORY: the program of the fewest steps that fails, and the commands.
Exits with 1 if anything failed.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "Numerics" / "Inputs"))

import fuzz_options
from numeric_arrays import read_npz

# A program that takes longer has found something, too.
TIME_LIMIT = 300

PASSES = [
    "attn-simplify",
    "attn-fuse",
    "attn-lint",
    "attn-plan",
    "attn-sink-masks",
    "attn-lower-to-linalg",
    "attn-lower-attention-to-linalg",
    "attn-raise-positions",
    "attn-raise-rotary",
    "attn-raise-attention",
    "attn-raise",
    "attn-tile-attention",
    "attn-fuse-linalg",
    "attn-fold-constant-transpose",
    "attn-clone-fills",
    "attn-check-program",
    "func.func(attn-check-sizes)",
    "canonicalize",
    "cse",
    "convert-elementwise-to-linalg",
    "linalg-fold-unit-extent-dims",
    "inline",
    "symbol-dce",
]
STAGES = ["checked", "raised", "planned", "linalg"]
COMPILED = {
    "plain": ["--no-vectorize"],
    "plain-unraised": ["--no-vectorize", "--no-raise"],
    "optimised": ["--threads=2"],
    "optimised-unraised": ["--no-raise", "--threads=2"],
}


def compare(actual, expected, tolerance):
    """What is wrong with an array, or None. Equal infinities have no difference,
    and NaN equals NaN; subnormal 16-bit numbers are off by 1e-7."""
    if actual[0] != expected[0]:
        return f"shape {actual[0]}, expected {expected[0]}"
    tolerance += 1e-7 if tolerance else 0.0
    bad = [
        at
        for at, (x, y) in enumerate(zip(actual[1], expected[1]))
        if x != y and not (x != x and y != y) and not abs(x - y) <= tolerance
    ]
    if not bad:
        return None
    errors = [abs(actual[1][at] - expected[1][at]) for at in bad]
    return (
        f"{len(bad)} of {len(actual[1])} elements, first {bad[0]}: got "
        f"{actual[1][bad[0]]:.9g}, expected {expected[1][bad[0]]:.9g}; largest error "
        f"{max(errors):.3g}, tolerance {tolerance:.3g}"
    )


class Failure(Exception):
    """What went wrong, with the command that shows it."""


class Case:
    """One program in a directory of its own."""

    def __init__(self, options, seed, steps=None):
        self.options = options
        self.seed = seed
        self.random = random.Random(seed)
        self.steps = self.random.randint(1, 7)
        self.static = self.random.random() < 0.2
        self.steps = steps or self.steps
        self.directory = pathlib.Path(options.directory) / f"seed-{seed}"
        self.commands = []

    def path(self, name):
        return str(self.directory / name)

    def run(self, tool, *arguments):
        command = [os.path.join(self.options.bin, tool), *arguments]
        self.commands.append(" ".join(command))
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"takes more than {TIME_LIMIT} s") from None
        if done.returncode != 0:
            # Of a crash, the first frames; of an error, all that matters.
            text = "\n".join(done.stderr.splitlines()[:25])
            raise Failure(f"exit code {done.returncode}\n{text}")

    def generate(self):
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        flags = [f"--seed={self.seed}", f"--steps={self.steps}"]
        flags += ["--dynamic-sizes=false"] if self.static else []
        self.run("attn-gen", *flags, "-o", self.path("program.mlir"))
        lines = pathlib.Path(self.path("program.mlir")).read_text().splitlines()
        notes = [line[3:] for line in lines if line.startswith("// ")]
        # The interpreter rounds the angles of the op, but not what it is lowered to.
        self.rounds = any(re.search(r"angles = +f32", line) for line in lines)
        self.inputs = [note for note in notes if note.startswith("--")]
        self.inputs.append(f"--seed={self.seed}")
        self.tolerances = [float(n.split()[1]) for n in notes if n.startswith("tolerance ")]

    def interpret(self, program, name, *flags):
        out = self.path(name + ".npz")
        self.run("attn-run", program, *(flags or ["--reference"]), *self.inputs, f"--outputs={out}")
        return read_npz(out)

    def compare_interpreted(self, actual):
        if not self.rounds:
            self.compare(actual)

    def compare(self, actual):
        for at, tolerance in enumerate(self.tolerances):
            found = compare(actual[f"out{at}"], self.expected[f"out{at}"], tolerance)
            if found:
                raise Failure(f"out{at}: {found}")

    # Ways.

    def check_text(self):
        program, first, second = (self.path(f"{n}.mlir") for n in ("program", "first", "second"))
        self.run("attn-opt", program, "-o", first)
        for name, flags in (
            ("text", []),
            ("generic", ["--mlir-print-op-generic"]),
            ("bytecode", ["--emit-bytecode"]),
        ):
            between = self.path(f"{name}.mlir")
            self.run("attn-opt", first, *flags, "-o", between)
            self.run("attn-opt", between, "-o", second)
            if pathlib.Path(first).read_bytes() != pathlib.Path(second).read_bytes():
                raise Failure(f"the {name} form reads back as another program")

    def check_passes(self, passes):
        out = self.path("passed.mlir")
        pipeline = f"--pass-pipeline=builtin.module({','.join(passes)})"
        self.run("attn-opt", self.path("program.mlir"), pipeline, "-o", out)
        self.compare_interpreted(self.interpret(out, "passed"))

    def check_stage(self, stage, *flags):
        self.compare_interpreted(
            self.interpret(self.path("program.mlir"), stage, f"--reference={stage}", *flags)
        )

    def check_compiled(self, name):
        self.compare(self.interpret(self.path("program.mlir"), name, *COMPILED[name]))

    def check_library(self):
        library = self.path("program.so")
        self.run("attn-compile", self.path("program.mlir"), "-o", library)
        out = self.path("library.npz")
        self.run("attn-run", library, *self.inputs, f"--outputs={out}")
        self.compare(read_npz(out))

    def ways(self):
        """Pairs of a name and a check, in an order that the seed fixes."""
        yield "text", self.check_text
        for name in COMPILED:
            yield name, lambda name=name: self.check_compiled(name)
        yield "library", self.check_library
        for stage in STAGES:
            yield stage, lambda stage=stage: self.check_stage(stage)
        yield "linalg-plain", lambda: self.check_stage("linalg", "--no-vectorize")
        for name in PASSES:
            yield name, lambda name=name: self.check_passes([name])
        for at in range(4):
            passes = self.random.choices(PASSES, k=self.random.randint(2, 6))
            yield f"list-{at}", lambda passes=passes: self.check_passes(passes)

    def chosen_ways(self):
        ways = list(self.ways())
        if not self.options.quick:
            return ways
        compiled = [way for way in ways if way[0] in COMPILED]
        others = [way for way in ways if way not in compiled]
        return self.random.sample(compiled, 1) + self.random.sample(others, 2)

    def check(self, only=None):
        """The failures, as (way, text)."""
        failures = []
        try:
            self.generate()
            self.expected = self.interpret(self.path("program.mlir"), "expected")
        except Failure as failure:
            return [("reference", self.describe(failure))]
        for name, way in self.chosen_ways():
            if only and name != only:
                continue
            start = len(self.commands)
            try:
                way()
            except Failure as failure:
                del self.commands[2:start]
                failures.append((name, self.describe(failure)))
            del self.commands[2:]
        return failures

    def describe(self, failure):
        return f"{failure}\n  " + "\n  ".join(self.commands)


def check_seed(options, seed):
    """The failures of a seed, each of the fewest steps that show it. One mistake
    may show on many ways; each text is told once."""
    case = Case(options, seed)
    groups = {}
    for name, text in case.check():
        groups.setdefault(text.split("\n  ")[0].replace(name, ""), []).append((name, text))
    shortened = []
    for group in groups.values():
        name, text = group[0]
        for steps in range(1, case.steps):
            found = dict(Case(options, seed, steps).check(only=name))
            if name in found:
                text = found[name]
                break
        else:
            Case(options, seed).check(only=name)
        shortened.append((", ".join(name for name, _ in group), text))
    if shortened:
        text = "\n\n".join(f"{name}: {text}" for name, text in shortened)
        (case.directory / "failures.txt").write_text(text + "\n")
    else:
        shutil.rmtree(case.directory, ignore_errors=True)
    return seed, shortened


def main():
    parser = fuzz_options.make_parser(
        __doc__, count=20, unit="programs", quick="some ways for each program"
    )
    options = parser.parse_args()

    failed = 0
    seeds = range(options.first, options.first + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, failures in pool.map(lambda seed: check_seed(options, seed), seeds):
            for name, text in failures:
                failed += 1
                print(f"FAILED seed {seed}, {name}: {text}\n", flush=True)
    print(f"{options.count} programs, {failed} failures")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
