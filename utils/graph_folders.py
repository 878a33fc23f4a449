"""Folders with a model graph, as the scripts beside this file read them.

Such a folder has graph.mlir, expected.json (entry, tolerance, and what the graph
holds) and data.npz with inputs in0.. and the framework's results out0..; more
data*.npz hold other sizes.
"""

import json
import pathlib


class GraphFolder:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.resolve().name
        self.graph = self.path / "graph.mlir"
        self.expected = json.loads((self.path / "expected.json").read_text())
        self.entry = self.expected.get("entry", "main")

    def data_files(self):
        return sorted(self.path.glob("data*.npz"))

    def compare_flags(self, data):
        """Arguments of attn-run that run `data` and compare with what it holds."""
        tolerance = self.expected["tolerance"]
        return [
            f"--inputs={data}",
            f"--compare={data}",
            f"--atol={tolerance['atol']}",
            f"--rtol={tolerance['rtol']}",
        ]


def find_graphs(folders):
    """Yields each graph of the folders, which may hold one or many."""
    for folder in map(pathlib.Path, folders):
        paths = (
            [folder] if (folder / "graph.mlir").exists() else sorted(folder.iterdir())
        )
        for path in paths:
            if (path / "graph.mlir").exists():
                yield GraphFolder(path)
