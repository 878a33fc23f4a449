#!/usr/bin/env python3
"""Writes the files that a document shows.

usage: extract-doc-files.py DOCUMENT FOLDER

A block of code whose opening fence has the path of a file behind the language
(```cpp src/Foo.cpp) is that file. FOLDER is made, and has to be empty.
"""

import argparse
import pathlib
import re
import sys

BLOCK = re.compile(r"^```\w+ ([\w./-]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()

    files = BLOCK.findall(options.document.read_text(encoding="utf-8"))
    if not files:
        sys.exit(f"extract-doc-files.py: error: no files in '{options.document}'")
    options.folder.mkdir(parents=True, exist_ok=True)
    if any(options.folder.iterdir()):
        sys.exit(f"extract-doc-files.py: error: '{options.folder}' is not empty")
    for name, text in files:
        path = options.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            sys.exit(f"extract-doc-files.py: error: '{name}' is shown twice")
        path.write_text(text, encoding="utf-8")
    print(f"{len(files)} files")


if __name__ == "__main__":
    main()
