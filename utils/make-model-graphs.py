#!/usr/bin/env python3
"""Make the model graphs of examples/ again.

Each graph is a language model of the transformers library, built from its
configuration with seeded random weights, exported by torch.export and lowered
by torch-mlir to linalg on tensors. Nothing is downloaded but the packages.

A graph is a folder with

  graph.mlir     function @main; the weights are inside, as resources
  data.npz       in0.. the inputs in order; out0.. what PyTorch computes from
                 them in f32; ref0.. the exported program run in f64 with the
                 same weights
  expected.json  the signature, and what the model's code and configuration say
                 that a raiser has to find

The first run makes a virtual environment (.venv/models, ignored by git) and
installs utils/requirements-models.txt there. It takes about 6 GB, since
PyTorch's default wheel for Linux does not load without its GPU libraries; no
GPU is used. --pip-arg passes arguments to `pip install`, for example to name an
index of CPU-only wheels. --no-venv uses the packages of the Python that runs
the script, for a torch-mlir of your own.
"""

import argparse
import dataclasses
import filecmp
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "utils" / "requirements-models.txt"

EPILOG = """\
examples:
  utils/make-model-graphs.py                 make all graphs in examples/
  utils/make-model-graphs.py llama-small     make one of them
  utils/make-model-graphs.py --list          name them
  utils/make-model-graphs.py --check         make them elsewhere and compare
  utils/make-model-graphs.py --pip-arg=--index-url=URL --pip-arg=...
"""


@dataclasses.dataclass(frozen=True)
class Model:
    """One graph: a Llama configuration and the tokens it is run on."""

    name: str
    tokens: int
    # Tokens of each row that are not padding; the padding follows them, so
    # that every query keeps at least one key.
    lengths: tuple
    seed: int
    hidden: int
    intermediate: int
    vocabulary: int
    head_dim: int
    layers: int = 2
    query_heads: int = 4
    kv_heads: int = 2
    rope_theta: float = 10000.0

    def config(self):
        """The arguments of transformers.LlamaConfig."""
        return {
            "hidden_size": self.hidden,
            "head_dim": self.head_dim,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.query_heads,
            "num_key_value_heads": self.kv_heads,
            "vocab_size": self.vocabulary,
            "max_position_embeddings": self.tokens,
            "attn_implementation": "eager",
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": self.rope_theta,
            },
        }


MODELS = (
    # Long enough that attention is nearly all of the work.
    Model(
        name="llama",
        tokens=1024,
        lengths=(1024, 700),
        seed=1,
        hidden=64,
        intermediate=64,
        vocabulary=32,
        head_dim=64,
    ),
    # The same model, small enough to read and to test with.
    Model(
        name="llama-small",
        tokens=12,
        lengths=(12, 8),
        seed=2,
        hidden=32,
        intermediate=64,
        vocabulary=64,
        head_dim=16,
    ),
)

# f32 results may differ by rounding between processors and thread counts, so
# --check compares them with this tolerance; the same holds for a compiled
# graph against the recorded results.
TOLERANCE = {"atol": 2e-4, "rtol": 2e-4}


# --- The virtual environment -------------------------------------------------


def enter_environment(directory, pip_arguments):
    """Runs this script again inside the virtual environment, made first where
    it is missing or older than the requirements."""
    python = directory / "bin" / "python"
    stamp = directory / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing {REQUIREMENTS.name} into {directory}", flush=True)
        # As `python3 -m venv` does it; links also let a half-made one be resumed.
        venv.create(directory, with_pip=True, symlinks=True)
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check"]
        command = [*pip, "--quiet", *pip_arguments, "-r", REQUIREMENTS]
        status = subprocess.run(command).returncode
        if status != 0:
            sys.exit(f"error: pip failed with status {status}; see --help")
        stamp.write_text(wanted)
    os.execv(python, [str(python), __file__, "--no-venv", *sys.argv[1:]])


# --- From a configuration to an exported program -----------------------------


def fill_weights(module, generator):
    """Gives every parameter seeded random values of a size that keeps
    activations near one and attention away from uniform. NumPy draws them,
    since its stream is the same on every processor."""
    import torch

    embeddings = {
        id(m.weight) for m in module.modules() if isinstance(m, torch.nn.Embedding)
    }
    for parameter in module.parameters():
        noise = generator.standard_normal(tuple(parameter.shape))
        if parameter.dim() == 1:
            values = 1 + 0.1 * noise
        elif id(parameter) in embeddings:
            values = noise
        else:
            values = 1.3 / parameter.shape[-1] ** 0.5 * noise
        parameter.data.copy_(torch.from_numpy(values))


