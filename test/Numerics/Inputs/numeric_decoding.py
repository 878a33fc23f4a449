"""Caches, merges of partial attention, sinks and losses: each op with its options,
and what must hold between them."""

import itertools

from numeric_cases import COMMON, ELEMENTS, cover_pairs, make_inputs
from numeric_parts import Sizes
from numeric_program import LOWEST, NAN, TOLERANCES, accumulator_of
from numeric_properties import attend, parts_tensor, slice_rows


def append(p, cache, new, start, ring=False):
    text = f"attn.cache_append new({new}) start({start})" + (" ring" if ring else "")
    return p.destination_op(text, [cache])[0]


def merge(p, parts, lse=True, base="natural", policy="zero", element=None):
    """`parts` are pairs of an output and a log-sum-exp."""
    outputs, lses = zip(*parts)
    names = [", ".join(t.name for t in group) for group in (outputs, lses)]
    types = [", ".join(t.type for t in group) for group in (outputs, lses)]
    text = f"attn.merge partials({names[0]} : {types[0]}) lses({names[1]} : {types[1]})"
    text += f" empty_row={policy} lse_base={base}"
    inits = [p.empty_like(outputs[0], element)]
    if lse:
        inits.append(p.empty_like(lses[0]))
    return p.destination_op(text, inits)


# -----------------------------------------------------------------------------
# Each op
# -----------------------------------------------------------------------------


def add_append(p, c):
    tokens = c["tokens"]
    capacity = max(tokens + c["room"], 1)
    s = Sizes(c["batches"], (3, 3), tokens, capacity, (c["features"], 1), c["dynamic"])
    cache = s.input(p, c["element"], ["b", "hk", "sk", "dk"])
    new = s.input(p, c["element"], ["b", "hk", "sq", "dk"])
    high = 3 * capacity if c["ring"] else capacity - tokens + 1
    if c["start"] == "scalar":
        start = f"{p.index_input(0, high)} : index"
    else:
        names = ["b"] if c["start"] == "batch" else [1]
        start = s.input(p, c["integer"], names, low=0, high=high)
    p.result("cache", append(p, cache, new, start, c["ring"]), 0.0)


def add_merge(p, c):
    s = Sizes(c["batches"], (2, 2), c["tokens"], 1, (1, c["features"]), c["dynamic"])
    wide = accumulator_of(c["element"])
    parts = []
    for _ in range(c["parts"]):
        output = s.input(p, c["element"], ["b", "hq", "sq", "dv"])
        lse = s.input(p, wide, ["b", "hq", "sq"], low=-9, high=9)
        lowest = p.constant(LOWEST[wide], wide)
        limit = p.constant("-3.0", wide)

        def absent(number, _, limit=limit, lowest=lowest):
            none = p.op(f"arith.cmpf olt, {number}, {limit} : {wide}")
            return p.op(f"arith.select {none}, {lowest}, {number} : {wide}")

        def poison(number, value, _, limit=limit):
            none = p.op(f"arith.cmpf olt, {number}, {limit} : {wide}")
            nan = p.constant(NAN[c["element"]], c["element"])
            return p.op(f"arith.select {none}, {nan}, {value} : {c['element']}")

        every = "d0, d1, d2, d3"
        output = p.elementwise(
            p.empty_like(output), poison, [lse, output], ["d0, d1, d2", every, every]
        )
        parts.append((output, p.elementwise(p.empty_like(lse), absent, [lse])))
    element = c["output"] or c["element"]
    results = merge(p, parts, c["lse"], c["base"], c["policy"], element)
    tolerance = max(TOLERANCES[element], TOLERANCES[wide])
    p.result("output", results[0], tolerance)
    if c["lse"]:
        p.result("lse", results[1])


