#!/usr/bin/env python3
"""Checks that sources are formatted.

C++ and C as .clang-format says, by a pinned version of clang-format. All text
files: no blank at the end of a line, one newline at the end. --fix formats the
files.
"""

import concurrent.futures
import re
import sys

import lint

CODE_FOLDERS = ("benchmarks", "include", "lib", "runtime", "test", "tools", "unittests")
CODE = (".cpp", ".h", ".c")
TEXT_FOLDERS = CODE_FOLDERS + ("cmake", "docs", "examples", "utils")
TEXT = CODE + (".td", ".md", ".mlir", ".test", ".py", ".sh", ".cmake", "CMakeLists.txt")
# Of the root folder itself; others lie there too, like build folders.
ROOT = TEXT + (".json", ".clang-format", ".gitignore")
# What others wrote, or wrote a file for: inputs of tests, exported graphs.
SKIPPED = ("Inputs", "graph.mlir")


def format_code(path, text, tool):
    return lint.run(tool, f"--assume-filename={path}", text=text)


def format_text(text):
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return text.rstrip("\n") + "\n" if text.strip("\n") else ""


def select(paths, suffixes):
    for path in sorted(paths):
        if (path.suffix in suffixes or path.name in suffixes) and path.is_file():
            yield path


def files(root, folders, suffixes):
    for folder in folders:
        yield from select((root / folder).rglob("*"), suffixes)


def check(options):
    tool = lint.tool(options.clang_format)
    findings = []
    code = list(files(options.root, CODE_FOLDERS, CODE))
    texts = list(select(options.root.glob("*"), ROOT))
    texts += [
        path
        for path in files(options.root, TEXT_FOLDERS, TEXT)
        if path not in set(code)
        and not set(SKIPPED) & set(path.relative_to(options.root).parts)
    ]

    def mend(path):
        """Whether the file is not formatted; formats it if asked to."""
        text = path.read_text(encoding="utf-8")
        if path.suffix in CODE:
            formatted = format_code(path, text, tool)
        else:
            formatted = format_text(text)
        if formatted != text and options.fix:
            path.write_text(formatted, encoding="utf-8")
        return formatted != text

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for path, wrong in zip(code + texts, pool.map(mend, code + texts)):
            if wrong:
                text = "is not formatted"
                findings.append(lint.Finding(path, text, mended=options.fix))
    return len(code) + len(texts), findings


def add_arguments(parser):
    parser.add_argument("--clang-format", default="clang-format-22", metavar="TOOL")


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "files", add_arguments))
