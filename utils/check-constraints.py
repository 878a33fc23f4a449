#!/usr/bin/env python3
"""Checks that specification, verifiers and tests have the same constraints.

Each constraint `(C<n>)` of a section of docs/spec.md has a label, the mnemonic
with `_` for `.` and the number: mask_window_c1. The label stands

* in a comment in the .td files of the dialect, or in its C++ sources, beside the
  check, and
* in a comment in test/Dialect/Attn/*.mlir, above an expected-error of its own in
  the same split of a file that is run with -verify-diagnostics (labels on one line
  share one);

and there is no label without a constraint. Each op, attribute and type of the
dialect has a section, each section belongs to one, and its headings are those
of its kind, in order. Constraints are numbered from 1 without a gap. The example of
an op has a result of a function that the op is in, `// @f#0 [2] = 1 0`, which
run-doc-examples.py compares with what is computed. Each interface has a section
that names all of its methods.

--fix numbers the constraints of a section anew, in their order, and their labels
everywhere.
"""

import dataclasses
import pathlib
import re
import sys

import dialect
import lint

SPECIFICATION = "docs/spec.md"
SOURCES = ("include/attn/Dialect/Attn/IR", "lib/Dialect/Attn/IR")
TESTS = "test/Dialect/Attn"
HEADINGS = ["Semantics", "Inputs", "Results", "Constraints", "Numerics", "Example"]
# A section of an op, attribute or type; other third headings are prose.
SECTION = re.compile(r"### `([#!]?attn\.[\w.]+)`")
HEADING = re.compile(r"#### (.*)")
CONSTRAINT = re.compile(r"\s*\* \(C(\d+)\) \S")
NUMBER = re.compile(r"\(C(\d+)\)")
# A result of an example, as run-doc-examples.py reads it.
VALUE = re.compile(r"^\s*// @(\w+)#\d+ \[[\d, ]*\] =", re.MULTILINE)
FUNCTION = re.compile(
    r"^\s*func\.func @(\w+)\(.*?(?=^\s*func\.func|\Z)", re.MULTILINE | re.DOTALL
)
LABEL = re.compile(r"(?<![\w%@.$-])([a-z][a-z0-9_]*)_c(\d+)(?![\w-])")
COMMENT = re.compile(r"//(.*)")
# Comments of tests that are read by tools.
DIRECTIVE = re.compile(r"\s*(?:RUN|[A-Z][A-Z0-9-]*(?:-[A-Z]+)?|expected-\w+)[:@]")


@dataclasses.dataclass
class Section:
    name: str
    line: int
    headings: list = dataclasses.field(default_factory=list)
    constraints: list = dataclasses.field(default_factory=list)  # (number, line)
    examples: list = dataclasses.field(default_factory=list)  # texts
    last_line: int = 0


@dataclasses.dataclass(frozen=True)
class Label:
    prefix: str
    number: int
    path: pathlib.Path
    line: int

    def __str__(self):
        return f"{self.prefix}_c{self.number}"


def read_sections(path):
    sections = []
    current = None
    fenced = is_example = False
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            is_example = (
                line == "```mlir" and current and current.headings[-1:] == ["Example"]
            )
            if is_example:
                current.examples.append("")
        elif is_example:
            current.examples[-1] += f"{line}\n"
        if fenced:
            continue
        if re.match(r"#{1,3} ", line):
            match = SECTION.match(line)
            current = Section(match[1], number) if match else None
            if match:
                sections.append(current)
        if not current:
            continue
        current.last_line = number
        if match := HEADING.match(line):
            current.headings.append(match[1])
        elif match := CONSTRAINT.match(line):
            current.constraints.append((int(match[1]), number))
    return sections


def labels_of_line(path, number, line):
    comment = COMMENT.search(line)
    if comment and not DIRECTIVE.match(comment[1]):
        for match in LABEL.finditer(comment[1]):
            yield Label(match[1], int(match[2]), path, number)


def source_files(root):
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".td", ".cpp", ".h"):
                yield path


def test_files(root):
    return sorted((root / TESTS).rglob("*.mlir"))


def source_labels(root):
    for path in source_files(root):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            yield from labels_of_line(path, number, line)


def splits(path):
    """Yield the parts of a test, each with the number of its first line."""
    part, first = [], 1
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("// -----"):
            yield first, part
            part, first = [], number + 1
        else:
            part.append(line)
    yield first, part


def test_labels(root, names):
    """Yield each label of a test, and what is wrong with it or None. `names` gives
    the op, attribute or type of the labels with a prefix."""
    for path in test_files(root):
        verified = re.search(
            r"RUN:.*verify-diagnostics", path.read_text(encoding="utf-8")
        )
        for first, lines in splits(path):
            waiting = []
            code = "\n".join(COMMENT.sub("", line) for line in lines)
            for number, line in enumerate(lines, first):
                if labels := [*labels_of_line(path, number, line)]:
                    for label in waiting:
                        yield label, "has no expected-error of its own"
                    waiting = labels
                if "expected-error" not in line:
                    continue
                for label in waiting:
                    name = names.get(label.prefix, "")
                    wrong = None
                    if not verified:
                        wrong = "is in a file that is not run with -verify-diagnostics"
                    elif not re.search(
                        rf"{re.escape(name.strip('#!'))}(?![\w.])", code
                    ):
                        wrong = f"stands in a split without '{name}'"
                    yield label, wrong
                waiting = []
            for label in waiting:
                yield label, "stands above no expected-error of its split"