def add_loss(p, c):
    s = Sizes(c["batches"], (1, 1), c["tokens"], c["classes"], (1, 1), c["dynamic"])
    logits = s.input(p, c["element"], ["sq", "sk"], low=-20, high=20)
    low, high = {"few": (-1, c["classes"]), "none": (0, c["classes"]), "all": (-1, 0)}[
        c["ignored"]
    ]
    targets = s.input(p, c["integer"], ["sq"], low=low, high=high)
    text = f"attn.cross_entropy logits({logits}) targets({targets}) ignore_index -1"
    text += f" all_ignored={c['all_ignored']}"
    init = p.empty(accumulator_of(c["element"]), [])
    p.result("loss", p.destination_op(text, [init])[0])


# -----------------------------------------------------------------------------
# What holds between them
# -----------------------------------------------------------------------------


def split_keys(element, base, sinks):
    """Attention over parts of the keys, merged, is attention over all. The first
    part carries the sink; queries without a key in a part are empty there."""

    def add(p):
        s = Sizes(2, (4, 2), 33, 60, (16, 12))
        a = make_inputs(p, s, element)
        sink = s.input(p, "f32", ["hq"], low=-2, high=2) if sinks else None
        mask = p.op(f"attn.mask.causal offset({p.constant(-3)} : index)")
        options = {"lse": True, "lse_base": base}
        whole = attend(p, a.q, a.k, a.v, mask, sinks=sink, **options)
        parts = []
        zero = p.constant(0)
        for first, count in ((0, 7), (7, 23), (30, 30)):
            k, v = slice_rows(p, a.k, first, count), slice_rows(p, a.v, first, count)
            place = f"[{zero}, {zero}, {zero}, {p.constant(first)}]"
            part_mask = p.op(f"attn.mask.slice {mask}{place}")
            part_sink = sink if first == 0 else None
            parts.append(attend(p, a.q, k, v, part_mask, sinks=part_sink, **options))
        merged = merge(p, parts, base=base)
        p.same("rows", whole[0], merged[0])
        p.same("lse", whole[1], merged[1])

    return add


def bases(element):
    """The bases of log-sum-exps differ by a factor."""

    def add(p):
        a = make_inputs(p, Sizes(2, (4, 2), 17, 30, (8, 8)), element)
        mask = p.op(f"attn.mask.causal offset({p.constant(-2)} : index)")
        natural = attend(p, a.q, a.k, a.v, mask, lse=True)[1]
        two = attend(p, a.q, a.k, a.v, mask, lse=True, lse_base="two")[1]
        wide = accumulator_of(element)

        def scale(number, _):
            factor = p.constant("0.693147180559945309", wide)
            return p.op(f"arith.mulf {number}, {factor} : {wide}")

        p.same("lse", natural, p.elementwise(p.empty_like(two), scale, [two]))

    return add


def sink_is_key(element):
    """A sink is one more key, of that score and with a value of zero; a query that
    keeps no other key has the sink alone."""

    def add(p):
        s = Sizes(2, (4, 2), 21, 30, (8, 6))
        a = make_inputs(p, s, element)
        sinks = s.input(p, element, ["hq"], low=-2, high=2)
        mask = p.op(f"attn.mask.causal offset({p.constant(-1)} : index)")
        with_sinks = attend(p, a.q, a.k, a.v, mask, sinks=sinks, lse=True)

        def extend(x):
            longer = p.filled(element, [2, 2, 31, x.sizes[3]], "0.0")
            result = parts_tensor(longer, longer.sizes)
            result.name = p.op(
                f"tensor.insert_slice {x.name} into {longer.name}[0, 0, 1, 0] "
                f"[2, 2, 30, {x.sizes[3]}] [1, 1, 1, 1] : {x.type} into {longer.type}"
            )
            return result

        def score(sink, _):
            zero, none = p.constant(0), p.constant("0.0", element)
            first = p.op(f"arith.cmpi eq, {p.index(3)}, {zero} : index")
            return p.op(f"arith.select {first}, {sink}, {none} : {element}")

        bias = p.elementwise(
            p.empty(element, [1, 4, 1, 31]), score, [sinks], ["d1", "d0, d1, d2, d3"]
        )
        bias = p.op(f"attn.bias.tensor {bias}")
        mask = p.op("attn.mask.causal")
        keys = attend(p, a.q, extend(a.k), extend(a.v), mask, bias=bias, lse=True)
        p.same("rows", with_sinks[0], keys[0])
        p.same("lse", with_sinks[1], keys[1])

    return add


