"""The cases of the numeric tests: a name and a function that adds to a program.

Attention has too many options for all combinations. Its cases cover all pairs of
choices instead: whatever goes wrong between two of them shows in some case.
"""

import itertools
import random

import numeric_parts as parts
from numeric_parts import BIASES, MASKS, ROTATIONS, SCORES, Sizes
from numeric_program import TOLERANCES, accumulator_of

ELEMENTS = ["f32", "bf16", "f16", "f64"]

# Added to the seed of every choice: other numbers cover the same pairs by other rows.
SEED = 0


# -----------------------------------------------------------------------------
# Attention
# -----------------------------------------------------------------------------


class Attention:
    """The text of an attention, from parts that may be left out."""

    def __init__(self, q, k, v):
        self.q, self.k, self.v = q, k, v
        self.mask = self.bias = self.score = None
        self.query_tables = self.key_tables = None
        self.sinks = None
        self.attributes = []
        self.empty_row = "zero"
        self.lse = False
        self.lse_base = "natural"

    def add(self, p):
        """Adds it to the program; returns its results."""
        text = f"attn.attention query({self.q}) key({self.k}) value({self.v})"
        if self.bias:
            text += f" bias({self.bias})"
        if self.mask:
            text += f" mask({self.mask})"
        for name, tables in (("query", self.query_tables), ("key", self.key_tables)):
            if tables:
                cos, sin = tables
                text += f" rotate_{name}({cos.name}, {sin.name} : {cos.type}, {sin.type})"
        if self.sinks:
            text += f" sinks({self.sinks})"
        if self.empty_row != "zero":
            text += f" empty_row={self.empty_row}"
        if self.lse_base != "natural":
            text += f" lse_base={self.lse_base}"
        q, v = self.q, self.v
        inits = [p.empty(q.element, [(q, 0), (q, 1), (q, 2), (v, 3)])]
        if self.lse:
            accumulator = accumulator_of(q.element)
            inits.append(p.empty(accumulator, [(q, 0), (q, 1), (q, 2)]))
        attributes = f"{{{', '.join(self.attributes)}}}" if self.attributes else ""
        if self.score:
            attributes += f" {self.score}"
        return p.destination_op(text, inits, attributes)


