#!/usr/bin/env python3
"""Checks that the matrix of docs/status.md says what is there.

Each op of the dialect has one row, and each row an op. A cell is `-` where the
layer does nothing for the op, and says something else where it does:

    spec      the op has a section in docs/spec.md
    verifier  `yes` for code of its own, `ODS` for what its definition says
    folds     the op has a folder or canonicalization patterns
    tiling    the op implements TilingInterface, or is a mask or bias (a slice)
    ref       the interpreter names its class
    plain     the lowering to linalg names its class, or it is a mask or bias
    fast      anything: what the vector code does, only people know
    raise     the raising names its class
    tests     its name is in test/Dialect/Attn/ops*.mlir and below test/Numerics

--fix adds rows and mends cells; what a cell says beyond that is left to people.
"""

import re
import sys

import dialect
import lint

STATUS = "docs/status.md"
ROW = re.compile(r"^\| `(attn\.[\w.]+)` \|(.*)\|$")
COLUMNS = "spec verifier folds tiling ref plain fast raise tests".split()
HEADER = re.compile(r"^\| op \|(.*)\|$")


def read(paths):
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))


class Facts:
    """What can be read off the sources about an op, column by column."""

    def __init__(self, root):
        self.records = dialect.read_records(root)
        spec = root / "docs/spec.md"
        self.spec = read([spec]) if spec.exists() else ""
        self.sources = {
            layer: read((root / "lib" / folder).rglob("*.cpp"))
            for layer, folder in (
                ("ref", "Reference"),
                ("plain", "Conversion/AttnToLinalg"),
                ("raise", "Raise"),
            )
        }
        self.round_trip = read((root / "test/Dialect/Attn").glob("ops*.mlir"))
        self.numeric = read(
            path
            for path in (root / "test/Numerics").rglob("*")
            if path.suffix in (".mlir", ".py", ".test")
        )

    def interface(self, op, name):
        """The trait of an op that declares an interface, or None."""
        for trait in op.record["traits"]:
            record = self.records[trait["def"]]
            if record.get("cppInterfaceName") == name:
                return record
        return None

    def names(self, layer, op):
        return bool(re.search(rf"\b{op.cpp_class}\b", self.sources[layer]))

    def cells(self, op):
        """What a new row says in each column."""
        record = op.record
        mask = self.interface(op, "MaskOpInterface")
        symbolic = mask or self.interface(op, "BiasOpInterface")
        own = record["hasVerifier"] or record["hasRegionVerifier"]
        name = re.compile(rf"\b{re.escape(op.name)}(?![\w.])")
        tested = name.search(self.round_trip) and name.search(self.numeric)
        fast = "linalg" if self.names("plain", op) else "-"
        tiling = "yes" if self.interface(op, "TilingInterface") else "-"
        if symbolic:
            tiling = "slice"
            methods = mask and (mask.get("alwaysOverriddenMethods") or [])
            narrow = mask and "emitKeyIntervals" in methods
            fast = "key intervals" if narrow else "element by element"
        return {
            "spec": "yes" if f"\n### `{op.name}`\n" in self.spec else "-",
            "verifier": "yes" if own else "ODS",
            "folds": (
                "yes" if record["hasFolder"] or record["hasCanonicalizer"] else "-"
            ),
            "tiling": tiling,
            "ref": "yes" if self.names("ref", op) else "-",
            "plain": "yes" if symbolic or self.names("plain", op) else "-",
            "fast": fast,
            "raise": "yes" if self.names("raise", op) else "-",
            "tests": "yes" if tested else "-",
        }


def is_right(column, cell, fact):
    """Whether a cell says what is there; of the vector code only people know."""
    if column == "fast":
        return bool(cell)
    if column == "verifier":
        return cell == fact
    return bool(cell) and (cell == "-") == (fact == "-")


def row_of(name, cells):
    return f"| `{name}` | " + " | ".join(cells) + " |"


class Matrix:
    """The lines of the page while it is checked, and mended if asked to."""

    def __init__(self, path, fix):
        self.path, self.fix = path, fix
        self.lines = []
        self.findings = []
        self.end = 0  # where a new row goes

    def find(self, text, line=None):
        self.findings.append(lint.Finding(self.path, text, line, self.fix))

    def keep(self, line):
        self.lines.append(line)
        self.end = len(self.lines)

    def check_row(self, number, name, columns, cells, facts):
        """Check the cells of an op; a row has all columns once it is mended."""
        cells += [""] * (len(columns) - len(cells))
        mended = list(cells)
        for index, (column, cell) in enumerate(zip(columns, cells)):
            fact = facts.get(column)
            if fact is None or is_right(column, cell, fact):
                continue
            self.find(
                f"expects '{fact}' or the like as {column} of '{name}', got '{cell}'",
                number,
            )
            mended[index] = fact
        self.keep(row_of(name, mended if self.fix else cells))

    def add_row(self, name, columns, facts):
        self.find(f"'{name}' has no row")
        cells = [facts.get(column, "-") for column in columns]
        # Behind the last op of its family, as `attn.mask`, if there is one.
        family = name.rpartition(".")[0]
        place = self.end
        for index, line in enumerate(self.lines):
            match = ROW.match(line)
            if match and match[1].rpartition(".")[0] == family:
                place = index + 1
        self.lines.insert(place, row_of(name, cells))
        self.end += 1


def check(options):
    path = options.root / STATUS
    if not path.is_file():
        return 0, [lint.Finding(path, "is missing")]
    lines = path.read_text(encoding="utf-8").splitlines()
    header = next((match for line in lines if (match := HEADER.match(line))), None)
    if not header:
        return 0, [lint.Finding(path, "has no table with a column 'op'")]
    columns = [cell.strip() for cell in header[1].split("|")]
    if missing := [column for column in COLUMNS if column not in columns]:
        text = f"the table lacks the columns {', '.join(missing)}"
        return 0, [lint.Finding(path, text)]

    facts = Facts(options.root)
    ops = {op.name: op for op in dialect.load(options.root) if op.kind == "op"}
    matrix = Matrix(path, options.fix)
    seen = set()
    for number, line in enumerate(lines, 1):
        match = ROW.match(line)
        if not match:
            matrix.lines.append(line)
            continue
        name = match[1]
        if name not in ops or name in seen:
            text = "has two rows" if name in seen else "is not in the dialect"
            matrix.find(f"'{name}' {text}", number)
            continue
        seen.add(name)
        cells = [cell.strip() for cell in match[2].split("|")]
        matrix.check_row(number, name, columns, cells, facts.cells(ops[name]))
    for name, op in ops.items():
        if name not in seen:
            matrix.add_row(name, columns, facts.cells(op))
    if options.fix and matrix.findings:
        path.write_text("\n".join(matrix.lines) + "\n", encoding="utf-8")
    return len(ops), matrix.findings


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "ops"))