def persist_buffers(module):
    """Makes the rotary frequencies part of the module's state, where
    torch-mlir looks for every buffer."""
    for child in module.modules():
        for name, buffer in list(child.named_buffers(recurse=False)):
            child.register_buffer(name, buffer, persistent=True)


def build_module(model, generator):
    """The model behind a signature of its own: tokens and padding mask in,
    logits out, no cache."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    class Wrapper(torch.nn.Module):
        def __init__(self, llama):
            super().__init__()
            self.llama = llama

        def forward(self, input_ids, attention_mask):
            return self.llama(
                input_ids=input_ids, attention_mask=attention_mask, use_cache=False
            ).logits

    module = Wrapper(LlamaForCausalLM(LlamaConfig(**model.config()))).eval()
    fill_weights(module, generator)
    persist_buffers(module)
    return module


def make_inputs(model, generator):
    import numpy as np

    shape = (len(model.lengths), model.tokens)
    ids = generator.integers(0, model.vocabulary, size=shape, dtype=np.int64)
    lengths = np.array(model.lengths)[:, None]
    mask = (np.arange(model.tokens)[None] < lengths).astype(np.int64)
    return [ids, mask]


def drop_metadata_asserts(program):
    """Removes the checks of shapes and types that export leaves in the graph:
    torch-mlir has no lowering for them and the shapes here are static."""
    import torch

    graph = program.graph_module.graph
    for node in list(graph.nodes):
        if node.target is torch.ops.aten._assert_tensor_metadata.default:
            graph.erase_node(node)
    program.graph_module.recompile()


def export_program(module, inputs):
    import torch
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    arguments = tuple(torch.from_numpy(a) for a in inputs)
    program = torch.export.export(module, arguments, strict=False)
    drop_metadata_asserts(program)
    return program.run_decompositions(get_decomposition_table())


def lower_program(program):
    """The text of the program as linalg on tensors."""
    from torch_mlir import fx

    # The table is empty because the program is decomposed already.
    module = fx.export_and_import(
        program,
        output_type="linalg-on-tensors",
        func_name="main",
        decomposition_table={},
    )
    return str(module) + "\n"


# --- What the program computes ----------------------------------------------


def run_in_double(program, inputs):
    """Runs the exported program with each floating-point type replaced by f64.
    The weights keep the values that f32 gave them."""
    import torch

    def widen(value):
        if isinstance(value, torch.dtype) and value.is_floating_point:
            return torch.float64
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            return value.detach().to(torch.float64)
        return value

    class DoubleInterpreter(torch.fx.Interpreter):
        def call_function(self, target, args, kwargs):
            args, kwargs = torch.utils._pytree.tree_map(widen, (args, kwargs))
            return widen(super().call_function(target, args, kwargs))

    stored = {**program.state_dict, **program.constants}
    arguments = iter(inputs)
    operands = []
    for spec in program.graph_signature.input_specs:
        if spec.target is None:
            operands.append(torch.from_numpy(next(arguments)))
        else:
            operands.append(widen(stored[spec.target]))
    with torch.no_grad():
        (result,) = DoubleInterpreter(program.graph_module).run(*operands)
    return result.numpy()


def describe(model, arrays):
    """The contents of expected.json."""

    def operand(key, name, array):
        types = {"int64": "i64", "float32": "f32"}
        return {
            "key": key,
            "name": name,
            "shape": list(array.shape),
            "type": types[str(array.dtype)],
        }

    return {
        "name": model.name,
        "source": "transformers LlamaForCausalLM, eager attention",
        "entry": "main",
        "config": {"class": "LlamaConfig", **model.config()},
        "dynamic": False,
        "inputs": [
            operand("in0", "input_ids", arrays["in0"]),
            operand("in1", "attention_mask", arrays["in1"]),
        ],
        "outputs": [operand("out0", "logits", arrays["out0"])],
        "expect": {
            "attention": model.layers,
            # The query and the key of each layer are rotated.
            "rotary": 2 * model.layers,
            "rotary_layout": "split-half",
            "frequencies": {
                "rule": "default",
                "base": model.rope_theta,
                "dim": model.head_dim,
            },
            "mask": ["causal", "padding"],
            "bias": "none",
            "positions": "iota",
            "kv_groups": model.query_heads // model.kv_heads,
            "softcap": None,
            "sinks": False,
            "qk_norm": False,
            "scale": model.head_dim**-0.5,
        },
        "must_not": ["alibi", "relative", "window", "chunk", "softcap", "sinks"],
        "tolerance": TOLERANCE,
    }


# --- Making and comparing ----------------------------------------------------


def make_graph(model, directory):
    """Writes the three files of a graph into `directory`."""
    import numpy as np
    import torch

    generator = np.random.Generator(np.random.PCG64(model.seed))
    module = build_module(model, generator)
    inputs = make_inputs(model, generator)
    program = export_program(module, inputs)
    with torch.no_grad():
        output = module(*(torch.from_numpy(a) for a in inputs)).numpy()
    reference = run_in_double(program, inputs)
    if not np.allclose(output, reference, **TOLERANCE):
        worst = np.abs(output - reference).max()
        sys.exit(f"error: {model.name}: f32 and f64 differ by {worst:.3g}")

    graph = lower_program(program)

    directory.mkdir(parents=True, exist_ok=True)
    (directory / "graph.mlir").write_text(graph)
    arrays = {"in0": inputs[0], "in1": inputs[1], "out0": output, "ref0": reference}
    np.savez_compressed(directory / "data.npz", **arrays)
    text = json.dumps(describe(model, arrays), indent=1) + "\n"
    (directory / "expected.json").write_text(text)


def compare_data(made, committed):
    """Inputs have to be equal, results equal within the tolerance."""
    import numpy as np

    with np.load(made) as new, np.load(committed) as old:
        if new.files != old.files:
            return f"arrays are {old.files}, expected {new.files}"
        for key in new.files:
            a, b = new[key], old[key]
            if a.shape != b.shape or a.dtype != b.dtype:
                return f"{key} is {b.dtype}{b.shape}, expected {a.dtype}{a.shape}"
            exact = key.startswith("in")
            if not (np.array_equal(a, b) if exact else np.allclose(a, b, **TOLERANCE)):
                return f"{key} differs"
    return None


def check_graph(model, output):
    """Makes a graph in a scratch folder; returns whether `output` holds it."""
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        made, committed = Path(scratch) / model.name, output / model.name
        make_graph(model, made)
        for name in ("graph.mlir", "data.npz", "expected.json"):
            if not (committed / name).exists():
                reason = "is missing"
            elif name == "data.npz":
                reason = compare_data(made / name, committed / name)
            else:
                same = filecmp.cmp(made / name, committed / name, shallow=False)
                reason = None if same else "differs"
            if reason:
                print(f"error: {committed / name}: {reason}", file=sys.stderr)
                good = False
    return good


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "graphs", nargs="*", metavar="GRAPH", help="graphs to make (default: all)"
    )
    parser.add_argument("--list", action="store_true", help="name the graphs and stop")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; compare with the files that are there, and fail where "
        "graph.mlir or expected.json differ or numbers differ beyond rounding",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "examples",
        metavar="DIR",
        help="folder that holds the graphs' folders (default: examples)",
    )
    parser.add_argument(
        "--venv",
        type=Path,
        default=ROOT / ".venv" / "models",
        metavar="DIR",
        help="virtual environment to make and use (default: .venv/models)",
    )
    parser.add_argument(
        "--no-venv",
        action="store_true",
        help="use the installed torch, transformers and torch-mlir",
    )
    parser.add_argument(
        "--pip-arg",
        action="append",
        default=[],
        metavar="ARG",
        help="argument to add to `pip install`; may be repeated",
    )
    arguments = parser.parse_args()
    known = [m.name for m in MODELS]
    for name in arguments.graphs:
        if name not in known:
            parser.error(f"no graph '{name}', expected one of: {', '.join(known)}")
    return arguments


def main():
    arguments = parse_arguments()
    if arguments.list:
        for model in MODELS:
            print(f"{model.name}: {len(model.lengths)} rows of {model.tokens} tokens")
        return 0
    if not arguments.no_venv:
        enter_environment(arguments.venv, arguments.pip_arg)

    # A configuration needs no files of a model hub: say so, so that nothing
    # waits for a network.
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        import torch
        import torch_mlir  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        print(f"error: {error}; see --help", file=sys.stderr)
        return 1
    # One thread adds in one order.
    torch.set_num_threads(1)

    good = True
    for model in MODELS:
        if arguments.graphs and model.name not in arguments.graphs:
            continue
        if arguments.check:
            good &= check_graph(model, arguments.output)
            continue
        make_graph(model, arguments.output / model.name)
        print(f"made {arguments.output / model.name}")
    if arguments.check and good:
        print("all graphs are as made")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
