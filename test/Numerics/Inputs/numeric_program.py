"""Builds functions of attn ops as text, argument by argument and op by op."""

# Tolerances, absolute and relative, of results against the interpreter, which
# computes in double precision and rounds nothing between its inputs and its
# results. f64 and f32 leave room for sums of a hundred products in another
# order and for exponentials of approximated scores. The 16-bit types accumulate
# in f32, so what is seen is the rounding of the result (2^-11 and 2^-8 of it at
# the most) and, where a graph rounds rotated queries and keys, theirs.
TOLERANCES = {"f64": 1e-12, "f32": 2e-5, "f16": 2e-3, "bf16": 2e-2}

NAN = {"f64": "0x7FF8000000000000", "f32": "0x7FC00000", "f16": "0x7E00", "bf16": "0x7FC0"}
LOWEST = {"f64": "0xFFF0000000000000", "f32": "0xFF800000", "f16": "0xFC00", "bf16": "0xFF80"}


def accumulator_of(element):
    """The type that sums of `element` are held in."""
    return "f64" if element == "f64" else "f32"


class Tensor:
    """An SSA value of a ranked tensor type; sizes are known to the test only."""

    def __init__(self, name, element, sizes, dynamic):
        self.name = name
        self.element = element
        self.sizes = list(sizes)
        self.dynamic = list(dynamic)

    @property
    def type(self):
        dims = ["?" if d else str(s) for s, d in zip(self.sizes, self.dynamic)]
        return f"tensor<{'x'.join(dims + [self.element])}>"

    def __str__(self):
        return f"{self.name} : {self.type}"


class Result:
    """A result of the program: what it is called and how close it must be."""

    def __init__(self, case, name, tensor, tolerance):
        self.case = case
        self.name = name
        self.tensor = tensor
        self.tolerance = tolerance
        # A result that must equal this one on every path, the interpreter's
        # included, and within which tolerance.
        self.same_as = None
        self.same_tolerance = None
        # Not compiled: it only says what the interpreter's other result must be.
        self.reference_only = False


