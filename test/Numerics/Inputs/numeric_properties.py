"""Properties that hold whatever the numbers are: pairs of graphs that must give
the same, on every path."""

import numeric_parts as parts
from numeric_cases import ELEMENTS, Attention, make_inputs
from numeric_parts import MASKS, Sizes
from numeric_program import LOWEST, NAN, TOLERANCES, accumulator_of


def gather(p, x, place, dims=None):
    """A tensor like `x`, or of other sizes, whose element at `indices` is that of
    `x` at `place(indices)`."""

    def body(_):
        indices = place([p.index(d) for d in range(len(x.sizes))])
        return p.op(f"tensor.extract {x.name}[{', '.join(indices)}] : {x.type}")

    return p.elementwise(p.empty(x.element, dims) if dims else p.empty_like(x), body)


def reverse(p, x, dimension):
    last = p.op(f"arith.subi {p.dim(x, dimension)}, {p.constant(1)} : index")

    def place(indices):
        at = indices[dimension]
        indices[dimension] = p.op(f"arith.subi {last}, {at} : index")
        return indices

    return gather(p, x, place)


def slice_rows(p, x, first, count):
    """`count` rows of dimension 2 from `first` on."""
    sizes = list(x.sizes)
    sizes[2] = count
    result = parts_tensor(x, sizes)
    rank = len(sizes)
    at = ["0"] * rank
    at[2] = str(first)
    shape = ", ".join(str(size) for size in sizes)
    ones = ", ".join(["1"] * rank)
    result.name = p.op(
        f"tensor.extract_slice {x.name}[{', '.join(at)}] [{shape}] [{ones}] : "
        f"{x.type} to {result.type}"
    )
    return result


def parts_tensor(x, sizes):
    return type(x)(None, x.element, sizes, [False] * len(sizes))


def attend(p, q, k, v, mask=None, **fields):
    attention = Attention(q, k, v)
    attention.mask = mask
    for name, value in fields.items():
        setattr(attention, name, value)
    return attention.add(p)


# -----------------------------------------------------------------------------
# Order and position
# -----------------------------------------------------------------------------


def permuted(element):
    """Without positions, keys have no order and queries only their own."""

    def add(p):
        a = make_inputs(p, Sizes(2, (4, 2), 33, 50, (16, 12)), element)
        plain = a.add(p)[0]
        turned = attend(p, *(reverse(p, x, 2) for x in (a.q, a.k, a.v)))[0]
        p.same("rows", plain, reverse(p, turned, 2), reference_only=True)

    return add


def rotary_table(p, positions, pairs, element="f32"):
    inits = [p.empty(element, [(positions, 0), (positions, 1), pairs]) for _ in "cs"]
    rule = f"#attn.frequencies<default, dim = {2 * pairs}, base = 10000.0>"
    return p.destination_op(
        f"attn.rotary_table positions({positions}) rule({rule})", inits
    )


def positions(p, batches, tokens, offset):
    init = p.empty("i64", [batches, tokens])
    return p.destination_op(f"attn.positions offset({offset} : index)", [init])[0]


def shifted(layout):
    """Scores depend on the distance of query and key only."""

    def add(p):
        a = make_inputs(p, Sizes(1, (2, 2), 17, 33, (32, 8)), "f32")
        results = []
        for offset in (p.constant(0), p.index_input(1000, 5000)):
            query = rotary_table(p, positions(p, 1, 17, offset), 16)
            key = rotary_table(p, positions(p, 1, 33, offset), 16)
            rotated = [
                parts.rotary(p, x, *table, layout) for x, table in ((a.q, query), (a.k, key))
            ]
            results.append(attend(p, *rotated, a.v, p.op("attn.mask.causal"))[0])
        # Tables are within 2e-6, and 32 products of them make a score.
        p.same("rows", *results, tolerance=1e-4)

    return add


def normed(element, layout):
    """A rotation keeps the length of a vector."""

    def add(p):
        s = Sizes(2, (3, 1), 17, 1, (24, 1))
        x = s.input(p, element, ["b", "hq", "sq", "dk"])
        table = rotary_table(p, positions(p, 2, 17, p.index_input(0, 4096)), 12, "f32")
        rotated = parts.rotary(p, x, *table, layout)

        def norm(t):
            wide = accumulator_of(element)

            def body(number, total):
                number = p.widen(number, element)
                square = p.op(f"arith.mulf {number}, {number} : {wide}")
                return p.op(f"arith.addf {total}, {square} : {wide}")

            out = p.filled(wide, [(t, 0), (t, 1), (t, 2)], "0.0")
            kinds = ["parallel"] * 3 + ["reduction"]
            maps = ["d0, d1, d2, d3", "d0, d1, d2"]
            return p.elementwise(out, body, [t], maps, kinds)

        # The table is in f32; each element of the vector is rounded.
        tolerance = max(TOLERANCES[element], 1e-5)
        p.result("rotated", rotated, tolerance)
        p.same("norms", norm(x), norm(rotated), tolerance)

    return add


