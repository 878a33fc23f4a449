#!/usr/bin/env python3
"""Runs attn-run on every graph of a directory and compares with its data.

A graph is a folder with graph.mlir, expected.json (entry, tolerance) and
data.npz (in0.., out0..); data2.npz, where given, holds other sizes. Prints a
line for each and a count; the exit code is 0 if all agree. What follows -- goes
to attn-run.

  utils/run-graphs.py --attn-run build/bin/attn-run graphs -- --no-raise
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time


def run_one(folder, data, options):
    """Returns (name, outcome, seconds, text of the first problem)."""
    expected = json.loads((folder / "expected.json").read_text())
    tolerance = expected["tolerance"]
    command = [
        options.attn_run,
        str(folder / "graph.mlir"),
        f"--entry={expected.get('entry', 'main')}",
        f"--inputs={data}",
        f"--compare={data}",
        f"--compare-prefix={options.prefix}",
        f"--atol={tolerance['atol']}",
        f"--rtol={tolerance['rtol']}",
    ] + options.arguments
    start = time.monotonic()
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=options.timeout
        )
    except subprocess.TimeoutExpired:
        return f"{folder.name}/{data.stem}", "timeout", options.timeout, ""
    seconds = time.monotonic() - start
    outcomes = {0: "ok", 2: "MISMATCH", 3: "ASSERT"}
    outcome = outcomes.get(result.returncode, f"FAILED ({result.returncode})")
    lines = [line for line in result.stdout.splitlines() if "MISMATCH" in line]
    lines += result.stderr.splitlines()
    detail = lines[0] if outcome != "ok" and lines else ""
    return f"{folder.name}/{data.stem}", outcome, seconds, detail


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--attn-run", default="attn-run")
    parser.add_argument("--filter", default="", help="part of the folder's name")
    parser.add_argument("--prefix", default="out", help="arrays to compare with")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    own, passed = sys.argv[1:], []
    if "--" in own:
        place = own.index("--")
        own, passed = own[:place], own[place + 1 :]
    options = parser.parse_args(own)
    options.arguments = passed

    work = []
    for folder in sorted(options.directory.iterdir()):
        if options.filter not in folder.name:
            continue
        if not (folder / "graph.mlir").exists():
            continue
        work += [(folder, data) for data in sorted(folder.glob("data*.npz"))]
    if not work:
        sys.exit(f"no graphs in {options.directory}")

    good = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(run_one, *item, options) for item in work]
        for job in jobs:
            name, outcome, seconds, detail = job.result()
            good += outcome == "ok"
            print(f"{name:60} {seconds:6.2f} s  {outcome}  {detail}", flush=True)
    print(f"{good} of {len(work)} agree")
    return 0 if good == len(work) else 1


if __name__ == "__main__":
    sys.exit(main())
