#!/usr/bin/env python3
"""Checks that a test shows every message that a user can get.

A message is a string of the C++ sources in lib/, runtime/ and tools/ that reads
like a sentence and is no help text of an option. Its longest fixed part has to
occur in a file below test/ (a CHECK line, an expected-error, ...). Reasons of
matchers count: they reach the user as remarks. A script cannot write a test, so
--fix mends nothing.
"""

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
# What stands before a string that is no message: help texts are tested as such,
# the driver of patterns keeps their reasons to itself, and assertions are for
# developers.
NO_MESSAGE = re.compile(
    r"(?:cl::(?:desc|value_desc|cat|init|extrahelp|OptionCategory)|clEnumValN?"
    r"|OptionCategory \w+|PassPipelineRegistration<\w+>|notifyMatchFailure|assert"
    r"|make_error<DiagnosedError>"
    r"|llvm_unreachable|&& *|#include *)[({]?[^;{}\"]*$"
)
# Messages that no test can call forth on a sound machine, or that stand behind
# what upstream promises.
UNREACHABLE = (
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
    """Yields (line, what stands before, value) of each string."""
    for match in TOKEN.finditer(text):
        if not match["string"]:
            continue
        start = max(0, match.start() - 160)
        value = "".join(LITERAL.findall(match["string"]))
        yield text.count("\n", 0, match.start()) + 1, text[start : match.start()], value


def fixed_part(value):
    """The longest part that every message of this kind has."""
    parts = PLACE.split(value)
    return max((part.strip() for part in parts), key=len)


def is_message(before, value):
    words = re.findall(r"[A-Za-z]{2,}", value)
    return (
        len(words) >= 3
        and " " in value.strip()
        and len(fixed_part(value)) >= 8
        and "\\n" not in value
        and not value.startswith((" * ", "/*", "#", "memref<", "tensor<"))
        and not any(text in value for text in UNREACHABLE)
        and not NO_MESSAGE.search(before)
    )


def check(options):
    root = options.root
    tests = "\n".join(
        path.read_text(errors="replace")
        for path in sorted((root / "test").rglob("*"))
        if path.suffix in (".mlir", ".test", ".py")
    )
    count = 0
    findings = []
    for folder in ("lib", "runtime", "tools"):
        for path in sorted((root / folder).rglob("*.cpp")) + sorted(
            (root / folder).rglob("*.h")
        ):
            for line, before, value in strings(path.read_text()):
                if not is_message(before, value):
                    continue
                count += 1
                if fixed_part(value) not in tests:
                    findings.append(
                        lint.Finding(path, f"no test shows '{value}'", line)
                    )
                elif options.all:
                    print(f"{path.relative_to(root)}:{line}: '{value}'")
    return count, findings


def add_arguments(parser):
    parser.add_argument("--all", action="store_true", help="print tested ones too")


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "messages", add_arguments))
