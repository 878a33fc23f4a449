#!/usr/bin/env python3
"""Writes small .npz and .npy files for tests, good ones and damaged ones.

  make-npz.py [options] FILE NAME=TYPE:SHAPE:VALUES...

TYPE is a numpy descr (<f4, <i8, |b1, ...), SHAPE is 2x3 (empty for a scalar),
VALUES are separated by commas; one value fills the array. FILE.npy takes one
array.
"""

import argparse
import io
import math
import struct
import zipfile

CODES = {
    "|b1": "?",
    "|i1": "b",
    "|u1": "B",
    "<i2": "h",
    "<i4": "i",
    "<i8": "q",
    "<f2": "e",
    "<f4": "f",
    "<f8": "d",
    "<c8": "ff",
    "<c16": "dd",
    ">f4": "f",
    "<u4": "I",
}

# The bytes that a record starts with.
RECORDS = {
    "file": b"",
    "local": b"PK\x03\x04",
    "central": b"PK\x01\x02",
    "end": b"PK\x05\x06",
}


def make_npy(descr, shape, values, options):
    count = math.prod(shape)
    code = CODES[descr]
    if len(values) == 1 and len(code) == 1:
        values = values * count
    order = ">" if descr[0] == ">" else "<"
    numbers = [float(v) if code[0] in "efd" else int(v) for v in values]
    payload = struct.pack(order + code[0] * len(numbers), *numbers)
    text = options.header or (
        f"{{'descr': '{descr}', 'fortran_order': {options.fortran}, "
        f"'shape': {tuple(shape)}, }}"
    )
    length = "<H" if options.version == 1 else "<I"
    prefix = b"\x93NUMPY" + bytes([options.version, 0])
    padding = -(len(prefix) + struct.calcsize(length) + len(text) + 1) % 64
    text = text + " " * padding + "\n"
    return prefix + struct.pack(length, len(text)) + text.encode() + payload


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("arrays", nargs="*")
    parser.add_argument("--deflate", action="store_true")
    parser.add_argument("--fortran", action="store_true")
    parser.add_argument("--version", type=int, default=1)
    parser.add_argument("--header", help="the text of the npy header")
    parser.add_argument("--drop", type=int, default=0, help="bytes cut off the end")
    parser.add_argument("--zip64", action="store_true", help="mark sizes as zip64")
    parser.add_argument("--flip", type=int, help="place of a byte to invert")
    parser.add_argument("--claim", type=int, help="a false size of the members")
    parser.add_argument(
        "--patch",
        action="append",
        default=[],
        metavar="RECORD+OFFSET=HEX",
        help="bytes in the zip record 'local', 'central' or 'end', or in the 'file'",
    )
    options = parser.parse_args()

    members = []
    for text in options.arrays:
        name, rest = text.split("=", 1)
        descr, shape, values = rest.split(":")
        sizes = [int(size) for size in shape.split("x")] if shape else []
        members.append(
            (name, make_npy(descr, sizes, values.split(",") if values else [], options))
        )
    if options.file.endswith(".npy"):
        contents = bytearray(members[0][1])
    else:
        method = zipfile.ZIP_DEFLATED if options.deflate else zipfile.ZIP_STORED
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as archive:
            for name, data in members:
                archive.writestr(zipfile.ZipInfo(name + ".npy"), data, method)
        contents = bytearray(buffer.getvalue())
        central = contents.find(b"PK\x01\x02")
        if options.zip64:
            contents[central + 20 : central + 28] = b"\xff" * 8
        if options.claim is not None:
            contents[central + 24 : central + 28] = struct.pack("<I", options.claim)
    for patch in options.patch:
        where, digits = patch.split("=")
        record, offset = where.split("+")
        new = bytes.fromhex(digits)
        start = contents.find(RECORDS[record]) + int(offset)
        contents[start : start + len(new)] = new
    if options.flip is not None:
        contents[options.flip] ^= 0xFF
    if options.drop:
        contents = contents[: -options.drop]
    with open(options.file, "wb") as out:
        out.write(contents)


if __name__ == "__main__":
    main()
