#!/usr/bin/env python3
"""Run every example of the documentation through attn-opt.

The examples are the ```mlir blocks of the .td files under include/ and of the
Markdown files at the top, in docs/ and in examples/. Each has to parse and to
verify. A first line `// RUN: attn-opt <flags>` in a block adds flags; the
description of a pass adds the flag of the pass.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

BLOCK = re.compile(r"^([ \t]*)```mlir\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
PASS = re.compile(r'^def \w+ *: *Pass<"([\w-]+)"', re.MULTILINE)
RUN = re.compile(r"\A// RUN: attn-opt (.*)\n")
SOURCES = ("include/**/*.td", "*.md", "docs/**/*.md", "examples/**/*.md")


def examples(root):
    """Yield (file, line, flags, text) of each block."""
    for pattern in SOURCES:
        for path in sorted(root.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            for match in BLOCK.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                passes = PASS.findall(text, 0, match.start())
                flags = [f"--{passes[-1]}"] if passes else []
                block = textwrap.dedent(match.group(2))
                if run := RUN.match(block):
                    flags += shlex.split(run.group(1))
                yield path.relative_to(root), line, flags, block


def check(tool, flags, text):
    """Return what attn-opt complains about, or None."""
    result = subprocess.run(
        [tool, *flags, "-o", "/dev/null"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return None if result.returncode == 0 else result.stderr.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attn-opt", default="attn-opt", help="the tool to run")
    parser.add_argument("root", type=pathlib.Path, help="the source folder")
    args = parser.parse_args()

    count = failures = 0
    for path, line, flags, text in examples(args.root):
        count += 1
        error = check(args.attn_opt, flags, text)
        if error is not None:
            failures += 1
            print(f"{path}:{line}: the example fails:\n{textwrap.indent(error, '  ')}")
    print(f"{count} examples, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