def add_rotation(p, s, attention, name):
    """Rotates query and key, by the attention or in front of it. Returns whether
    what is rotated may be rounded to its type."""
    if not ROTATIONS[name]:
        return False
    where, which, layout, span, inverse, batches = ROTATIONS[name]
    first, pairs = span or (0, s.dk // 2)
    if pairs == 0 or first + 2 * pairs > s.dk:
        first, pairs = 0, s.dk // 2
    if pairs == 0:
        return False
    element = accumulator_of(attention.q.element)
    for side in which:
        tables = parts.tables(p, s, element, "sq" if side == "q" else "sk", pairs, batches)
        if where == "separate":
            x = attention.q if side == "q" else attention.k
            x = parts.rotary(p, x, *tables, layout, first)
            if side == "q":
                attention.q = x
            else:
                attention.k = x
            continue
        word = "query" if side == "q" else "key"
        setattr(attention, f"{word}_tables", tables)
        flags = f", first = {first}" if first else ""
        flags += ", inverse = true" if inverse else ""
        attention.attributes.append(f"{word}_rotation = #attn.rotation<{layout}{flags}>")
    # The op allows a rotated key to be rounded to its type.
    return where == "separate" or "k" in which


def make_inputs(p, s, element):
    return Attention(
        s.input(p, element, ["b", "hq", "sq", "dk"]),
        s.input(p, element, ["b", "hk", "sk", "dk"]),
        s.input(p, element, ["b", "hk", "sk", "dv"]),
    )


def add_attention(p, c):
    element = c["element"]
    s = Sizes(c["batches"], c["heads"], c["queries"], c["keys"], c["dims"], c["dynamic"])
    attention = make_inputs(p, s, element)
    if MASKS[c["mask"]]:
        attention.mask = MASKS[c["mask"]](p, s)
    if BIASES[c["bias"]]:
        attention.bias = BIASES[c["bias"]](p, s, element)
    if c["scale"] is not None:
        attention.attributes.append(f"scale = {c['scale']} : f64")
    if c.get("plan"):
        names = zip(("query_block", "key_block", "rows"), c["plan"])
        plan = ", ".join(f"{name} = {number}" for name, number in names)
        attention.attributes.append(f"plan = #attn.plan<{plan}>")
    if c["softcap"] is not None:
        attention.attributes.append(f"softcap = {c['softcap']} : f64")
    if SCORES[c["score"]]:
        attention.score = SCORES[c["score"]](p, s, accumulator_of(element))
    rounded = add_rotation(p, s, attention, c["rotation"])
    attention.empty_row = c["empty_row"]
    attention.lse = bool(c["lse"])
    attention.lse_base = c["lse"] or "natural"
    if c["sinks"]:
        kind = element if c["sinks"] == "element" else c["sinks"]
        attention.sinks = s.input(p, kind, ["hq"], low=-2, high=2)
    if c["early_bias"]:
        attention.attributes.append("bias_before_scale")
    # Not wider than the accumulators, by the op.
    for name in ("prob_type", "softmax_type"):
        if c[name]:
            attention.attributes.append(f"{name} = {c[name]}")
    output, *lse = attention.add(p)
    # Scores that are rounded may be one step apart, of the size of the score.
    scores = 4 * TOLERANCES.get(c["softmax_type"], 0.0)
    weights = max(scores, TOLERANCES.get(c["prob_type"], 0.0))
    # Rotated 16-bit numbers may be rounded before they meet, and scores of
    # random tables are large.
    factor = 4 if rounded and element in ("f16", "bf16") else 1
    p.result("output", output, max(TOLERANCES[element] * factor, weights))
    if lse:
        rounds = rounded and element in ("f16", "bf16")
        tolerance = TOLERANCES[element if rounds else lse[0].element]
        p.result("lse", lse[0], max(tolerance * factor, scores))


# Masks and biases decide how many cases there are: all of them would make three times
# as many. Those that are left out differ little from one that is in. They are in a
# grid of their own (SYMBOLS), with fewer options; the mean and the materialised
# elements of all are compared too.
LEFT_OUT = ["causal-batch", "window-right", "tensor-batches", "tensor-block"]
LEFT_OUT += ["padding-one", "not-causal", "not-window", "generate"]
LEFT_OUT += ["chunk", "chunk-scalar", "document-random", "prefix-scalar"]
LEFT_OUT += ["not-chunk", "not-document", "or-document"]
LEFT_OUT += ["heads", "alibi-slopes", "slice", "alibi-plain", "t5-causal"]
LEFT_OUT += ["toeplitz-batch", "window-offset"]
GRID_MASKS = [name for name in MASKS if name not in LEFT_OUT]
GRID_BIASES = [name for name in BIASES if name not in LEFT_OUT]

CHOICES = {
    "element": ELEMENTS,
    "batches": [1, 2, 3],
    "heads": [(1, 1), (4, 4), (4, 2), (4, 1), (3, 1), (6, 3)],
    "queries": [1, 3, 16, 17, 33, 65, 130],
    "keys": [1, 5, 16, 17, 33, 65, 130],
    "dims": [(1, 1), (2, 3), (8, 8), (16, 16), (7, 5), (64, 64), (33, 20)],
    "dynamic": ["none", "lengths", "all"],
    "mask": GRID_MASKS,
    "bias": GRID_BIASES,
    "scale": [None, 0.3, -0.7, 0.0],
    "softcap": [None, 4.0],
    "score": list(SCORES),
    "rotation": list(ROTATIONS),
    "empty_row": ["zero", "nan", "mean"],
    "lse": [None, "natural", "two"],
    "sinks": [None, "f32", "element"],
    "early_bias": [False, True],
    "prob_type": [None, "bf16", "f16", "f32"],
    "softmax_type": [None, "bf16", "f16"],
}


# What is left out, alone in an attention, with what decides how its code looks.
SYMBOLS = {
    "symbol": [("mask", name) for name in MASKS if name in LEFT_OUT]
    + [("bias", name) for name in BIASES if name in LEFT_OUT],
    "element": ELEMENTS,
    "batches": [1, 2],
    "heads": [(4, 2), (1, 1), (3, 1)],
    "queries": [1, 17, 65],
    "keys": [5, 33, 130],
    "dynamic": ["none", "lengths", "all"],
    "empty_row": ["zero", "nan", "mean"],
}


def cover_pairs(choices, seed):
    """Rows such that each pair of choices of two different options is in one."""
    rng = random.Random(seed + SEED)
    names = list(choices)
    places = {name: at for at, name in enumerate(names)}
    missing = {}
    for a, b in itertools.combinations(names, 2):
        for x, y in itertools.product(choices[a], choices[b]):
            missing[a, x, b, y] = True

    def key(a, x, b, y):
        return (a, x, b, y) if places[a] < places[b] else (b, y, a, x)

    rows = []
    while missing:
        a, x, b, y = next(iter(missing))
        row = {a: x, b: y}
        rest = [name for name in names if name not in row]
        rng.shuffle(rest)
        for name in rest:
            options = list(choices[name])
            rng.shuffle(options)
            # Code for sizes that are all open takes long to compile: only where a
            # pair asks for them.
            options.sort(key=lambda z: (name, z) == ("dynamic", "all"))
            row[name] = max(
                options,
                key=lambda z: sum(key(name, z, n, v) in missing for n, v in row.items()),
            )
        for a, b in itertools.combinations(names, 2):
            missing.pop((a, row[a], b, row[b]), None)
        rows.append(row)
    return rows


def add_symbol(p, c):
    kind, name = c["symbol"]
    base = {option: values[0] for option, values in CHOICES.items()}
    base.update(c, dims=(8, 8))
    base[kind] = name
    add_attention(p, base)


def attention_cases():
    cases = {}
    for at, row in enumerate(cover_pairs(CHOICES, seed=2026)):
        name = f"attention-{row['element']}-{at:03}-{row['mask']}-{row['bias']}"
        cases[name] = lambda p, row=row: add_attention(p, row)
    for at, row in enumerate(cover_pairs(SYMBOLS, seed=2026)):
        _, symbol = row["symbol"]
        name = f"attention-{row['element']}-only-{at:03}-{symbol}"
        cases[name] = lambda p, row=row: add_symbol(p, row)
    return cases


def zero_cases():
    """Sizes of zero, with each mask, and in each place."""
    base = {name: options[0] for name, options in CHOICES.items()}
    base.update(batches=2, heads=(4, 2), queries=5, keys=7, dims=(4, 4), lse="two")
    cases = {}
    policies = itertools.cycle(CHOICES["empty_row"])
    dynamic = itertools.cycle(CHOICES["dynamic"])
    elements = itertools.cycle(ELEMENTS)
    for mask in MASKS:
        row = dict(base, mask=mask, keys=0, empty_row=next(policies))
        row["dynamic"] = next(dynamic) if mask != "none" else "none"
        cases[f"zero-keys-{mask}"] = row
    for at, (place, value) in enumerate(
        [("queries", 0), ("dims", (0, 4)), ("dims", (4, 0)), ("batches", 0)]
        + [("heads", (0, 1)), ("heads", (0, 2))]
    ):
        for open_sizes in ("none", "all"):
            for mask in ("none", "causal-batch", "tensor-keys"):
                row = dict(base, mask=mask, dynamic=open_sizes, **{place: value})
                cases[f"zero-{place}-{at}-{mask}-{open_sizes}"] = row
    for bias in BIASES:
        cases[f"zero-keys-bias-{bias}"] = dict(base, bias=bias, keys=0)
    for policy in CHOICES["empty_row"]:
        row = dict(base, mask="causal", sinks="element", empty_row=policy, keys=0)
        cases[f"zero-keys-sinks-{policy}"] = row
    for at, rotation in enumerate(ROTATIONS):
        place = ["keys", "queries"][at % 2]
        cases[f"zero-{place}-{rotation}"] = dict(base, rotation=rotation, **{place: 0})
    for row in cases.values():
        row["element"] = next(elements)
    return {n: lambda p, row=row: add_attention(p, row) for n, row in cases.items()}


# -----------------------------------------------------------------------------
# Encodings
# -----------------------------------------------------------------------------


def add_positions(p, c):
    s = Sizes(c["batches"], (1, 1), c["tokens"], 1, (1, 1), c["dynamic"])
    shape = s.input(p, "f32", ["b", "sq"])
    text = "attn.positions"
    if c["offset"] == "scalar":
        text += f" offset({p.index_input(-5, 40)} : index)"
    elif c["offset"] != "none":
        names = ["b"] if c["offset"] == "batch" else [1]
        text += f" offset({s.input(p, c['integer'], names, low=-5, high=40)})"
    if c["padding"] in ("batch", "one"):
        names = ["b"] if c["padding"] == "batch" else [1]
        text += f" left_padding({s.input(p, 'i64', names, low=0, high=9)})"
    elif c["padding"] != "none":
        # Ids of few values, so that there are runs; a tile has tokens before it.
        names = ["b" if c["padding"] == "segments" else 1, "sq"]
        if c["first"]:
            names[1] = c["tokens"] + 9
        text += f" segments({s.input(p, c['integer'], names, low=0, high=2)})"
    if c["first"]:
        text += f" first({p.index_input(0, 9)})"
    p.result("positions", p.destination_op(text, [p.empty_like(shape, c["integer"])])[0])


def add_learned(p, c):
    s = Sizes(c["batches"], (1, 1), c["tokens"], 19, (c["features"], 1), c["dynamic"])
    table = s.input(p, c["element"], ["sk", "dk"])
    beyond = 6 if c["out_of_range"] == "clamp" else 0
    low, high = -beyond, 19 + beyond
    positions = s.input(p, c["integer"], ["b", "sq"], low=low, high=high)
    out = p.empty(c["element"], [(positions, 0), (positions, 1), (table, 1)])
    text = f"attn.learned_position table({table}) positions({positions})"
    text += f" out_of_range={c['out_of_range']}"
    p.result("rows", p.destination_op(text, [out])[0], 0.0)


RULES = {
    "default": "base = 10000.0",
    "linear": "base = 10000.0, factor = 4.0",
    "llama3": "base = 500000.0, factor = 8.0, low_freq_factor = 1.0, "
    "high_freq_factor = 4.0, original_length = 64.0",
    "yarn": "base = 10000.0, factor = 16.0, original_length = 128.0, "
    "beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0",
    "ntk": "base = 10000.0, alpha = 8.0",
    "ntk_two_step": "base = 10000.0, factor = 8.0",
    "ntk_mixed": "base = 10000.0, factor = 8.0, exponent = 0.625",
    "dynamic_ntk": "base = 10000.0, factor = 4.0, original_length = 64.0",
    "longrope": "base = 10000.0, original_length = 64.0, short = [{short}], long = [{long}]",
    "proportional": "base = 10000.0, factor = 2.0, pairs = {half}",
}


def rule(name, pairs):
    numbers = {
        "short": ", ".join(f"{1 + 0.25 * at}" for at in range(pairs)),
        "long": ", ".join(f"{2 + 1.5 * at}" for at in range(pairs)),
        "half": (pairs + 1) // 2,
    }
    text = RULES[name].format(**numbers)
    return f"#attn.frequencies<{name}, dim = {2 * pairs}, {text}>"


def sections(order, pairs):
    """Three axes, of as many pairs as nearly as possible."""
    third = pairs // 3
    return f"#attn.sections<{order}, [{pairs - 2 * third}, {third}, {third}]>"


def add_table(p, c):
    s = Sizes(c["batches"], (1, 1), c["tokens"], 1, (1, 1), c["dynamic"])
    pairs, order = c["pairs"], c["sections"]
    # Their frequencies do not start anew.
    if order == "axial" and c["rule"] in ("given", "longrope", "proportional"):
        order = "chunked"
    axes = [3] if order else []
    names = axes + ["b", "sq"]
    positions = s.input(p, c["integer"], names, low=0, high=c["positions"])
    text = f"attn.rotary_table positions({positions})"
    if c["rule"] == "given":
        given = p.input("f32", [pairs], low=0, high=1)
        text += f" frequencies({given})"
    else:
        text += f" rule({rule(c['rule'], pairs)})"
    if order:
        text += f" sections({sections(order, pairs)})"
    if c["rule"] in ("dynamic_ntk", "longrope"):
        text += f" length({p.index_input(*c['length'])})"
    text += f" angles={c['angles']}"
    at = len(axes)
    inits = [
        p.empty(c["element"], [(positions, at), (positions, at + 1), pairs])
        for _ in range(2)
    ]
    attributes = f"{{magnitude = {c['magnitude']} : f64}}"
    cos, sin = p.destination_op(text, inits, attributes)
    # The op promises 2e-6 whatever the type; narrow types round their result.
    tolerance = max(2e-6, {"f16": 5e-4, "bf16": 4e-3}.get(c["element"], 0))
    p.result("cos", cos, tolerance)
    p.result("sin", sin, tolerance)


def add_sinusoidal(p, c):
    dims = (c["features"], 1)
    s = Sizes(c["batches"], (1, 1), c["tokens"], 1, dims, c["dynamic"])
    shape = s.input(p, "f32", ["b", "sq", "dk"])
    high = 4096 if c["angles"] == "f32" else 1 << 24
    positions = s.input(p, c["position"], ["b", "sq"], low=0, high=high)
    text = f"attn.sinusoidal {c['layout']} positions({positions})"
    text += f" denominator={c['denominator']}"
    text += " cosine_first" if c["cosine_first"] else ""
    text += f" angles={c['angles']}"
    attributes = f"{{base = {c['base']} : f64, position_scale = {c['scale']} : f64}}"
    init = p.empty_like(shape, c["element"])
    encoding = p.destination_op(text, [init], attributes)[0]
    tolerance = max(2e-6, {"f16": 5e-4, "bf16": 4e-3}.get(c["element"], 0))
    p.result("encoding", encoding, tolerance)


def add_rotary(p, c):
    dims = (c["features"], 1)
    s = Sizes(c["batches"], (c["heads"], 1), c["tokens"], 1, dims, c["dynamic"])
    first, pairs = c["range"]
    pairs = min(pairs, c["features"] // 2)
    first = min(first, c["features"] - 2 * pairs)
    x = s.input(p, c["element"], ["b", "hq", "sq", "dk"])
    batches = "b" if c["table"] == "batch" else 1
    cos, sin = parts.tables(p, s, c["table_element"], "sq", pairs, batches)
    layout = c["layout"] + (f" to {c['layout_out']}" if c["layout_out"] else "")
    layout += " inverse" if c["inverse"] else ""
    p.result("rotated", parts.rotary(p, x, cos, sin, layout, first))


def add_materialized(p, c):
    s = Sizes(c["batches"], (c["heads"], 1), c["queries"], c["keys"], (1, 1), c["dynamic"])
    shape = s.input(p, "f32", ["b", "hq", "sq", "sk"])
    name = c["name"]
    if c["source"] == "mask":
        source, kind, element = MASKS[name](p, s), "mask", "i1"
    else:
        element = c["element"]
        source, kind = BIASES[name](p, s, element), "bias"
    text = f"attn.materialize {source} : !attn.{kind}"
    out = p.destination_op(text, [p.empty_like(shape, element)])[0]
    # Distances of more than a hundred times a slope, rounded to the type.
    p.result(kind, out)


COMMON = {
    "batches": [1, 2, 3],
    "tokens": [1, 3, 17, 65, 0],
    "dynamic": ["none", "lengths", "all"],
}


def encoding_cases():
    families = [
        (
            "positions",
            add_positions,
            {
                "offset": ["none", "scalar", "batch", "one"],
                "padding": ["none", "batch", "one", "segments", "segments-one"],
                "first": [False, True],
                "integer": ["i64", "i32"],
            },
        ),
        (
            "learned",
            add_learned,
            {
                "element": ELEMENTS,
                "integer": ["i64", "i32"],
                "features": [1, 5, 32, 0],
                "out_of_range": ["trap", "clamp"],
            },
        ),
        (
            "sinusoidal",
            add_sinusoidal,
            {
                "element": ELEMENTS,
                "position": ["i64", "i32", "f32", "f64"],
                "features": [1, 2, 3, 16, 33, 0],
                "layout": ["interleaved", "concatenated"],
                "denominator": ["full", "minus_two"],
                "cosine_first": [False, True],
                "angles": ["exact", "f32"],
                "base": [10000.0, 1.0, 0.5],
                "scale": [1.0, 0.25, -1.0],
            },
        ),
        (
            "table",
            add_table,
            {
                "element": ["f32", "f64", "f16", "bf16"],
                "rule": [*RULES, "given"],
                "sections": [None, "chunked", "interleaved", "axial"],
                "length": [(1, 64), (65, 300), (64, 66)],
                "angles": ["exact", "f32"],
                "integer": ["i64", "i32"],
                "positions": [64, 4096, 1 << 24],
                "pairs": [1, 3, 16, 32],
                "magnitude": [1.0, 0.75],
            },
        ),
        (
            "rotary",
            add_rotary,
            {
                "element": ELEMENTS,
                "table_element": ["f32", "f64", "bf16"],
                "layout": ["interleaved", "split_half"],
                "layout_out": [None, "split_half", "interleaved"],
                "inverse": [False, True],
                "range": [(0, 99), (0, 2), (3, 2), (1, 8)],
                "table": ["one", "batch"],
                "heads": [1, 4],
                "features": [2, 7, 16, 33, 64],
            },
        ),
    ]
    cases = {}
    for name, add, choices in families:
        choices = dict(COMMON, **choices)
        for at, row in enumerate(cover_pairs(choices, seed=7)):
            cases[f"{name}-{at:03}"] = lambda p, add=add, row=row: add(p, row)
    shapes = itertools.cycle([(1, 5, 7), (2, 17, 16), (3, 1, 33), (2, 6, 0), (1, 20, 3)])
    dynamic = itertools.cycle(CHOICES["dynamic"] + ["none"])
    elements = itertools.cycle(["f32", "f64", "bf16"])
    for kind, table in (("mask", MASKS), ("bias", BIASES)):
        for name in table:
            if name == "none":
                continue
            batches, queries, keys = next(shapes)
            row = {"source": kind, "name": name, "heads": 3, "element": next(elements)}
            row.update(batches=batches, queries=queries, keys=keys, dynamic=next(dynamic))
            cases[f"materialize-{kind}-{name}"] = (
                lambda p, row=row: add_materialized(p, row)
            )
    return cases
