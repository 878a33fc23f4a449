"""Reads and writes .npz files of plain arrays, and runs programs on them."""

import ast
import io
import math
import struct
import subprocess
import zipfile

CODES = {"|b1": "?", "|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q"}
CODES |= {"<f2": "e", "<f4": "f", "<f8": "d"}


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


def write_npz(path, arrays):
    """Writes {name: (descr, shape, list of numbers)}."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, (descr, shape, values) in arrays.items():
            assert len(values) == math.prod(shape)
            text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
            text += " " * (-(len(text) + 11) % 64) + "\n"
            data = io.BytesIO()
            data.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
            data.write(struct.pack(f"<{len(values)}{CODES[descr]}", *values))
            archive.writestr(name + ".npy", data.getvalue())


PATHS = {
    "reference": ["--reference"],
    "plain": ["--no-vectorize"],
    "optimised": ["--threads=2"],
}


def run_program(attn_run, text, stem, path, inputs):
    """The results of a program for `inputs`, a list in order, on one path."""
    with open(f"{stem}.mlir", "w", encoding="utf-8") as out:
        out.write(text)
    write_npz(f"{stem}.in.npz", {f"in{at}": array for at, array in enumerate(inputs)})
    command = [attn_run, f"{stem}.mlir", f"--inputs={stem}.in.npz", *PATHS[path]]
    subprocess.run([*command, f"--outputs={stem}.{path}.npz"], check=True)
    arrays = read_npz(f"{stem}.{path}.npz")
    return [arrays[f"out{at}"] for at in range(len(arrays))]
