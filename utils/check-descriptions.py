#!/usr/bin/env python3
"""Checks that everything that users meet is described.

Ops, attributes and types of the dialect, and passes, have a summary and a
description with an example; enums and interfaces have a description. That of an op
leads to its section of docs/spec.md. What a pass does is told in six parts: its
purpose, an example headed `Before:`, what becomes of it, headed `After` and the
command line, and paragraphs that start with `Preconditions:` and `Left alone:`. A
script knows no words, so --fix mends nothing.
"""

import re
import sys

import dialect
import lint

PASS = re.compile(
    r'^def (\w+)\s*:\s*Pass<"([\w-]+)"(.*?)(?=^def |^#endif|\Z)',
    re.MULTILINE | re.DOTALL,
)


def pass_parts(flag):
    """The parts of a description, each with what it looks like."""
    block = r" *```mlir(?:-excerpt)?\n.*?^ *```\n"
    return (
        ("a purpose", r"\A\s*(?!Before:)\S"),
        ("'Before:' and an example", rf"^ *Before:\n\n{block}"),
        (
            f"'After `attn-opt --{flag}`' and its result",
            rf"^ *After `attn-opt --{flag}(?![\w-])[^`]*`(?:(?!\n\n).)*:\n\n{block}",
        ),
        ("'Preconditions:'", r"^ *Preconditions: \S"),
        ("'Left alone:'", r"^ *Left alone: \S"),
    )


def check_pass(name, flag, body):
    """Yield what is missing in the definition of a pass."""
    if not re.search(r'let summary = "\w', body):
        yield f"'{name}' has no summary"
    description = re.search(r"let description = \[\{(.*?)\}\];", body, re.DOTALL)
    if not description:
        yield f"'{name}' has no description"
        return
    position = 0
    for part, pattern in pass_parts(flag):
        found = re.compile(pattern, re.MULTILINE | re.DOTALL).search(
            description[1], position
        )
        if not found:
            yield f"the description of '{name}' lacks {part}, or has it elsewhere"
            return
        position = found.end() - 1


def check_definition(definition):
    """Yield what is missing in the definition of an op, attribute or type."""
    record = definition.record
    if not (record["summary"] or "").strip():
        yield f"'{definition.name}' has no summary"
    if not (record["description"] or "").strip():
        yield f"'{definition.name}' has no description"
        return
    if "```mlir\n" not in record["description"]:
        yield f"the description of '{definition.name}' has no example"
    section = f"(../spec.md#{definition.name.replace('.', '')})"
    if definition.kind == "op" and section not in record["description"]:
        yield f"the description of '{definition.name}' does not lead to {section}"


def check_named(record):
    """Yield what is missing in the definition of an enum or interface."""
    if not (record.get("description") or "").strip():
        yield f"'{record['!name']}' has no description"


def place(root, record):
    """The file and line of a record."""
    name, _, line = record["!locs"][-1].partition(":")
    folder = (root / dialect.DEFINITIONS).parent
    return folder / name, int(line)


def check(options):
    root = options.root
    count = 0
    findings = []
    for path in sorted((root / "include").rglob("Passes.td")):
        text = path.read_text(encoding="utf-8")
        for match in PASS.finditer(text):
            count += 1
            line = lint.line_of(text, match.start())
            for error in check_pass(match[1], match[2], match[3]):
                findings.append(lint.Finding(path, error, line))
    if (root / dialect.DEFINITIONS).exists():
        definitions = dialect.load(root)
        named = dialect.load_named(root)
        count += len(definitions) + len(named)
        for definition in definitions:
            for error in check_definition(definition):
                path, line = place(root, definition.record)
                findings.append(lint.Finding(path, error, line))
        for record in named:
            for error in check_named(record):
                path, line = place(root, record)
                findings.append(lint.Finding(path, error, line))
    return count, findings


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "definitions"))
