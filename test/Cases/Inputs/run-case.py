#!/usr/bin/env python3
"""Runs the functions of a file on given numbers and checks their results.

  run-case.py FILE ATTN-RUN DIRECTORY [--flags=FLAGS] [--also=FLAGS...] [--plan=PLAN...]

The numbers stand in front of a function, one line each, as Python expressions:

  // types: f32 bf16         what !t is; f32, f16 and bf16 if not given
  // %q = 0                  an argument; one number fills it
  // S = 17                  a name for the lines below
  // %v = [1, nan, 3]        nan, inf, log, exp, sqrt, cos, sin, range, ... are known
  // -> [1, 1.5, 2]          a result, in the order of the results
  // -> [0.5] within 1e-4    with a tolerance of its own; rounding(1e-4) is that, but no
                             less than half a unit in the last place below 1
  // not [1, 2, 2]           what the result above must not be taken for
  // fails: pattern          instead of results: what a run-time check says
  // compiled                not in the interpreter, which does not round on the way
  // again                   other numbers follow; arguments not named stay as they are

A line that starts with four spaces more continues the one before it. Arguments
are rounded to their type; in an expression, rounded(x) does the same with !t, and
`t` is its name. Each function runs in the interpreter, as plain loops and optimised,
and with the flags of each --also; all are in one module, as calls of @main. --flags
are given to all paths that compile. With each --plan=QUERIES,KEYS,ROWS it runs
optimised once more, and each attention without a plan has blocks of this many.

A result of f64 or f32 may be off by 1e-6, or by 1e-6 of its size; one of 16 bits by two
units in the last place of what is expected.
"""

import argparse
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Numerics", "Inputs"))

from numeric_arrays import read_npz, write_npz

COMPILED = [["--no-vectorize"], ["--threads=2"]]
# The format in files and the bits of the significand.
TYPES = {"f64": ("<f8", 53), "f32": ("<f4", 24), "f16": ("<f2", 11), "bf16": ("<f4", 8)}
TYPES |= {"i1": ("|b1", 0), "i32": ("<i4", 0), "i64": ("<i8", 0)}
FUNCTION = re.compile(
    r"((?:^//[^\n]*\n)+)^func\.func @(\w+)\(([^{]*?)\)\s*->\s*\(?([^{]*?)\)?\s*\{\n.*?^\}\n",
    re.MULTILINE | re.DOTALL,
)
# An attention that ends a line without attributes.
PLAIN_ATTENTION = re.compile(r"attn\.attention [^{}]*?outs\([^()]*\)(?=\n)")
HELPER = re.compile(r"^func\.func private @(\w+)\(.*?^\}\n", re.MULTILINE | re.DOTALL)


# -----------------------------------------------------------------------------
# Numbers
# -----------------------------------------------------------------------------


def units(value, kind):
    """A unit in the last place of a number of a type."""
    smallest = {"f16": -24, "bf16": -133, "f32": -149, "f64": -1074}[kind]
    exponent = math.frexp(value)[1] - TYPES[kind][1]
    return 2.0 ** max(exponent, smallest)


def round_to(value, kind):
    """The nearest number of a type, ties to even."""
    if kind[0] == "i" or value == 0 or not math.isfinite(value):
        return value
    unit = units(value, kind)
    return round(value / unit) * unit


def flatten(value):
    """The shape of nested lists, and their numbers."""
    if not isinstance(value, (list, tuple, range)):
        return [], [value]
    parts = [flatten(part) for part in value]
    return [len(parts)] + (parts[0][0] if parts else []), sum((p[1] for p in parts), [])


class Array:
    """A type such as tensor<2x?x!t> or i64, and numbers of it."""

    def __init__(self, kind, value):
        *dims, self.kind = kind.removeprefix("tensor<").rstrip(">").split("x")
        shape, self.numbers = flatten(value)
        self.shape = shape if "?" in dims else [int(d) for d in dims]
        count = math.prod(self.shape)
        if len(self.numbers) == 1:
            self.numbers *= count
        if len(self.numbers) != count or len(dims) != len(self.shape):
            sys.exit(f"{len(self.numbers)} numbers of shape {shape} for {kind}")

    def entry(self):
        """What write_npz takes."""
        numbers = [round_to(number, self.kind) for number in self.numbers]
        return TYPES[self.kind][0], self.shape, numbers


# -----------------------------------------------------------------------------
# Functions
# -----------------------------------------------------------------------------