def permuted_rotation(element):
    """Interleaved pairs are halves of the elements in another order."""

    def add(p):
        s = Sizes(2, (2, 1), 9, 1, (16, 1))
        x = s.input(p, element, ["b", "hq", "sq", "dk"])
        cos, sin = parts.tables(p, s, "f32", "sq", 8)

        def from_interleaved(indices):
            # Element e of the halves is 2e, or 2(e - 8) + 1 in the second half.
            two, eight = p.constant(2), p.constant(8)
            half = p.op(f"arith.divui {indices[3]}, {eight} : index")
            pair = p.op(f"arith.remui {indices[3]}, {eight} : index")
            at = p.op(f"arith.muli {pair}, {two} : index")
            indices[3] = p.op(f"arith.addi {at}, {half} : index")
            return indices

        interleaved = parts.rotary(p, x, cos, sin, "interleaved")
        halves = gather(p, x, from_interleaved)
        p.same(
            "elements",
            gather(p, interleaved, from_interleaved),
            parts.rotary(p, halves, cos, sin, "split_half"),
        )
        p.same(
            "written in halves",
            gather(p, interleaved, from_interleaved),
            parts.rotary(p, x, cos, sin, "interleaved to split_half"),
        )

    return add


def decoded(element):
    """A step of one query with a cache is a row of the whole."""

    def add(p):
        a = make_inputs(p, Sizes(2, (4, 2), 40, 40, (16, 16)), element)
        whole = attend(p, a.q, a.k, a.v, p.op("attn.mask.causal"), lse=True)
        for row in (0, 15, 39):
            q = slice_rows(p, a.q, row, 1)
            offset = p.constant(row)
            step_mask = p.op(f"attn.mask.causal offset({offset} : index)")
            step = attend(p, q, a.k, a.v, step_mask, lse=True)
            expected = [slice_rows(p, x, row, 1) for x in whole]
            p.same(f"row {row}", step[0], expected[0], reference_only=True)
            p.same(f"lse of {row}", step[1], expected[1], reference_only=True)
            # The keys of the future need not be there yet.
            k, v = slice_rows(p, a.k, 0, row + 1), slice_rows(p, a.v, 0, row + 1)
            p.same(f"cache of {row}", step[0], attend(p, q, k, v, step_mask)[0])

    return add


def decoded_rotation(element, layout):
    """A step rotates its query by its position; the keys of the cache keep the
    rotation that they were written with."""

    def add(p):
        a = make_inputs(p, Sizes(2, (4, 2), 24, 24, (16, 16)), element)
        table = rotary_table(p, positions(p, 1, 24, p.constant(0)), 8)
        q, k = (parts.rotary(p, x, *table, layout) for x in (a.q, a.k))
        whole = attend(p, q, k, a.v, p.op("attn.mask.causal"))[0]
        for row in (0, 13):
            offset = p.constant(row)
            table = rotary_table(p, positions(p, 1, 1, offset), 8)
            q = parts.rotary(p, slice_rows(p, a.q, row, 1), *table, layout)
            mask = p.op(f"attn.mask.causal offset({offset} : index)")
            step = attend(p, q, k, a.v, mask)[0]
            # The query and the keys may be rounded, here and there.
            factor = 4 if element in ("f16", "bf16") else 1
            expected = slice_rows(p, whole, row, 1)
            tolerance = TOLERANCES[element] * factor
            p.same(f"row {row}", step, expected, tolerance, reference_only=True)

    return add


# -----------------------------------------------------------------------------
# Masks
# -----------------------------------------------------------------------------


def materialized(p, s, mask):
    out = p.empty("i1", [s.b, s.hq, s.sq, s.sk])
    return p.destination_op(f"attn.materialize {mask} : !attn.mask", [out])[0]