class Program:
    def __init__(self):
        self.count = 0
        self.case = None
        self.args = []
        self.shapes = []
        self.ranges = []
        self.lines = []
        self.results = []

    # Arguments.

    def input(self, element, sizes, dynamic=None, low=None, high=None):
        dynamic = dynamic or [False] * len(sizes)
        name = f"%arg{len(self.args)}"
        tensor = Tensor(name, element, sizes, dynamic)
        if any(dynamic):
            dims = "x".join(str(size) for size in sizes)
            self.shapes.append(f"in{len(self.args)}={dims}")
        if low is not None:
            self.ranges.append(f"in{len(self.args)}={low}:{high}")
        self.args.append(f"{name}: {tensor.type}")
        return tensor

    def index_input(self, low, high):
        name = f"%arg{len(self.args)}"
        self.ranges.append(f"in{len(self.args)}={low}:{high}")
        self.args.append(f"{name}: i64")
        return self.op(f"arith.index_cast {name} : i64 to index")

    # Statements.

    def new_name(self):
        self.count += 1
        return f"%v{self.count}"

    def op(self, text):
        name = self.new_name()
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, text, element="index"):
        suffix = "" if element == "i1" else f" : {element}"
        return self.op(f"arith.constant {text}{suffix}")

    def dim(self, tensor, dimension):
        if not tensor.dynamic[dimension]:
            return self.constant(tensor.sizes[dimension])
        at = self.constant(dimension)
        return self.op(f"tensor.dim {tensor.name}, {at} : {tensor.type}")

    def empty(self, element, dims):
        """`dims` are sizes, or (tensor, dimension) for that of a tensor."""
        sizes, dynamic, values = [], [], []
        for dim in dims:
            if isinstance(dim, int):
                sizes.append(dim)
                dynamic.append(False)
                continue
            tensor, at = dim
            sizes.append(tensor.sizes[at])
            dynamic.append(tensor.dynamic[at])
            if dynamic[-1]:
                values.append(self.dim(tensor, at))
        result = Tensor(None, element, sizes, dynamic)
        result.name = self.op(f"tensor.empty({', '.join(values)}) : {result.type}")
        return result

    def empty_like(self, tensor, element=None):
        dims = [(tensor, at) for at in range(len(tensor.sizes))]
        return self.empty(element or tensor.element, dims)

    def filled(self, element, dims, value):
        """A new tensor whose elements are all `value`."""
        init = self.empty(element, dims)
        value = self.constant(value, element)
        init.name = self.op(f"linalg.fill ins({value} : {element}) outs({init}) -> {init.type}")
        return init

    def widen(self, value, element):
        """A number of type `element` as one of its accumulator's."""
        wide = accumulator_of(element)
        if element == wide:
            return value
        return self.op(f"arith.extf {value} : {element} to {wide}")

    def destination_op(self, text, inits, attributes=""):
        """An op with destinations; returns its results."""
        names = ", ".join(init.name for init in inits)
        types = ", ".join(init.type for init in inits)
        attributes = f" {attributes}" if attributes else ""
        name = self.new_name()
        number = f":{len(inits)}" if len(inits) > 1 else ""
        self.lines.append(f"{name}{number} = {text} outs({names} : {types}){attributes}")
        results = []
        for at, init in enumerate(inits):
            suffix = f"#{at}" if len(inits) > 1 else ""
            results.append(Tensor(name + suffix, init.element, init.sizes, init.dynamic))
        return results

    def elementwise(self, init, body, inputs=(), maps=None, kinds=None):
        """A linalg.generic with `init` as destination. `body` gets the builder of
        the body, the input elements and the output's, and gives the result."""
        rank = len(kinds) if kinds else len(init.sizes)
        dims = ", ".join(f"d{d}" for d in range(rank))
        maps = maps or [dims] * (len(inputs) + 1)
        maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)
        kinds = ", ".join(f'"{kind}"' for kind in kinds or ["parallel"] * rank)
        arguments = [self.new_name() for _ in range(len(inputs) + 1)]
        types = [tensor.element for tensor in inputs] + [init.element]
        header = ", ".join(f"{a}: {t}" for a, t in zip(arguments, types))
        ins = ""
        if inputs:
            names = ", ".join(tensor.name for tensor in inputs)
            ins = f"ins({names} : {', '.join(tensor.type for tensor in inputs)}) "
        outer, self.lines = self.lines, []
        value = body(*arguments)
        inner, self.lines = self.lines, outer
        name = self.new_name()
        self.lines.append(
            f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = "
            f"[{kinds}]}} {ins}outs({init} ) {{"
        )
        self.lines.append(f"^bb0({header}):")
        self.lines += ["  " + line for line in inner]
        self.lines.append(f"  linalg.yield {value} : {init.element}")
        self.lines.append(f"}} -> {init.type}")
        return Tensor(name, init.element, init.sizes, init.dynamic)

    def index(self, dimension):
        return self.op(f"linalg.index {dimension} : index")

    def region(self, op, arguments, body):
        """An op that ends with a region, as lines; `body` gives (value, type)."""
        names = [self.new_name() for _ in arguments]
        header = ", ".join(f"{n}: {t}" for n, t in zip(names, arguments))
        outer, self.lines = self.lines, []
        value, kind = body(*names)
        inner, self.lines = self.lines, outer
        lines = [f"{op} {{", f"^bb0({header}):"]
        lines += ["  " + line for line in inner]
        lines += [f"  attn.yield {value} : {kind}", "}"]
        return "\n  ".join(lines)

    # Results.

    def result(self, name, tensor, tolerance=None):
        if tolerance is None:
            tolerance = TOLERANCES.get(tensor.element, 0.0)
        result = Result(self.case, name, tensor, tolerance)
        self.results.append(result)
        return result

    def same(self, name, first, second, tolerance=None, reference_only=False):
        """Both are results, which must also equal each other. With
        `reference_only`, the second is not compiled: what is compiled must equal
        the first of the interpreter, which must equal its second."""
        expected = self.result(name, first, tolerance)
        result = self.result(name + "'", second, tolerance)
        result.same_as = expected
        # Each may be off by its own rounding.
        result.same_tolerance = 2 * result.tolerance
        result.reference_only = reference_only

    def results_on(self, path):
        if path == "reference":
            return self.results
        return [result for result in self.results if not result.reference_only]

    def text(self, path):
        """The function for a path. What only feeds results that are left out is
        dead, and goes before anything is compiled."""
        results = self.results_on(path)
        types = ", ".join(result.tensor.type for result in results)
        values = ", ".join(result.tensor.name for result in results)
        body = "\n".join("  " + line for line in self.lines)
        return (
            f"func.func @main({', '.join(self.args)}) -> ({types}) {{\n{body}\n"
            f"  return {values} : {types}\n}}\n"
        )

    def flags(self):
        """How attn-run makes the inputs."""
        flags = []
        if self.shapes:
            flags.append("--shapes=" + ",".join(self.shapes))
        if self.ranges:
            flags.append("--random-range=" + ",".join(self.ranges))
        return flags