class Result:
    def __init__(self, kind, value, tolerance):
        self.array = Array(kind, value)
        self.tolerance = tolerance
        self.others = []

    def allowed(self, expected):
        if self.tolerance is not None:
            return self.tolerance
        kind = self.array.kind
        if kind in ("f16", "bf16"):
            return 2 * units(expected, kind)
        return 1e-6 * max(1, abs(expected)) if kind[0] == "f" else 0

    def differs(self, numbers):
        """The first place where these are not what is expected, or None."""
        for at, (x, y) in enumerate(zip(numbers, self.array.numbers)):
            # The interpreter gives more digits than the type has.
            x = round_to(x, self.array.kind)
            equal = x == y or (x != x and y != y)
            if not equal and not (math.isfinite(y) and abs(x - y) <= self.allowed(y)):
                return at
        return None

    def check(self, shape, numbers):
        if list(shape) != self.array.shape:
            return f"shape {list(shape)}, expected {self.array.shape}"
        at = self.differs(numbers)
        if at is None:
            return None
        return f"element {at} is {numbers[at]:.9g}, expected {self.array.numbers[at]:.9g}"


class Function:
    """A function of the file for one type, and one set of numbers."""

    def __init__(self, match, comment, kind, before):
        name, arguments, results = (match[i] for i in range(2, 5))
        self.name = f"{name}_{kind}"
        self.text = match[0][len(match[1]) :].replace(f"@{name}(", f"@{self.name}(", 1)
        self.text = self.text.replace("!t", kind)
        # Private functions of the file, which it may call; each type has its own.
        helpers = list(HELPER.finditer(match.string))
        self.text = "\n".join([self.text] + [helper[0].replace("!t", kind) for helper in helpers])
        for helper in helpers:
            self.text = self.text.replace(f"@{helper[1]}(", f"@{self.name}_{helper[1]}(")
        # The aliases of the file that it uses.
        for alias, value in re.findall(r"^(#\w+) = (.*)$", match.string, re.MULTILINE):
            self.text = re.sub(rf"{alias}\b", value, self.text)
        types = dict(re.findall(r"(%\w+): (tensor<[^>]*>|\w+)", arguments.replace("!t", kind)))
        kinds = re.findall(r"tensor<[^>]*>|\w+", results.replace("!t", kind))
        self.signature = list(types.values()), kinds
        names = {n: getattr(math, n) for n in dir(math) if n[0] != "_"}
        names |= {"t": kind, "rounded": lambda x: round_to(x, kind)}
        names["rounding"] = lambda x: max(x, units(0.5, kind) / 2)
        self.arguments = dict(before.arguments) if before else {}
        self.results, self.error = [], None
        self.compiled = "// compiled" in comment.splitlines()
        for line in re.sub(r"\n//    +", " ", comment).splitlines():
            if found := re.fullmatch(r"// ([A-Z]) = (.*)", line):
                names[found[1]] = eval(found[2], names)
            elif found := re.fullmatch(r"// (%\w+) = (.*)", line):
                self.arguments[found[1]] = Array(types[found[1]], eval(found[2], names))
            elif found := re.fullmatch(r"// -> (.*?)(?: within (.*))?", line):
                tolerance = eval(found[2], names) if found[2] else None
                self.add(kinds, eval(found[1], names), tolerance)
            elif found := re.fullmatch(r"// not (\[.*)", line):
                last = self.results[-1]
                last.others.append(Array(kinds[len(self.results) - 1], eval(found[1], names)))
            elif found := re.fullmatch(r"// fails: (.*)", line):
                self.error = found[1]
        if set(self.arguments) != set(types):
            sys.exit(f"@{name}: arguments {list(types)}, but numbers for {list(self.arguments)}")
        self.arguments = {argument: self.arguments[argument] for argument in types}
        if self.error is None and len(self.results) != len(kinds):
            sys.exit(f"@{name}: {len(kinds)} results, but numbers for {len(self.results)}")

    def add(self, kinds, value, tolerance):
        self.results.append(Result(kinds[len(self.results)], value, tolerance))


