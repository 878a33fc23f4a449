#!/usr/bin/env python3
"""Checks that what belongs to one pass bears one name.

Five names follow from each other: `def FooPass` in a Passes.td, its flag
`attn-foo`, the file Foo.cpp in the mirror of its folder below lib/, a test
foo.mlir (or foo-*.mlir) below test/ that uses the flag, and, if Foo.cpp has
patterns, `populateFooPatterns` in a public header. Every .cpp and .mlir file is
named in the style of its kind, guards of .h and .td files follow the path, and the
banner on the first line of a source is as wide as a line. --fix mends guards and
banners; names it leaves to whoever knows which of them is meant.
"""

import re
import sys

import lint

PASS = re.compile(r'^def (\w+)\s*:\s*Pass<"([\w-]+)"', re.MULTILINE)
POPULATE = re.compile(r"\bpopulate(\w+)Patterns\(")
WIDTH = 80
# A banner; clang-format breaks one that is too wide in front of its end.
BANNER = re.compile(
    r"//===- (?P<what>.*?) -*(?:-\*- *(?P<mode>[\w+]+) *)?(?:\n//)?(?:-\*-)?-*===//\n"
)
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


def check_pass(root, td, name, flag, populated):
    """Yield what is wrong with the names of one pass."""
    if not name.endswith("Pass"):
        yield f"expects the name of '{name}' to end in 'Pass'"
        return
    stem = name.removesuffix("Pass")
    if flag != "attn-" + kebab(stem):
        yield f"expects flag 'attn-{kebab(stem)}' of '{name}', got '{flag}'"

    folder = root / "lib" / td.parent.relative_to(root / "include" / "attn")
    sources = list(folder.rglob(f"{stem}.cpp"))
    if not sources:
        yield f"'{name}' has no {folder.relative_to(root)}/{stem}.cpp"
    if stem not in populated and any(
        "RewritePatternSet" in source.read_text(encoding="utf-8") for source in sources
    ):
        yield f"'{name}' has patterns, but no header has 'populate{stem}Patterns'"
    tests = [*(root / "test").rglob(f"{kebab(stem)}.mlir")]
    tests += (root / "test").rglob(f"{kebab(stem)}-*.mlir")
    if not any(uses_flag(test.read_text(encoding="utf-8"), flag) for test in tests):
        yield f"'{name}' has no test {kebab(stem)}.mlir that runs --{flag}"


def check_passes(root):
    """Yield what is wrong with passes and their patterns: path, line, text."""
    populated = {
        stem: header
        for header in sorted((root / "include").rglob("*.h"))
        for stem in POPULATE.findall(header.read_text(encoding="utf-8"))
    }
    known = set()
    for td in sorted((root / "include").rglob("Passes.td")):
        text = td.read_text(encoding="utf-8")
        for match in PASS.finditer(text):
            known.add(match[1].removesuffix("Pass"))
            for error in check_pass(root, td, match[1], match[2], populated):
                yield td, lint.line_of(text, match.start()), error
    for stem, header in populated.items():
        if stem not in known:
            yield header, None, f"'populate{stem}Patterns' belongs to no pass"


def check_files(root):
    """Yield what is wrong with the names of files."""
    for test in sorted((root / "test").rglob("*.mlir")):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", test.stem):
            yield test, None, "expects a name in kebab-case"
    for source in sorted((root / "lib").rglob("*.cpp")):
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", source.stem):
            yield source, None, "expects a name in CamelCase"


def sources(root, suffixes):
    """Yield the sources of the project itself, not those of examples and tests."""
    for folder in ("benchmarks", "include", "lib", "runtime", "test/lib", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes:
                yield path


def check_guards(root, fix):
    """Yield a finding for each guard that does not follow the path."""
    for header in sources(root, (".h", ".td")):
        parts = header.relative_to(root).parts
        if parts[0] == "runtime":
            continue  # is installed, without its folder
        # The folder below include/ is the name of the project.
        parts = parts[1:] if parts[0] == "include" else ("attn", *parts)
        guard = re.sub(r"\W", "_", "_".join(parts)).upper()
        text = header.read_text(encoding="utf-8")
        found = GUARD.search(text)
        if found and found[1] == guard:
            continue
        if found and fix:
            text = re.sub(rf"\b{found[1]}\b", guard, text)
            header.write_text(text, encoding="utf-8")
        line = lint.line_of(text, found.start()) if found else None
        yield lint.Finding(
            header, f"expects header guard {guard}", line, bool(found and fix)
        )


def banner(what, mode):
    end = f"-*- {mode} -*-===//" if mode else "===//"
    return f"//===- {what} ".ljust(WIDTH - len(end), "-") + end


def check_banners(root, fix):
    """Yield a finding for each banner that is not as wide as a line."""
    for source in sources(root, (".cpp", ".h", ".td")):
        text = source.read_text(encoding="utf-8")
        found = BANNER.match(text)
        right = banner(found["what"], found["mode"]) if found else ""
        if not text.startswith("//===") or text.startswith(right + "\n"):
            continue
        mended = bool(fix and len(right) == WIDTH)
        if mended:
            text = f"{right}\n{text[found.end():]}"
            source.write_text(text, encoding="utf-8")
        yield lint.Finding(source, f"expects a banner of {WIDTH} characters", 1, mended)


def check(options):
    root = options.root
    count = sum(
        len(PASS.findall(td.read_text(encoding="utf-8")))
        for td in (root / "include").rglob("Passes.td")
    )
    errors = [*check_passes(root), *check_files(root)]
    findings = [lint.Finding(path, text, line) for path, line, text in errors]
    return count, findings + [
        *check_guards(root, options.fix),
        *check_banners(root, options.fix),
    ]


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "passes"))
