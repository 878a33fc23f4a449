#!/usr/bin/env python3
"""Compiles a model graph, says what was recovered from it, and checks it.

usage: run-example.py [--build DIR] [--out DIR] [--calls N] [FOLDER]

FOLDER (examples/llama) holds graph.mlir, data.npz with inputs in0.. and the
framework's results out0.., and expected.json with the tolerance. The library,
its C header and its manifest go to --out (out/<name of the folder>).

Exits with 1 if the graph cannot be compiled or run, with 2 if its numbers are
not those of the framework.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import graph_folders

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(command, allowed=(0,)):
    """Runs a tool and returns (exit code, output); stops on other codes."""
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True
    )
    if result.returncode not in allowed:
        sys.stderr.write(result.stdout + result.stderr)
        sys.exit(1)
    return result.returncode, result.stdout + result.stderr


def shorten(value):
    """`#attn<rotary_layout split_half>` and `1.000000e+00 : f64` for people."""
    value = re.sub(r"^#attn<\w+ (\w+)>$", r"\1", value)
    value = re.sub(r"^#attn\.(\w+)<(.*)>$", r"\1(\2)", value)
    value = re.sub(r" : [if]\d+$", "", value)
    return re.sub(r"-?\d+\.\d+e[+-]\d+", lambda number: f"{float(number[0]):g}", value)


def describe(ops):
    """One line per kind of op, with how often it occurs."""
    lines = collections.Counter()
    for op in ops:
        # Defaults say nothing new.
        attributes = [
            f"{name} = {shorten(value)}"
            for name, value in sorted(op["attributes"].items())
            if not (name == "first" and value.startswith("0"))
            and not (name == "magnitude" and float(value.split()[0]) == 1)
            and not (name == "empty_row" and "zero" in value)
            and not (name == "lse_base" and "natural" in value)
        ]
        types = [
            re.sub(r"tensor<(.*)>", r"\1", kind)
            for kind in op["operands"]
            if kind.startswith("tensor")
        ]
        if op["op"].startswith("attn.attention"):
            # Tables of rotations have three dimensions, sinks have one.
            sinks = any(kind.count("x") == 1 for kind in types[3:])
            types = types[:3]
            types += ["bias"] * any("attn.bias" in kind for kind in op["operands"])
            types += ["mask"] * any("attn.mask" in kind for kind in op["operands"])
            types += ["sinks"] * sinks
        elif types and not op["op"].startswith("attn.mask"):
            types = types[:1]
        text = f"{op['op']:<22} {', '.join(types)}"
        if attributes:
            text += f"  {{{', '.join(attributes)}}}"
        lines[text] += 1
    return [f"  {count:>2} x {line.rstrip()}" for line, count in lines.items()]


def get_median(output):
    """The median of `attn-run --benchmark`, in milliseconds."""
    return float(re.search(r"median ([0-9.]+) ms", output)[1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=ROOT / "examples" / "llama")
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=10)
    options = parser.parse_args()

    folder = pathlib.Path(options.folder)
    for path in (folder / "graph.mlir", folder / "data.npz", folder / "expected.json"):
        if not path.is_file():
            sys.exit(f"run-example.py: error: no file '{path}'")
    graph = graph_folders.GraphFolder(folder)
    out = options.out or ROOT / "out" / graph.name
    out.mkdir(parents=True, exist_ok=True)
    tools = options.build / "bin"

    source = graph.expected.get("source", "a model graph")
    print(f"graph      {os.path.relpath(graph.graph)}: {source}")
    library = out / f"{graph.name}.so"
    start = time.monotonic()
    entry = f"--entry={graph.entry}"
    run([tools / "attn-compile", graph.graph, entry, "-o", library])
    seconds = time.monotonic() - start
    manifest = json.loads(library.with_suffix(".json").read_text())

    print("recovered")
    print("\n".join(describe(manifest["recovered"])) or "  nothing")
    print("plan")
    plans = collections.Counter(
        shorten(op["attributes"]["plan"])
        for op in manifest["planned"]
        if "plan" in op["attributes"]
    )
    for plan, count in plans.items():
        print(f"  {count:>2} x {plan}")
    print(f"compiled   in {seconds:.1f} s for {manifest['cpu']}:")
    for suffix in (".so", ".h", ".json"):
        print(f"  {os.path.relpath(library.with_suffix(suffix))}")

    check = [
        *graph.compare_flags(folder / "data.npz"),
        f"--benchmark={options.calls}",
    ]
    code, fast = run([tools / "attn-run", library, *check], allowed=(0, 2))
    unraised_code, slow = run(
        [tools / "attn-run", graph.graph, entry, "--no-raise", *check],
        allowed=(0, 2),
    )
    print("against the framework's results")
    for line in fast.splitlines():
        if line.startswith("out"):
            print(f"  {line}")
    median, unraised = get_median(fast), get_median(slow)
    print(
        f"speed      {median:.3g} ms a call, {unraised:.3g} ms as the graph was: "
        f"{unraised / median:.1f} times as fast"
    )
    if code:
        print("the numbers are wrong")
    if unraised_code:
        print("the numbers of the graph as it was are wrong")
    return code or unraised_code


if __name__ == "__main__":
    sys.exit(main())
