#!/usr/bin/env python3
"""Checks that the C++ sources are formatted as .clang-format says.

usage: check-format.py ROOT [--fix]
"""

import argparse
import pathlib
import subprocess
import sys

FOLDERS = ("benchmarks", "include", "lib", "runtime", "test", "tools")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=pathlib.Path, help="the source folder")
    parser.add_argument("--fix", action="store_true", help="format the files")
    parser.add_argument("--clang-format", default="clang-format-22", metavar="TOOL")
    options = parser.parse_args()

    files = [
        path
        for folder in FOLDERS
        for path in sorted((options.root / folder).rglob("*"))
        if path.suffix in (".cpp", ".h", ".c")
    ]
    wrong = []
    for path in files:
        text = path.read_text()
        formatted = subprocess.run(
            [options.clang_format, f"--assume-filename={path}"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        if formatted != text:
            wrong.append(path)
            if options.fix:
                path.write_text(formatted)
    for path in wrong:
        print(
            f"{path.relative_to(options.root)}: {'formatted' if options.fix else 'not formatted'}"
        )
    print(
        f"{len(files)} files, {len(wrong)} {'formatted' if options.fix else 'not formatted'}"
    )
    return 1 if not files or (wrong and not options.fix) else 0


if __name__ == "__main__":
    sys.exit(main())
