#!/usr/bin/env python3
"""Runs every ```sh block of a document, as a reader would from the project's root.

usage: run-doc-commands.py DOCUMENT --build DIR

The commands see the project's folders and DIR as build/, but write elsewhere.
Exits with 1 at the first command that fails.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()

    blocks = re.findall(r"^```sh\n(.*?)^```", options.document.read_text(), re.M | re.S)
    if not blocks:
        sys.exit(f"run-doc-commands.py: error: no commands in '{options.document}'")
    with tempfile.TemporaryDirectory() as scratch:
        for entry in ROOT.iterdir():
            if entry.name not in ("build", "out", ".git"):
                (pathlib.Path(scratch) / entry.name).symlink_to(entry)
        (pathlib.Path(scratch) / "build").symlink_to(options.build.resolve())
        for block in blocks:
            result = subprocess.run(
                ["bash", "-e", "-u", "-o", "pipefail", "-c", block],
                cwd=scratch,
                capture_output=True,
                text=True,
            )
            if result.returncode:
                sys.stderr.write(
                    f"{block}{result.stdout[-2000:]}{result.stderr[-2000:]}"
                )
                return 1
    print(f"{len(blocks)} blocks of commands ran")
    return 0


if __name__ == "__main__":
    sys.exit(main())
