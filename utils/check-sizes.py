#!/usr/bin/env python3
"""Reports the sizes of source files, and checks that none passes its limit.

A C++ file has at most 1000 lines and a .td file at most 600; half of the C++
files are to have at most 200, and nine of ten at most 500. The report names the
largest ones. A file is split by its author, so --fix mends nothing.
"""

import statistics
import sys

import lint

FOLDERS = (
    "benchmarks",
    "include",
    "lib",
    "runtime",
    "test/Reference",
    "test/lib",
    "tools",
)
# Kind, suffixes, limit of each file, of the median, of the 90th percentile.
KINDS = (
    ("C++", (".cpp", ".h", ".c"), 1000, 200, 500),
    ("TableGen", (".td",), 600, None, None),
)


def percentile(sizes, part):
    return sizes[min(len(sizes) - 1, int(len(sizes) * part))]


def lengths(root, suffixes):
    """The (number of lines, path) of each file, the longest first."""
    found = [
        (len(path.read_text(encoding="utf-8").splitlines()), path)
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.suffix in suffixes
    ]
    return sorted(found, key=lambda entry: (-entry[0], str(entry[1])))


def check(options):
    count = 0
    findings = []
    for kind, suffixes, limit, middle, most in KINDS:
        entries = lengths(options.root, suffixes)
        if not entries:
            continue
        count += len(entries)
        sizes = sorted(size for size, _ in entries)
        median, nine = int(statistics.median(sizes)), percentile(sizes, 0.9)
        print(
            f"{kind}: {len(sizes)} files, {sum(sizes)} lines, median {median}, "
            f"p90 {nine}, longest {sizes[-1]} of {limit}"
        )
        for size, path in entries[: options.largest]:
            print(f"  {size:5} {path.relative_to(options.root)}")
        for size, path in entries:
            if size > limit:
                text = f"expects at most {limit} lines, got {size}"
                findings.append(lint.Finding(path, text))
        for name, value, bound in (("median", median, middle), ("p90", nine, most)):
            if bound and value > bound:
                text = f"expects a {name} of at most {bound} lines, got {value}"
                findings.append(lint.Finding(options.root / "lib", text))
    return count, findings


def add_arguments(parser):
    parser.add_argument(
        "--largest", type=int, default=5, metavar="N", help="how many to name"
    )


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "files", add_arguments))
