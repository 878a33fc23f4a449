#!/usr/bin/env python3
"""Check that what belongs to one pass bears one name.

For `def FooPass : Pass<"attn-foo">` in a Passes.td there has to be a Foo.cpp in
the mirror of its folder below lib/, a test foo.mlir (or foo-*.mlir) that uses
the flag below test/, a summary, and a description with an example. A function
`populateFooPatterns` of a public header has to belong to such a pass. Every
.cpp and .mlir file is named in the style of its kind, and header guards follow
the path.
"""

import argparse
import pathlib
import re
import sys

PASS = re.compile(r'^def (\w+) *: *Pass<"([\w-]+)"', re.MULTILINE)
POPULATE = re.compile(r"\bpopulate(\w+)Patterns\(")
GUARD = re.compile(r"^#ifndef (\w+)$", re.MULTILINE)


def kebab(name):
    """FooBarBaz, FooABIBar -> foo-bar-baz, foo-abi-bar."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def uses_flag(text, flag):
    """Whether a RUN line has the flag, alone or in a pipeline."""
    return any(
        re.search(rf"(?<!\w)(?<!\w-){flag}(?![\w-])", line)
        for line in text.splitlines()
        if "RUN:" in line
    )


def check_pass(root, td, name, flag, body):
    """Yield what is wrong with one pass."""
    if not name.endswith("Pass"):
        yield f"expects the name of '{name}' to end in 'Pass'"
        return
    stem = name.removesuffix("Pass")
    if flag != "attn-" + kebab(stem):
        yield f"expects flag 'attn-{kebab(stem)}' of '{name}', got '{flag}'"

    folder = root / "lib" / td.parent.relative_to(root / "include" / "attn")
    if not any(folder.rglob(f"{stem}.cpp")):
        yield f"'{name}' has no {folder.relative_to(root)}/{stem}.cpp"
    tests = [*(root / "test").rglob(f"{kebab(stem)}.mlir")]
    tests += (root / "test").rglob(f"{kebab(stem)}-*.mlir")
    if not any(uses_flag(test.read_text(encoding="utf-8"), flag) for test in tests):
        yield f"'{name}' has no test {kebab(stem)}.mlir that runs --{flag}"

    if not re.search(r'let summary = "\w', body):
        yield f"'{name}' has no summary"
    if "```mlir\n" not in body:
        yield f"the description of '{name}' has no example"


def check_passes(root):
    """Yield what is wrong with passes and their patterns."""
    known = set()
    for td in sorted((root / "include").rglob("Passes.td")):
        text = td.read_text(encoding="utf-8")
        starts = list(PASS.finditer(text))
        ends = [match.start() for match in starts[1:]] + [len(text)]
        for match, end in zip(starts, ends):
            known.add(match[1].removesuffix("Pass"))
            body = text[match.start() : end]
            for error in check_pass(root, td, match[1], match[2], body):
                yield td, error
    if not known:
        yield root, "no pass was found"
    for header in sorted((root / "include").rglob("*.h")):
        for stem in POPULATE.findall(header.read_text(encoding="utf-8")):
            if stem not in known:
                yield header, f"'populate{stem}Patterns' belongs to no pass"


def check_files(root):
    """Yield what is wrong with the names of files and header guards."""
    for test in sorted((root / "test").rglob("*.mlir")):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", test.stem):
            yield test, "expects a name in kebab-case"
    for source in sorted((root / "lib").rglob("*.cpp")):
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", source.stem):
            yield source, "expects a name in CamelCase"
    for folder in ("include", "lib"):
        for header in sorted((root / folder).rglob("*.h")):
            base = root / "include" if folder == "include" else root
            parts = header.relative_to(base).parts
            guard = re.sub(r"\W", "_", "_".join(parts)).upper()
            if folder == "lib":
                guard = "ATTN_" + guard
            found = GUARD.search(header.read_text(encoding="utf-8"))
            if not found or found[1] != guard:
                yield header, f"expects header guard {guard}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path, help="the source folder")
    root = parser.parse_args().root

    errors = [*check_passes(root), *check_files(root)]
    for path, error in errors:
        print(f"{path.relative_to(root)}: {error}")
    print(f"{len(errors)} names are wrong")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
