#!/usr/bin/env python3
"""Runs attn-run on every graph of a folder and compares with its data.

Prints a line for each data file and a count; the exit code is 0 if all agree.
What follows -- goes to attn-run. graph_folders.py says what a graph's folder is.

  utils/run-graphs.py --attn-run build/bin/attn-run graphs -- --no-raise
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time

import graph_folders


def run_one(folder, data, options):
    """Returns (name, outcome, seconds, text of the first problem)."""
    command = [
        options.attn_run,
        str(folder.graph),
        f"--entry={folder.entry}",
        f"--compare-prefix={options.prefix}",
        *folder.compare_flags(data),
        *options.arguments,
    ]
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
    parser.add_argument("directory")
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

    work = [
        (folder, data)
        for folder in graph_folders.find_graphs([options.directory])
        if options.filter in folder.name
        for data in folder.data_files()
    ]
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