def mean_of_kept(name, element):
    """Queries of zero weigh all kept keys alike."""

    def add(p):
        s = Sizes(2, (2, 2), 19, 37, (8, 6))
        a = make_inputs(p, s, element)
        mask = MASKS[name](p, s)
        q = p.filled(element, [(a.q, at) for at in range(4)], "0.0")
        rows = attend(p, q, a.k, a.v, mask)[0]
        dense = materialized(p, s, mask)
        wide = accumulator_of(element)
        kinds = ["parallel"] * 4 + ["reduction"]

        def accumulate(number):
            """Sums `number(value)` of the kept keys, for every element."""

            def body(keep, value, total):
                none = p.constant("0.0", wide)
                kept = p.op(f"arith.select {keep}, {number(value)}, {none} : {wide}")
                return p.op(f"arith.addf {total}, {kept} : {wide}")

            out = p.filled(wide, [s.b, s.hq, s.sq, s.dv], "0.0")
            maps = ["d0, d1, d2, d4", "d0, d1, d4, d3", "d0, d1, d2, d3"]
            return p.elementwise(out, body, [dense, a.v], maps, kinds)

        total = accumulate(lambda value: p.widen(value, element))
        count = accumulate(lambda value: p.constant("1.0", wide))

        def divide(x, n, _):
            one = p.constant("1.0", wide)
            n = p.op(f"arith.maximumf {n}, {one} : {wide}")
            x = p.op(f"arith.divf {x}, {n} : {wide}")
            if element != wide:
                x = p.op(f"arith.truncf {x} : {wide} to {element}")
            return x

        mean = p.elementwise(p.empty_like(rows), divide, [total, count])
        p.same("means", rows, mean, reference_only=True)

    return add


def planted(name, element):
    """NaN in keys and values that no query of a batch keeps changes nothing."""

    def add(p):
        s = Sizes(3, (4, 2), 21, 150, (8, 10))
        a = make_inputs(p, s, element)
        mask = MASKS[name](p, s)
        dense = materialized(p, s, mask)
        wanted = p.filled("i1", [s.b, s.sk], "false")
        kinds = ["parallel", "parallel", "reduction", "reduction"]
        maps = ["d0, d2, d3, d1", "d0, d1"]
        wanted = p.elementwise(
            wanted,
            lambda keep, old: p.op(f"arith.ori {keep}, {old} : i1"),
            [dense],
            maps,
            kinds,
        )

        def plant(x):
            def body(keep, value, _):
                nan = p.constant(NAN[element], element)
                return p.op(f"arith.select {keep}, {value}, {nan} : {element}")

            every = "d0, d1, d2, d3"
            return p.elementwise(
                p.empty_like(x), body, [wanted, x], ["d0, d2", every, every]
            )

        dirty = attend(p, a.q, plant(a.k), plant(a.v), mask, lse=True)
        clean = attend(p, a.q, a.k, a.v, mask, lse=True)
        p.same("rows", dirty[0], clean[0], reference_only=True)
        p.same("lse", dirty[1], clean[1], reference_only=True)

    return add


def poisoned_rows(name, element):
    """NaN in every third key and value reaches the rows that keep it, and no
    other: the interpreter, which never reads a removed key, says which."""

    def add(p):
        s = Sizes(2, (4, 2), 35, 70, (8, 10))
        a = make_inputs(p, s, element)

        def poison(x, rest):
            def body(value, _):
                twelve, rest_value = p.constant(12), p.constant(rest)
                at = p.op(f"arith.remui {p.index(2)}, {twelve} : index")
                hit = p.op(f"arith.cmpi eq, {at}, {rest_value} : index")
                nan = p.constant(NAN[element], element)
                return p.op(f"arith.select {hit}, {nan}, {value} : {element}")

            return p.elementwise(p.empty_like(x), body, [x])

        mask = MASKS[name](p, s)
        for what, k, v in (
            ("keys", poison(a.k, 11), a.v),
            ("values", a.k, poison(a.v, 5)),
        ):
            output, lse = attend(p, a.q, k, v, mask, lse=True)
            p.result(f"rows with NaN {what}", output)
            p.result(f"lse with NaN {what}", lse)

    return add


def mask_or_bias(element):
    """A bias of -inf removes as a mask does."""

    def add(p):
        s = Sizes(2, (2, 2), 18, 40, (8, 8))
        a = make_inputs(p, s, element)
        values = s.input(p, "i1", ["b", "hq", "sq", "sk"])

        def body(keep, _):
            wide = accumulator_of(element)
            lowest, none = p.constant(LOWEST[wide], wide), p.constant("0.0", wide)
            return p.op(f"arith.select {keep}, {none}, {lowest} : {wide}")

        out = p.empty_like(values, accumulator_of(element))
        infinite = p.elementwise(out, body, [values])
        mask = p.op(f"attn.mask.tensor keep {values}")
        bias = p.op(f"attn.bias.tensor {infinite}")
        masked = attend(p, a.q, a.k, a.v, mask, lse=True)
        biased = attend(p, a.q, a.k, a.v, bias=bias, lse=True)
        p.same("rows", masked[0], biased[0])
        p.same("lse", masked[1], biased[1])

    return add