def has_value(section):
    """Whether an example has a result of a function that the op is in."""
    op = re.compile(rf"\b{re.escape(section.name)}(?![\w.])")
    for text in section.examples:
        with_op = {
            match[1]
            for match in FUNCTION.finditer(text)
            if op.search(COMMENT.sub("", match[0]))
        }
        if with_op & set(VALUE.findall(text)):
            return True
    return False


def check_sections(path, sections, definitions):
    """Yield a finding for each section that is missing, unknown or malformed."""
    known = {definition.name: definition for definition in definitions}
    seen = {}
    for section in sections:
        name, line = section.name, section.line
        if name not in known:
            yield lint.Finding(path, f"'{name}' is not in the dialect", line)
            continue
        if name in seen:
            text = f"'{name}' has a section at line {seen[name]}"
            yield lint.Finding(path, text, line)
        seen.setdefault(name, line)
        right = section.headings == HEADINGS
        if known[name].kind != "op":
            # What has neither inputs nor results need not say so.
            given = [text for text in HEADINGS if text in section.headings]
            right = section.headings == given and "Constraints" in given
        if not right:
            text = (
                f"expects the headings of '{name}' to be {', '.join(HEADINGS)}, "
                f"got {', '.join(section.headings) or 'none'}"
            )
            yield lint.Finding(path, text, line)
        if known[name].kind == "op" and right and not has_value(section):
            text = f"expects a result, '// @f#0 [2] = 1 0', in the example of '{name}'"
            yield lint.Finding(path, text, line)
        numbers = [number for number, _ in section.constraints]
        if numbers != list(range(1, len(numbers) + 1)):
            text = (
                f"expects the constraints of '{name}' to be numbered from 1, "
                f"got {', '.join(map(str, numbers))}"
            )
            yield lint.Finding(path, text, line)
    for name, definition in known.items():
        if name not in seen:
            text = f"the {definition.kind} '{name}' has no section"
            yield lint.Finding(path, text)


def check_interfaces(path, interfaces):
    """Yield a finding for each interface without a section that names all of its
    methods."""
    text = path.read_text(encoding="utf-8")
    for name, methods in interfaces.items():
        section = re.search(
            rf"^### `{name}`\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL
        )
        if not section:
            yield lint.Finding(path, f"the interface '{name}' has no section")
            continue
        for method in methods:
            if f"`{method}`" not in section[1]:
                yield lint.Finding(
                    path,
                    f"the section of '{name}' does not name '{method}'",
                    lint.line_of(text, section.start()),
                )


def check_labels(root, path, sections):
    """Yield a finding for each label or constraint that lacks another."""
    constraints = {
        (dialect.label_of(section.name), number): line
        for section in sections
        for number, line in section.constraints
    }
    in_sources, in_tests = set(), set()
    findings = []

    def add(label, where, wrong):
        if (label.prefix, label.number) not in constraints:
            wrong = f"is no constraint of {SPECIFICATION}"
        if wrong:
            findings.append(lint.Finding(label.path, f"'{label}' {wrong}", label.line))
        else:
            where.add((label.prefix, label.number))

    for label in source_labels(root):
        add(label, in_sources, None)
    names = {dialect.label_of(section.name): section.name for section in sections}
    for label, wrong in test_labels(root, names):
        add(label, in_tests, wrong)
    for (prefix, number), line in constraints.items():
        for where, text in (
            (in_sources, "beside a check of the dialect"),
            (in_tests, "above a negative test"),
        ):
            if (prefix, number) not in where:
                text = f"'{prefix}_c{number}' does not stand {text}"
                findings.append(lint.Finding(path, text, line))
    return findings


def renumber(root, path, sections):
    """Number constraints in their order; return the findings that this mends."""
    changes = {}
    findings = []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for section in sections:
        numbers = [number for number, _ in section.constraints]
        mapping = {old: new for new, old in enumerate(numbers, 1)}
        # Two constraints of one number: which of them a label means is unknown.
        if len(mapping) < len(numbers) or all(a == b for a, b in mapping.items()):
            continue
        prefix = dialect.label_of(section.name)
        changes |= {(prefix, old): new for old, new in mapping.items()}
        for index in range(section.line - 1, section.last_line):
            lines[index] = NUMBER.sub(
                lambda match: f"(C{mapping.get(int(match[1]), match[1])})",
                lines[index],
            )
        text = f"the constraints of '{section.name}' were numbered anew"
        findings.append(lint.Finding(path, text, section.line, mended=True))
    if not changes:
        return findings
    path.write_text("".join(lines), encoding="utf-8")

    def new_label(match):
        number = changes.get((match[1], int(match[2])), match[2])
        return f"{match[1]}_c{number}"

    for file in [*source_files(root), *test_files(root)]:
        text = file.read_text(encoding="utf-8")
        changed = COMMENT.sub(
            lambda match: (
                match[0]
                if DIRECTIVE.match(match[1])
                else LABEL.sub(new_label, match[0])
            ),
            text,
        )
        if changed != text:
            file.write_text(changed, encoding="utf-8")
    return findings


def check(options):
    root = options.root
    path = root / SPECIFICATION
    if not path.is_file():
        return 0, [lint.Finding(path, "is missing")]
    findings = renumber(root, path, read_sections(path)) if options.fix else []
    sections = read_sections(path)
    findings += check_sections(path, sections, dialect.load(root))
    findings += check_interfaces(path, dialect.load_interfaces(root))
    findings += check_labels(root, path, sections)
    return sum(len(section.constraints) for section in sections), findings


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "constraints"))