def read_functions(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for match in FUNCTION.finditer(text):
        if not re.search(r"^// (->|fails:)", match[1], re.MULTILINE):
            continue
        wanted = re.search(r"^// types: (.*)$", match[1], re.MULTILINE)
        kinds = wanted[1].split() if wanted else ["f32", "f16", "bf16"]
        for kind in kinds if "!t" in match[0] else ["any"]:
            function = None
            for comment in match[1].split("// again\n"):
                function = Function(match, comment, kind, function)
                yield function


def make_module(functions):
    """All functions, and a @main that calls each with arguments of its own."""
    arguments, results, lines, names = [], [], [], []
    for number, function in enumerate(functions):
        ins, outs = function.signature
        given = [f"%a{len(arguments) + at}" for at in range(len(ins))]
        arguments += [f"{name}: {kind}" for name, kind in zip(given, ins)]
        count = f":{len(outs)}" if len(outs) > 1 else ""
        lines.append(
            f"  %r{number}{count} = call @{function.name}({', '.join(given)}) : "
            f"({', '.join(ins)}) -> ({', '.join(outs)})"
        )
        results += outs
        names += [f"%r{number}" + f"#{at}" * bool(count) for at in range(len(outs))]
    texts = {function.name: function.text for function in functions}
    return (
        "\n".join(texts.values()).replace("func.func @", "func.func private @")
        + f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{\n"
        + "\n".join(lines)
        + f"\n  return {', '.join(names)} : {', '.join(results)}\n}}\n"
    )


def set_plan(text, plan):
    """The text with a plan at each attention that has no attributes."""
    names = ("query_block", "key_block", "rows")
    sizes = ", ".join(f"{name} = {size}" for name, size in zip(names, plan.split(","), strict=True))
    text, count = PLAIN_ATTENTION.subn(rf"\g<0> {{plan = #attn.plan<{sizes}>}}", text)
    if not count:
        sys.exit("no attention for a plan")
    return text


def run(functions, path, stem, attn_run):
    """Yields what is wrong on one path, the flags and plan of which are given."""
    flags, plan = path
    text = make_module(functions)
    with open(f"{stem}.mlir", "w", encoding="utf-8") as file:
        file.write(set_plan(text, plan) if plan else text)
    arguments = [a.entry() for f in functions for a in f.arguments.values()]
    write_npz(f"{stem}.in.npz", {f"in{at}": array for at, array in enumerate(arguments)})
    command = [attn_run, f"{stem}.mlir", f"--inputs={stem}.in.npz", f"--outputs={stem}.out.npz"]
    command += flags
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    where = " ".join(command)
    if functions[0].error is not None:
        if done.returncode != 3 or not re.search(functions[0].error, done.stderr):
            yield f"{where}\n  exit code {done.returncode}: {done.stderr}"
        return
    if done.returncode:
        yield f"{where}\n  exit code {done.returncode}: {done.stderr[-2000:]}"
        return
    arrays = read_npz(f"{stem}.out.npz")
    results = iter([arrays[f"out{at}"] for at in range(len(arrays))])
    for function in functions:
        for at, result in enumerate(function.results):
            if text := result.check(*next(results)):
                yield f"{where}\n  @{function.name}, result {at}: {text}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file")
    parser.add_argument("attn_run")
    parser.add_argument("directory")
    parser.add_argument("--flags", default="", help="flags of paths that compile")
    parser.add_argument("--also", action="append", default=[], help="flags of another path")
    parser.add_argument("--plan", action="append", default=[], help="blocks of another path")
    options = parser.parse_args()

    os.makedirs(options.directory, exist_ok=True)
    functions = list(read_functions(options.file))
    if not functions:
        sys.exit("no function with results")
    failures = []
    for function in functions:
        for at, result in enumerate(function.results):
            for other in result.others:
                if result.differs(other.numbers) is None:
                    text = f"@{function.name}, result {at}: {other.numbers} is not told apart"
                    failures.append(text)
    together = [function for function in functions if function.error is None]
    groups = [together] if together else []
    groups += [[function] for function in functions if function.error is not None]
    shared = options.flags.split()
    paths = [(["--reference"], None)] + [(flags + shared, None) for flags in COMPILED]
    paths += [(text.split(), None) for text in options.also]
    paths += [(shared, plan) for plan in options.plan]
    for flags, plan in paths:
        for at, group in enumerate(groups):
            if any("--reference" in flag for flag in flags):
                group = [function for function in group if not function.compiled]
            if not group:
                continue
            stem = os.path.join(options.directory, f"{at}{''.join(flags)}{plan or ''}")
            failures += run(group, (flags, plan), stem, options.attn_run)
    print("\n".join(failures))
    print(f"{len(functions)} functions, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
