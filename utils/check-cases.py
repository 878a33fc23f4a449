#!/usr/bin/env python3
"""Checks that the tests that are named by an id have a list of what they are about.

test/Cases and test/Differences have a README.md each, with a table of ids and titles.
The title of a test is the first sentence of the comment at its head. The numbers of
ids count from 1; one without a test has a row that starts with `No test:` and says why.
--fix makes the tables anew, and keeps those rows.
"""

import re
import sys

import lint

FOLDERS = ("test/Cases", "test/Differences")
HEADER = "| id | about |\n|---|---|\n"
TABLE = re.compile(re.escape(HEADER) + r"(?:\|.*\n)*")
UNTESTED = re.compile(r"^\| `([a-z]+\d+)` \| No test: \S.*\|\n", re.MULTILINE)
ID = re.compile(r"([a-z]+)(\d+)")


def title(text):
    """The first sentence of a test, or None."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("// ") or line.startswith("// RUN:"):
            break
        lines.append(line.removeprefix("// ").strip())
    match = re.match(r"(.*?)\.(?: |$)", " ".join(lines))
    return match[1] if match else None


def find_gaps(page, ids):
    """Yield a finding for each number that is left out below the highest one."""
    numbers = {}
    for name in ids:
        if match := ID.match(name):
            numbers.setdefault(match[1], {})[int(match[2])] = len(match[2])
    for letters, found in sorted(numbers.items()):
        for number in range(1, max(found)):
            if number not in found:
                missing = f"{letters}{number:0{found[max(found)]}}"
                text = f"expects a test '{missing}', or a row 'No test:' that says why"
                yield lint.Finding(page, text)


def check_folder(folder, fix):
    """The number of tests and the findings of a folder."""
    findings = []
    rows = {}
    for path in sorted(folder.glob("*.mlir"), key=lambda path: path.stem):
        about = title(path.read_text(encoding="utf-8"))
        if about is None:
            text = "expects a sentence at the head that says what it is about"
            findings.append(lint.Finding(path, text, 1))
            continue
        about = about.replace("|", "\\|")
        rows[path.stem] = f"| [`{path.stem}`]({path.name}) | {about} |\n"
    count = len(rows)
    page = folder / "README.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    found = TABLE.search(text)
    if found:
        for untested in UNTESTED.finditer(found[0]):
            rows.setdefault(untested[1], untested[0])
    table = HEADER + "".join(rows[name] for name in sorted(rows))
    if not found:
        wrong = "has no table of ids and what they are about"
        findings.append(lint.Finding(page, wrong))
    elif found[0] != table:
        if fix:
            text = text[: found.start()] + table + text[found.end() :]
            page.write_text(text, encoding="utf-8")
        wrong = "expects a row for each test, with its first sentence"
        line = lint.line_of(text, found.start())
        findings.append(lint.Finding(page, wrong, line, mended=fix))
    findings += find_gaps(page, {*rows, *(path.stem for path in folder.glob("*.mlir"))})
    return count, findings


def check(options):
    count = 0
    findings = []
    for name in FOLDERS:
        if (options.root / name).is_dir():
            number, wrong = check_folder(options.root / name, options.fix)
            count += number
            findings += wrong
    return count, findings


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "tests"))
