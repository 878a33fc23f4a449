"""Reads arrays of .npz files and compares them, with nothing but Python."""

import ast
import math
import struct
import zipfile

CODES = {"|b1": "?", "|i1": "b", "<i4": "i", "<i8": "q", "<f2": "e", "<f4": "f", "<f8": "d"}


def read_npz(path):
    """The arrays of a file, as (shape, list of numbers)."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            data = archive.read(member)
            size, start = struct.unpack("<H", data[8:10])[0], 10
            if data[6] > 1:
                size, start = struct.unpack("<I", data[8:12])[0], 12
            header = ast.literal_eval(data[start : start + size].decode())
            assert not header["fortran_order"]
            count = math.prod(header["shape"])
            code = CODES[header["descr"]]
            values = struct.unpack_from(f"<{count}{code}", data, start + size)
            arrays[member.removesuffix(".npy")] = header["shape"], values
    return arrays


def compare(actual, expected, tolerance):
    """What is wrong with an array, or None."""
    if actual[0] != expected[0]:
        return f"shape {actual[0]}, expected {expected[0]}"
    bad, first, worst = 0, None, 0.0
    for at, (x, y) in enumerate(zip(actual[1], expected[1])):
        # Equal infinities have no difference; NaN equals NaN.
        if x == y or (x != x and y != y):
            continue
        # Infinities have no tolerance: inf <= inf would accept any number.
        error = abs(x - y)
        if math.isfinite(y) and error <= tolerance * (1 + abs(y)):
            continue
        bad += 1
        first = at if first is None else first
        worst = max(worst, error)
    if not bad:
        return None
    place = []
    rest = first
    for size in reversed(actual[0]):
        place.insert(0, rest % size)
        rest //= size
    return (
        f"{bad} of {len(actual[1])} elements, first at {place}: got "
        f"{actual[1][first]:.9g}, expected {expected[1][first]:.9g}; largest error "
        f"{worst:.3g}, tolerance {tolerance:.3g}"
    )
