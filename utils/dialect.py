"""What the .td files say about the dialect, as TableGen reads them."""

import dataclasses
import functools
import json

import lint

DEFINITIONS = "include/attn/Dialect/Attn/IR/AttnOps.td"


@dataclasses.dataclass
class Definition:
    """An op, attribute or type: its name as the specification writes it, its
    C++ class and its record in TableGen."""

    name: str
    kind: str
    cpp_class: str
    record: dict

    @property
    def label(self):
        """What its labels start with: `mask_window` for `attn.mask.window`."""
        return label_of(self.name)


def label_of(name):
    return name.lstrip("#!").removeprefix("attn.").replace(".", "_")


@functools.cache
def read_records(root):
    """All records that TableGen reads, by name."""
    command = [lint.tool("llvm-tblgen-22", "llvm-tblgen"), "--dump-json"]
    return json.loads(lint.run(*command, *lint.include_flags(root), root / DEFINITIONS))


def load_named(root):
    """The records of the enums and interfaces of the dialect."""
    records = read_records(root)
    return [
        records[name]
        for base in ("EnumInfo", "OpInterface")
        for name in records["!instanceof"].get(base, [])
        if name.startswith("Attn_")
    ]


def load_interfaces(root):
    """The names of the methods of each interface of the dialect."""
    records = read_records(root)
    return {
        record["cppInterfaceName"]: [
            records[method["def"]]["name"] for method in record["methods"]
        ]
        for record in load_named(root)
        if "cppInterfaceName" in record
    }


def load(root):
    """The ops, attributes and types of the dialect, sorted by name."""
    records = read_records(root)
    found = []
    for name in records["!instanceof"].get("Op", []):
        record = records[name]
        if record["opDialect"]["def"] == "Attn_Dialect":
            cpp_class = name.removeprefix("Attn_")
            found.append(
                Definition("attn." + record["opName"], "op", cpp_class, record)
            )
    for base, mark, kind in (("AttrDef", "#", "attribute"), ("TypeDef", "!", "type")):
        for name in records["!instanceof"].get(base, []):
            record = records[name]
            # An enum is described by its cases, with the ops that have it.
            if record["dialect"]["def"] != "Attn_Dialect" or (
                "EnumAttr" in record["!superclasses"]
            ):
                continue
            found.append(
                Definition(
                    f"{mark}attn.{record['mnemonic']}",
                    kind,
                    record["cppClassName"],
                    record,
                )
            )
    return sorted(found, key=lambda definition: definition.name)
