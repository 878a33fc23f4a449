#!/usr/bin/env python3
"""Checks that a test shows every message that a user can get, and their style.

A message is a string of the C++ and C sources in lib/, runtime/ and tools/ that
reads like a sentence. Reasons that the raising gives count, as they reach the user
as remarks; reasons for the driver of patterns (notifyMatchFailure) do not, nor do
help texts of options. The longest fixed part of a message has to occur below test/
where something is compared with it: in an expected-error or the like, on a line
that FileCheck looks for (and not one that it excludes), behind grep, or in a string
of a Python test. A message starts lower case, unless with a name, and has no dot at
its end. A script cannot write a test, so --fix mends nothing.
"""

import ast
import re
import sys

import lint

# A comment, a raw string, or adjacent string literals with what stands before.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)'"""
    r"""|R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)\""""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)""",
    re.DOTALL | re.VERBOSE,
)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# A place for a value: of formatv, of printf, an escape.
PLACE = re.compile(r"\{\d[^}]*\}|%[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?[a-zA-Z]|\\.")
# The prefixes of the lines that FileCheck looks for.
PREFIXES = re.compile(r"--?check-prefix(?:es)?[= ]([\w,%{}-]+)")
# A value that lit is told to put in place of %{name}.
VALUE = re.compile(r"DEFINE:\s*(%\{\w+\})\s*=\s*([A-Z][\w-]*)\s*$", re.MULTILINE)
# What stands before a string that is no message: help texts are tested as such,
# and the driver of patterns keeps their reasons to itself.
NO_MESSAGE = re.compile(
    r"(?:cl::(?:desc|value_desc|cat|init|extrahelp|OptionCategory)|clEnumValN?"
    r"|OptionCategory \w+|PassPipelineRegistration<\w+>|notifyMatchFailure"
    r"|make_error<DiagnosedError>"
    r"|llvm_unreachable|#include *)[({]?[^;{}\"]*$"
)
# What stands before a string that is a message, however short.
ERROR = re.compile(
    r"(?:emit(?:Op)?Error\((?:\w*\) <<)?|createStringError\(|makeError\()\s*$"
)
# Messages that no test can call forth on a sound machine, or that stand behind
# what upstream promises.
UNREACHABLE = (
    "cannot parse '",
    "cannot be tiled into work units",
    "cannot drop unused functions",
    "cannot link the code",
    "cannot make a temporary file",
    "no code generator for",
    "no linker found on PATH",
    "no OpenMP runtime (libomp) was found",
    "results pass the 4 GiB that an npz file can hold",
)


def strings(text):
    """Yields (line, what stands before, value) of each string but those of
    assertions, which are for developers."""
    # What each open parenthesis belongs to: a name, or nothing.
    calls = []
    at = 0
    for match in TOKEN.finditer(text):
        for bracket in re.finditer(r"(\w*)\(|\)", text[at : match.start()]):
            if bracket[0] != ")":
                calls.append(bracket[1])
            elif calls:
                calls.pop()
        at = match.end()
        if not match["string"] or any(call.endswith("assert") for call in calls):
            continue
        start = max(0, match.start() - 160)
        value = "".join(LITERAL.findall(match["string"]))
        yield lint.line_of(text, match.start()), text[start : match.start()], value


def fixed_part(value):
    """The longest part that every message of this kind has."""
    parts = PLACE.split(value)
    return max((part.strip() for part in parts), key=len)


def is_message(before, value):
    words = re.findall(r"[A-Za-z]{2,}", value)
    return (
        len(words) >= (2 if ERROR.search(before) else 3)
        and " " in value.strip()
        and len(fixed_part(value)) >= 8
        and "\\n" not in value.removesuffix("\\n")
        and not value.endswith((";\\n", "*/\\n"))
        and not value.startswith((" * ", "/*", "#", "memref<", "tensor<", "', '"))
        and not any(text in value for text in UNREACHABLE)
        and not NO_MESSAGE.search(before)
    )


def style(before, value):
    """Yields what the text of a message has that LLVM's messages do not."""
    # The head of a list, and descriptions of pipelines, which are help texts.
    if value.endswith(":") or "PassPipelineRegistration" in before:
        return
    if re.match(r"[A-Z][a-z]*(?![\w'])", value):
        yield "starts upper case"
    if re.search(r"[^.]\.(\\n)?$", value):
        yield "ends with a dot"


def python_strings(text):
    """Yields the strings of a Python program but those that describe it."""
    tree = ast.parse(text)
    described = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in described:
                yield node.value


def compared_lines(text):
    """Yields what the lines of a test have that a message is compared with."""
    prefixes = {"CHECK"}
    for names in PREFIXES.findall(text):
        prefixes |= set(names.split(","))
    prefixes |= {
        prefix.replace(name, value)
        for prefix in prefixes
        for name, value in VALUE.findall(text)
    }
    names = "|".join(sorted(map(re.escape, prefixes), key=len, reverse=True))
    directive = re.compile(
        rf"(?<![\w-])(?:{names})(?:-(?:NEXT|SAME|DAG|LABEL|COUNT-\d+))?(?:{{LITERAL}})?:"
        r"|expected-(?:error|warning|remark|note)(?:-re)?\b|RUN:.*\bgrep\b"
    )
    for line in text.splitlines():
        if match := directive.search(line):
            yield line[match.end() :]


def compared(root):
    """All that tests compare messages with."""
    parts = []
    for path in sorted((root / "test").rglob("*")):
        if path.suffix in (".mlir", ".test"):
            parts += compared_lines(path.read_text(errors="replace"))
        elif path.suffix == ".py":
            parts += python_strings(path.read_text(errors="replace"))
    return "\n".join(parts)


def check(options):
    root = options.root
    tests = compared(root)
    count = 0
    findings = []
    paths = sorted(
        path
        for folder in ("lib", "runtime", "tools")
        for path in (root / folder).rglob("*")
        if path.suffix in (".cpp", ".h", ".c")
    )
    for path in paths:
        for line, before, value in strings(path.read_text()):
            if not is_message(before, value):
                continue
            count += 1
            for wrong in style(before, value):
                findings.append(lint.Finding(path, f"'{value}' {wrong}", line))
            if fixed_part(value) not in tests:
                findings.append(lint.Finding(path, f"no test shows '{value}'", line))
            elif options.all:
                print(f"{path.relative_to(root)}:{line}: '{value}'")
    return count, findings


def add_arguments(parser):
    parser.add_argument("--all", action="store_true", help="print tested ones too")


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "messages", add_arguments))
