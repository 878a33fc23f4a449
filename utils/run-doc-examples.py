#!/usr/bin/env python3
"""Runs every example of the documentation through attn-opt.

The examples are the ```mlir blocks of the .td files under include/ and of the
Markdown files at the top, in docs/ and in examples/, but for docs/reference/,
which is made from the .td files. Each has to parse and to verify. A first line
`// RUN: attn-opt FLAGS` in a block adds flags.

The description of a pass shows what the pass does. A paragraph right in front
of a block that starts with `After` makes the block the result of the one before
it; the flags are those of `attn-opt FLAGS` in that paragraph, or the flag of
the pass. Names of values, blanks and comments do not count. A result is either
whole, or an excerpt (```mlir-excerpt), in which a line `...` stands for any
lines and `...` within a line for any text of it.

A comment `// @f#0 [2] = 1 0` in an example gives what result 0 of the function
`@f` is, which is compared with what the interpreter makes of it. The numbers may
go on in comments below.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

BLOCK = re.compile(
    r"^([ \t]*)```(mlir|mlir-excerpt)\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE
)
PASS = re.compile(r'^def \w+\s*:\s*Pass<"([\w-]+)"', re.MULTILINE)
RUN = re.compile(r"\A// RUN: attn-opt (.*)\n")
AFTER = re.compile(r"\s*After\b(?:[^`]|`(?!attn-opt))*(?:`attn-opt\b([^`]*)`)?")
SOURCES = ("include/**/*.td", "*.md", "docs/**/*.md", "examples/**/*.md")
NUMBERS = r"(?:[-+\d]|nan|inf)[^\n]*"
RESULT = re.compile(
    rf"^\s*// @(\S+#\d+ \[[\d, ]*\] =(?: *{NUMBERS})?(?:\n\s*// +{NUMBERS})*)$",
    re.MULTILINE,
)
VALUE = re.compile(r"[%^][\w$.-]+")

# How many lines of a result an error shows.
SHOWN = 12

# `before` is the example that `text` is made of by `flags`, or None.
Example = collections.namedtuple("Example", "path line flags text before excerpt")


def examples_of(path, text):
    """Yield the examples of one file."""
    end = 0
    before = None
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        passes = PASS.findall(text, 0, match.start())
        flags = [f"--{passes[-1]}"] if passes else []
        paragraph = text[end : match.start()].rstrip().split("\n\n")[-1]
        after = AFTER.match(paragraph)
        block = textwrap.dedent(match[3])
        excerpt = match[2] == "mlir-excerpt"
        end = match.end()
        if after:
            if after[1] is not None:
                flags = shlex.split(" ".join(after[1].split()))
            yield Example(path, line, flags, block, before, excerpt)
            continue
        if run := RUN.match(block):
            flags += shlex.split(run[1])
        before = block
        yield Example(path, line, flags, block, None, excerpt)


def examples(root):
    """Yield the examples of all files."""
    for pattern in SOURCES:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root)
            if name.parts[:2] != ("docs", "reference"):
                yield from examples_of(name, path.read_text(encoding="utf-8"))


def run(command, text):
    """Return what a tool prints, and what it complains about or None."""
    result = subprocess.run(
        command,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    error = None if result.returncode == 0 else result.stderr.strip()
    return result.stdout, error


def lines_of(text):
    """The lines of printed IR, without blanks, comments and the module around."""
    lines = [" ".join(line.split("//")[0].split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if lines and lines[0] == "module {" and lines[-1] == "}":
        lines = lines[1:-1]
    return lines


def pattern_of(line, names):
    """The regular expression of a line; adds its values to `names`, which gives
    the group of each."""
    parts = []
    end = 0
    for match in re.finditer(rf"{VALUE.pattern}|\.\.\.", line):
        parts.append(re.escape(line[end : match.start()]))
        end = match.end()
        if match[0] == "...":
            parts.append(r"[^\n]*?")
        elif match[0] in names:
            parts.append(rf"(?P={names[match[0]]})(?![\w$.-])")
        else:
            names[match[0]] = f"v{len(names)}"
            parts.append(rf"(?P<{names[match[0]]}>\{match[0][0]}[\w$.-]+)")
    return "".join(parts) + re.escape(line[end:]) + "\n"


def compare(expected, actual, excerpt):
    """Return what is wrong with the result `actual`, or None."""
    names = {}
    patterns = [""]
    for line in expected:
        if excerpt and line == "...":
            patterns[-1] += r"(?:[^\n]*\n)*?"
        else:
            patterns[-1] += pattern_of(line, names)
            patterns.append("")
    start = r"(?:[^\n]*\n)*?" if excerpt else ""
    text = "".join(line + "\n" for line in actual)
    whole = start + "".join(patterns) + ("" if excerpt else r"\Z")
    if re.match(whole, text):
        return None
    shown = [line for line in expected if not excerpt or line != "..."]
    end = 0
    for line, count in zip(shown, range(1, len(patterns))):
        found = re.match(start + "".join(patterns[:count]), text)
        if not found:
            rest = text[end:].splitlines()
            return f"expects the line\n  {line}\nin\n" + "\n".join(rest[:SHOWN])
        end = found.end()
    rest = text[end:].splitlines()
    return "expects no further line, got\n" + "\n".join(rest[:SHOWN])


def check_values(tool, text):
    """Return which values of the comments are not the interpreter's, or None."""
    expected = [
        " ".join(value.replace("//", " ").split()) for value in RESULT.findall(text)
    ]
    if not expected:
        return None
    actual, error = run([tool, "-"], text)
    if error is not None:
        return error
    actual = [" ".join(line.split()) for line in actual.splitlines()]
    for value in expected:
        if value not in actual:
            return f"expects {value}\nin\n" + "\n".join(actual)
    return None


def check(options, example):
    """Return what is wrong with an example, or None."""
    opt = [options.attn_opt, "--mlir-print-local-scope"]
    if example.before is None:
        if example.excerpt:
            return "an excerpt follows no example"
        error = run([*opt, *example.flags], example.text)[1]
        return error or check_values(options.attn_reference_test, example.text)
    actual, error = run([*opt, *example.flags], example.before)
    if error is not None:
        return error
    expected = example.text
    if not example.excerpt:
        expected, error = run(opt, example.text)
        if error is not None:
            return error
    return compare(lines_of(expected), lines_of(actual), example.excerpt)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--attn-opt", default="attn-opt", help="the tool to run")
    parser.add_argument(
        "--attn-reference-test",
        default="attn-reference-test",
        help="the interpreter for tests",
    )
    parser.add_argument("root", type=pathlib.Path, help="the source folder")
    options = parser.parse_args()

    count = failures = results = 0
    found = list(examples(options.root))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        errors = pool.map(lambda example: check(options, example), found)
    for example, error in zip(found, errors):
        count += 1
        results += example.before is not None
        if error is not None:
            failures += 1
            print(
                f"{example.path}:{example.line}: the example fails:\n"
                + textwrap.indent(error, "  ")
            )
    print(f"{count} examples, {results} of them results, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