def infinite_slopes(element, distance):
    """A distance times an infinite slope is -inf, which removes the pair: a row
    is empty, a mixture, or NaN where a distance is zero or negative."""

    def add(p):
        s = Sizes(1, (4, 2), 21, 17, (8, 6))
        a = make_inputs(p, s, element)
        infinity = LOWEST[element].replace("F", "7", 1)
        numbers = f"dense<[{infinity}, 0.5, 0.0, {LOWEST[element]}]>"
        slopes = p.op(f"arith.constant {numbers} : tensor<4x{element}>")
        for offset in (3, 100):
            place = f"offset({p.constant(offset)} : index)"
            given = f"slopes({slopes} : tensor<4x{element}>)"
            alibi = p.op(f"attn.bias.alibi {distance} {given} {place}")
            total = p.op(f"attn.bias.add {alibi}, {parts.alibi(p, s, element)}")
            causal = p.op("attn.mask.causal")
            for name, bias, mask in (("alone", alibi, None), ("sum", total, causal)):
                output, lse = attend(p, a.q, a.k, a.v, mask, bias=bias, lse=True)
                p.result(f"rows, {name}, offset {offset}", output)
                p.result(f"lse, {name}, offset {offset}", lse)

    return add


# -----------------------------------------------------------------------------
# Blocking and heads
# -----------------------------------------------------------------------------


def tiled(name, element):
    """The blocking changes nothing."""

    def add(p):
        s = Sizes(2, (2, 1), 45, 77, (12, 20))
        a = make_inputs(p, s, element)
        mask = MASKS[name](p, s) if MASKS[name] else None
        plans = [(16, 77, 1), (16, 8, 4), (32, 32, 8), (64, 13, 3)]
        results = []
        for queries, keys, rows in plans:
            plan = f"#attn.plan<query_block = {queries}, key_block = {keys}, rows = {rows}>"
            attributes = [f"plan = {plan}"]
            results.append(attend(p, a.q, a.k, a.v, mask, attributes=attributes)[0])
        for plan, result in zip(plans[1:], results[1:]):
            p.same(f"plan {plan}", results[0], result)

    return add


def grouped(element):
    """A group of query heads sees the key head that it shares."""

    def add(p):
        a = make_inputs(p, Sizes(2, (6, 2), 20, 30, (8, 8)), element)

        def share(indices):
            three = p.constant(3)
            indices[1] = p.op(f"arith.divui {indices[1]}, {three} : index")
            return indices

        def repeat(x):
            return gather(p, x, share, [2, 6, *x.sizes[2:]])

        shared = a.add(p)[0]
        repeated = attend(p, a.q, repeat(a.k), repeat(a.v))[0]
        p.same("heads", shared, repeated, reference_only=True)

    return add


def property_cases():
    cases = {}
    for element in ELEMENTS:
        cases[f"permuted-{element}"] = permuted(element)
        cases[f"decoded-{element}"] = decoded(element)
        cases[f"mask-or-bias-{element}"] = mask_or_bias(element)
        cases[f"grouped-{element}"] = grouped(element)
        cases[f"permuted-rotation-{element}"] = permuted_rotation(element)
        cases[f"infinite-slopes-{element}"] = infinite_slopes(element, "linear")
        for layout in ("interleaved", "split_half"):
            cases[f"normed-{element}-{layout}"] = normed(element, layout)
    for layout in ("interleaved", "split_half"):
        cases[f"shifted-{layout}"] = shifted(layout)
    cases["infinite-slopes-absolute"] = infinite_slopes("f32", "absolute")
    for element, layout in (("f32", "split_half"), ("bf16", "interleaved")):
        cases[f"decoded-rotation-{element}"] = decoded_rotation(element, layout)
    return cases


def mask_property_cases():
    """The mean with each mask in each type; the others in some."""
    cases = {}
    for name in MASKS:
        for element in ELEMENTS:
            if MASKS[name]:
                cases[f"mean-{name}-{element}"] = mean_of_kept(name, element)
    for at, name in enumerate(["none", "causal", "and", "window-batch", "or-tensor", "chunk-batch", "document"]):
        element = ELEMENTS[at % len(ELEMENTS)]
        cases[f"tiled-{name}-{element}"] = tiled(name, element)
    removing = ["causal", "causal-batch", "window-scalar", "window-batch", "or", "and"]
    removing += ["padding-right", "padding-left", "tensor-keys", "not-window"]
    removing += ["chunk-batch", "document", "prefix-batch", "and-chunk"]
    for at, name in enumerate(removing):
        for element in (["f32", "bf16"], ["f64", "f16"])[at % 2]:
            cases[f"planted-{name}-{element}"] = planted(name, element)
        element = ELEMENTS[at % len(ELEMENTS)]
        cases[f"poisoned-{name}-{element}"] = poisoned_rows(name, element)
    return cases
