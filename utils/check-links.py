#!/usr/bin/env python3
"""Checks that what the documentation links to is there.

Each relative link of a Markdown file at the top, in docs/, examples/,
benchmarks/ or test/ leads to a file, and to a heading of it where it has a `#`. Where a
link was meant to go no script knows, so --fix mends nothing.
"""

import re
import sys

import lint

FOLDERS = ("docs", "examples", "benchmarks", "test")
SOURCES = ("*.md", *(f"{folder}/**/*.md" for folder in FOLDERS))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^()\s]+)\)")
CODE = re.compile(r"^( *```).*?^ *```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchor(heading):
    """What a browser calls a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def check(options):
    count = 0
    findings = []
    for pattern in SOURCES:
        for path in sorted(options.root.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            # Code keeps its length, so that places stay what they are.
            text = CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
            for match in LINK.finditer(text):
                target, _, place = match[1].partition("#")
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                line = lint.line_of(text, match.start())
                file = path.parent / target if target else path
                if not file.exists():
                    wrong = f"'{match[1]}' leads nowhere"
                elif place and place not in map(
                    anchor, HEADING.findall(file.read_text(encoding="utf-8"))
                ):
                    wrong = f"'{target or path.name}' has no heading '{place}'"
                else:
                    continue
                findings.append(lint.Finding(path, wrong, line))
    return count, findings


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "links"))
