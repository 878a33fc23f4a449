#!/usr/bin/env python3
"""Prints `N passed, N failed` (and skipped) for a results file of lit.

usage: count-tests.py RESULTS.json

Exits with 1 if a test failed or none was run.
"""

import collections
import json
import sys


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if len(sys.argv) == 2 else 2
    with open(sys.argv[1], encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    codes = collections.Counter(test["code"] for test in tests)
    passed = codes["PASS"] + codes["XFAIL"] + codes["FLAKYPASS"]
    skipped = codes["UNSUPPORTED"] + codes["SKIPPED"] + codes["EXCLUDED"]
    failed = len(tests) - passed - skipped
    line = f"{passed} passed, {failed} failed"
    if skipped:
        line += f", {skipped} skipped"
    print(line)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
