#!/usr/bin/env python3
"""Checks that the matrix of docs/status.md says what is there.

Each op of the dialect has one row, and each row an op. A cell is `-` where the
layer does nothing for the op, or `not` and what it does not; it is `yes`, or says
what the layer does, where it does something. No other word means nothing.

    spec      `yes` if the op has a section in docs/spec.md
    verifier  `yes` for code of its own, `ODS` for what its definition says
    folds     the op has a folder, or canonicalization patterns that can apply; then it
              is in test/Dialect/Attn/canonicalize*.mlir
    tiling    `yes`, or loops by name, if the op implements TilingInterface; `not
              cut` if it has no loops; `slice` for masks and biases
    ref       `yes` if the interpreter names its class
    plain     the lowering to linalg names its class, or it is a mask or bias
    fast      something if plain is; of a mask, `key intervals` only if it has them
    raise     the raising names its class
    tests     `yes` if its name is in test/Dialect/Attn/ops*.mlir and below
              test/Numerics

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
# What says that there is nothing, but for `-` and `not ...`.
DENIAL = re.compile(
    r"\W*$|(?:no|none|not|nothing|nowhere|never|false|n/?a|todo|tbd|missing)\b", re.I
)
LOOPS = {"batches", "heads", "queries", "rows", "tokens"}
SPEC = re.compile(r"getSpec\((\w+) op\) \{\s*TilingSpec spec\((\d+)\)")


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
                ("op", "Dialect/Attn/IR"),
            )
        }
        self.loops = {
            name: int(count) for name, count in SPEC.findall(self.sources["op"])
        }
        tests = root / "test/Dialect/Attn"
        self.round_trip = read(tests.glob("ops*.mlir"))
        self.canonicalized = read(tests.glob("canonicalize*.mlir"))
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

    @staticmethod
    def occurs(op, text):
        return bool(re.search(rf"\b{re.escape(op.name)}(?![\w.])", text))

    def names(self, layer, op):
        return bool(re.search(rf"\b{op.cpp_class}\b", self.sources[layer]))

    def folds(self, op):
        """Whether anything is folded. The shared pattern is for results without
        elements, and a single number has one."""
        record = op.record
        shared = f"ATTN_DEFINE_DESTINATION_PATTERNS({op.cpp_class})"
        if self.loops.get(op.cpp_class) == 0 and shared in self.sources["op"]:
            return record["hasFolder"]
        return record["hasFolder"] or record["hasCanonicalizer"]

    def tiling(self, op):
        if self.interface(op, "TilingInterface"):
            return "not cut" if self.loops.get(op.cpp_class) == 0 else "yes"
        return "-"

    def cells(self, op):
        """What a new row says in each column."""
        record = op.record
        mask = self.interface(op, "MaskOpInterface")
        symbolic = mask or self.interface(op, "BiasOpInterface")
        own = record["hasVerifier"] or record["hasRegionVerifier"]
        tested = self.occurs(op, self.round_trip) and self.occurs(op, self.numeric)
        fast = "linalg" if self.names("plain", op) else "-"
        tiling = self.tiling(op)
        if symbolic:
            tiling = "made by it" if op.name.endswith(".slice") else "slice"
            methods = mask and (mask.get("alwaysOverriddenMethods") or [])
            narrow = mask and "emitKeyIntervals" in methods
            fast = "key intervals" if narrow else "element by element"
        return {
            "spec": "yes" if f"\n### `{op.name}`\n" in self.spec else "-",
            "verifier": "yes" if own else "ODS",
            "folds": "yes" if self.folds(op) else "-",
            "tiling": tiling,
            "ref": "yes" if self.names("ref", op) else "-",
            "plain": "yes" if symbolic or self.names("plain", op) else "-",
            "fast": fast,
            "raise": "yes" if self.names("raise", op) else "-",
            "tests": "yes" if tested else "-",
        }


def does_something(cell):
    """Whether a cell says that there is something; None if it does not say."""
    if cell == "-" or re.fullmatch(r"not \w.*", cell):
        return False
    return None if DENIAL.match(cell) else True


def is_right(column, cell, fact):
    """Whether a cell says what is there."""
    if column == "tiling" and fact == "yes" and cell != "-":
        return cell == "yes" or set(cell.split(", ")) <= LOOPS
    if column in ("spec", "verifier", "tiling", "ref", "tests"):
        return cell == fact
    # Beside what the script can see, a cell of the vector code is up to people.
    if column == "fast" and fact == "element by element" and "key intervals" in cell:
        return False
    if column == "fast" and fact == "key intervals" and cell == "element by element":
        return False
    return does_something(cell) == (fact != "-")


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
    tests = "test/Dialect/Attn/canonicalize*.mlir"
    untested = [
        lint.Finding(path, f"no test in {tests} folds '{name}'")
        for name, op in ops.items()
        if facts.folds(op) and not facts.occurs(op, facts.canonicalized)
    ]
    if options.fix and matrix.findings:
        path.write_text("\n".join(matrix.lines) + "\n", encoding="utf-8")
    return len(ops), matrix.findings + untested


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "ops"))
