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
    raise     the raising names its class
    tests     its name is in test/Dialect/Attn/ops.mlir and in the numeric tests

--fix adds rows and mends cells; what a cell says beyond that is left to people.
"""

import re
import sys

import dialect
import lint

STATUS = "docs/status.md"
ROW = re.compile(r"^\| `(attn\.[\w.]+)` \|(.*)\|$")
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
        self.numeric = read((root / "test/Numerics").rglob("*.*"))

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
        if symbolic:
            methods = mask and (mask.get("alwaysOverriddenMethods") or [])
            narrow = mask and "emitKeyIntervals" in methods
            fast = "key intervals" if narrow else "element by element"
        return {
            "spec": "yes" if f"\n### `{op.name}`\n" in self.spec else "-",
            "verifier": "yes" if own else "ODS",
            "folds": "yes" if record["hasFolder"] or record["hasCanonicalizer"] else "-",
            "tiling": "slice"
            if symbolic
            else "yes"
            if self.interface(op, "TilingInterface")
            else "-",
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


def check(options):
    path = options.root / STATUS
    if not path.is_file():
        return 0, [lint.Finding(path, "is missing")]
    lines = path.read_text(encoding="utf-8").splitlines()
    header = next((i for i, line in enumerate(lines) if HEADER.match(line)), None)
    if header is None:
        return 0, [lint.Finding(path, "has no table with a column 'op'")]
    columns = [cell.strip() for cell in HEADER.match(lines[header])[1].split("|")]
    facts = Facts(options.root)
    ops = {op.name: op for op in dialect.load(options.root) if op.kind == "op"}
    findings = []
    if expected := set(facts.cells(next(iter(ops.values())))) - set(columns):
        text = f"the table lacks columns: {', '.join(sorted(expected))}"
        return 0, [lint.Finding(path, text, header + 1)]

    def row_of(name, cells):
        return f"| `{name}` | " + " | ".join(cells) + " |"

    seen, kept, end = set(), [], header + 2
    for number, line in enumerate(lines, 1):
        if not (match := ROW.match(line)):
            kept.append(line)
            continue
        name = match[1]
        if name not in ops or name in seen:
            text = "has two rows" if name in seen else "is not in the dialect"
            findings.append(
                lint.Finding(path, f"'{name}' {text}", number, options.fix)
            )
            if not options.fix:
                kept.append(line)
            end = len(kept)
            continue
        seen.add(name)
        cells = [cell.strip() for cell in match[2].split("|")]
        cells += [""] * (len(columns) - len(cells))
        expected = facts.cells(ops[name])
        for index, column in enumerate(columns):
            if column in expected and not is_right(
                column, cells[index], expected[column]
            ):
                text = (
                    f"expects '{expected[column]}' or the like as {column} of "
                    f"'{name}', got '{cells[index]}'"
                )
                findings.append(lint.Finding(path, text, number, options.fix))
                cells[index] = expected[column]
        kept.append(row_of(name, cells) if options.fix else line)
        end = len(kept)
    for name, op in ops.items():
        if name not in seen:
            text = f"'{name}' has no row"
            findings.append(lint.Finding(path, text, mended=options.fix))
            expected = facts.cells(op)
            kept.insert(end, row_of(name, [expected.get(c, "-") for c in columns]))
            end += 1
    if options.fix and findings:
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return len(ops), findings


if __name__ == "__main__":
    sys.exit(lint.main(__doc__, check, "ops"))
