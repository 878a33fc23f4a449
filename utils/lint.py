"""What the checks in this folder share: arguments, report and exit codes.

Every check is called as `check-foo.py [ROOT] [--fix]`. It prints one line for
each thing that is wrong, `path:line: what`, and a last line that counts. Exit
codes: 0, nothing is wrong any more; 1, something is, or there was nothing to
check; 2, wrong usage.
"""

import argparse
import dataclasses
import pathlib
import shutil
import subprocess
import sys


@dataclasses.dataclass
class Finding:
    """One thing that is wrong; `mended` if it no longer is."""

    path: pathlib.Path
    text: str
    line: int | None = None
    mended: bool = False

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: {self.text}{' (mended)' if self.mended else ''}"


def main(document, check, noun, add_arguments=None):
    """Run `check(options)`, which gives the number of `noun` that it looked at
    and a list of findings, and return the exit code.

    `options` has `root` and `fix`. The first line of `document` describes the
    check in its help, the rest is the help's text.
    """
    parser = argparse.ArgumentParser(
        description=document, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "root",
        type=pathlib.Path,
        nargs="?",
        default=pathlib.Path(__file__).resolve().parent.parent,
        help="the source folder (default: the one of this script)",
    )
    parser.add_argument(
        "--fix", action="store_true", help="mend what can be mended by a script"
    )
    if add_arguments:
        add_arguments(parser)
    options = parser.parse_args()
    if not options.root.is_dir():
        parser.error(f"'{options.root}' is no folder")

    count, findings = check(options)
    mended = sum(finding.mended for finding in findings)
    for finding in findings:
        if finding.path.is_relative_to(options.root):
            finding.path = finding.path.relative_to(options.root)
        print(finding)
    wrong = len(findings) - mended
    line = f"{count} {noun}, {wrong} wrong"
    print(line + (f", {mended} mended" if mended else ""))
    return 1 if wrong or not count else 0


def line_of(text, position):
    """The number of the line that `position` is in."""
    return text.count("\n", 0, position) + 1


def tool(*names):
    """The first of the tools that is there, on PATH or beside llvm-config."""
    for name in names:
        if path := shutil.which(name):
            return path
    for config in ("llvm-config-22", "llvm-config"):
        if path := shutil.which(config):
            folder = run(path, "--bindir").strip()
            for name in names:
                if found := shutil.which(name, path=folder):
                    return found
    sys.exit(f"error: expects one of the tools {', '.join(names)}, found none")


def run(*command, text=None):
    """The output of a command that has to succeed."""
    result = subprocess.run(
        [str(part) for part in command],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        sys.exit(f"error: {command[0]} failed:\n{result.stderr}")
    return result.stdout


def include_flags(root):
    """The flags by which TableGen finds the files of the project and of MLIR."""
    config = tool("llvm-config-22", "llvm-config")
    return ["-I", root / "include", "-I", run(config, "--includedir").strip()]