def strange_sinks(element, policy):
    """NaN, infinities and the numbers at both ends, with and without keys."""

    def add(p):
        a = make_inputs(p, Sizes(1, (6, 2), 20, 30, (8, 6)), element)
        infinity = LOWEST[element].replace("F", "7", 1)
        numbers = [NAN[element], infinity, LOWEST[element], "3.0e4", "-3.0e4", "0.0"]
        text = f"dense<[{', '.join(numbers)}]> : tensor<6x{element}>"
        sinks = parts_tensor(a.q, [6])
        sinks.name = p.op(f"arith.constant {text}")
        mask = p.op(f"attn.mask.causal offset({p.constant(-3)} : index)")
        for what, k, v in (
            ("keys", a.k, a.v),
            ("no keys", slice_rows(p, a.k, 0, 0), slice_rows(p, a.v, 0, 0)),
        ):
            for name, chosen in (("masked", mask), ("open", None)):
                options = {"sinks": sinks, "lse": True, "empty_row": policy}
                rows, lse = attend(p, a.q, k, v, chosen, **options)
                p.result(f"rows, {what}, {name}", rows)
                p.result(f"lse, {what}, {name}", lse)

    return add


def early_bias(element, scale):
    """A bias before the scale is one that is scaled."""

    def add(p):
        s = Sizes(2, (4, 2), 35, 50, (8, 6))
        a = make_inputs(p, s, element)
        slopes = s.input(p, "f64", ["hq"], low=0, high=0.3)

        def scaled(slope, _):
            factor = p.constant(str(scale), "f64")
            return p.op(f"arith.mulf {slope}, {factor} : f64")

        products = p.elementwise(p.empty_like(slopes), scaled, [slopes])
        early = p.op(f"attn.bias.alibi linear slopes({slopes})")
        late = p.op(f"attn.bias.alibi linear slopes({products})")
        mask = p.op("attn.mask.causal")
        number = f"scale = {scale} : f64"
        # Slopes are rounded to the accumulators before or after they are scaled.
        tolerance = max(TOLERANCES[element], 10 * TOLERANCES[accumulator_of(element)])
        p.same(
            "rows",
            attend(p, a.q, a.k, a.v, mask, bias=late, attributes=[number])[0],
            attend(
                p, a.q, a.k, a.v, mask, bias=early, attributes=[number, "bias_before_scale"]
            )[0],
            tolerance,
        )

    return add


def cached(element):
    """A prompt, then steps, through caches that have more room and what is left in
    it: each step is a row of the whole."""

    def add(p):
        a = make_inputs(p, Sizes(2, (4, 2), 24, 24, (16, 12)), element)
        whole = attend(p, a.q, a.k, a.v, p.op("attn.mask.causal"), lse=True)
        zero, length = p.constant(0), 21
        keys, values = (p.input(element, [2, 2, 32, size]) for size in (16, 12))
        keys = append(p, keys, slice_rows(p, a.k, 0, length), f"{zero} : index")
        values = append(p, values, slice_rows(p, a.v, 0, length), f"{zero} : index")
        for row in (21, 22, 23):
            at = f"{p.constant(row)} : index"
            keys = append(p, keys, slice_rows(p, a.k, row, 1), at)
            values = append(p, values, slice_rows(p, a.v, row, 1), at)
            mask = p.op(f"attn.mask.causal offset({at})")
            step = attend(p, slice_rows(p, a.q, row, 1), keys, values, mask, lse=True)
            expected = [slice_rows(p, x, row, 1) for x in whole]
            p.same(f"row {row}", step[0], expected[0])
            p.same(f"lse of {row}", step[1], expected[1])

    return add


def ring(element):
    """A ring keeps the last keys, in an order that attention does not see."""

    def add(p):
        a = make_inputs(p, Sizes(2, (4, 2), 3, 20, (8, 6)), element)
        keys, values = (p.input(element, [2, 2, 8, size]) for size in (8, 6))
        for first, count in ((0, 7), (7, 8), (15, 1), (16, 4)):
            at = f"{p.constant(first)} : index"
            keys = append(p, keys, slice_rows(p, a.k, first, count), at, ring=True)
            values = append(p, values, slice_rows(p, a.v, first, count), at, ring=True)
        last = [slice_rows(p, x, 12, 8) for x in (a.k, a.v)]
        p.same(
            "rows", attend(p, a.q, keys, values)[0], attend(p, a.q, *last)[0]
        )

    return add


def shifted_loss(element):
    """A number that is added to all logits of a row changes nothing."""

    def add(p):
        logits = p.input(element, [9, 33], low=-4, high=4)
        targets = p.input("i64", [9], low=0, high=33)

        def shift(number, _):
            offset = p.constant("512.0", element)
            return p.op(f"arith.addf {number}, {offset} : {element}")

        losses = []
        for x in (logits, p.elementwise(p.empty_like(logits), shift, [logits])):
            text = f"attn.cross_entropy logits({x}) targets({targets})"
            losses.append(p.destination_op(text, [p.empty(element, [])])[0])
        # The sums are rounded to the type.
        tolerance = {"f64": 1e-11, "f32": 2e-4}[element]
        p.same("loss", *losses, tolerance)

    return add


def decoding_cases():
    families = [
        (
            "append",
            add_append,
            {
                "element": ELEMENTS,
                "room": [0, 1, 40],
                "features": [1, 5, 32],
                "start": ["scalar", "batch", "one"],
                "integer": ["i64", "i32"],
                "ring": [False, True],
            },
        ),
        (
            "merge",
            add_merge,
            {
                "element": ELEMENTS,
                "output": [None, "f32", "bf16"],
                "parts": [1, 2, 3],
                "features": [1, 16, 20, 0],
                "lse": [False, True],
                "base": ["natural", "two"],
                "policy": ["zero", "nan"],
            },
        ),
        (
            "loss",
            add_loss,
            {
                "element": ELEMENTS,
                "classes": [1, 2, 33, 100],
                "integer": ["i64", "i32"],
                "ignored": ["none", "few", "all"],
                "all_ignored": ["nan", "zero"],
            },
        ),
    ]
    cases = {}
    for name, add, choices in families:
        for at, row in enumerate(cover_pairs(dict(COMMON, **choices), seed=5)):
            cases[f"{name}-{at:03}"] = lambda p, add=add, row=row: add(p, row)
    for element in ELEMENTS:
        cases[f"bases-{element}"] = bases(element)
        cases[f"cached-{element}"] = cached(element)
        cases[f"ring-{element}"] = ring(element)
        cases[f"sink-is-key-{element}"] = sink_is_key(element)
        for base, sinks in itertools.product(("natural", "two"), (False, True)):
            name = f"split-keys-{element}-{base}{'-sinks' if sinks else ''}"
            cases[name] = split_keys(element, base, sinks)
    policies = itertools.cycle(["zero", "nan", "mean"])
    for element, scale in (("f32", 0.3), ("f64", -0.25), ("bf16", 0.125), ("f32", 0.0)):
        cases[f"early-bias-{element}-{scale}"] = early_bias(element, scale)
        cases[f"strange-sinks-{element}"] = strange_sinks(element, next(policies))
    cases["strange-sinks-f16"] = strange_sinks("f16", next(policies))
    for element in ("f32", "f64"):
        cases[f"shifted-loss-{element}"] = shifted_loss(element)
    return cases
