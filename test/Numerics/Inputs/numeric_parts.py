"""Masks, biases, score regions and rotations by name, for any attention."""

from numeric_program import LOWEST, accumulator_of


class Sizes:
    """The sizes of an attention, and which of them the types leave open."""

    def __init__(self, batches, heads, queries, keys, dims, dynamic="none"):
        self.b = batches
        self.hq, self.hk = heads
        self.sq, self.sk = queries, keys
        self.dk, self.dv = dims
        self.open = {"none": "", "lengths": "s", "all": "bhsd"}[dynamic]

    def input(self, p, element, names, **options):
        """An input with dimensions such as ["b", "hq", "sq", 1]."""
        sizes, dynamic = [], []
        for name in names:
            sizes.append(name if isinstance(name, int) else getattr(self, name))
            dynamic.append(not isinstance(name, int) and name[0] in self.open)
        return p.input(element, sizes, dynamic, **options)


# -----------------------------------------------------------------------------
# Masks
# -----------------------------------------------------------------------------


def lengths(p, s, kind="i64", names=("b",)):
    # Below zero and above the number of keys on purpose.
    return s.input(p, kind, names, low=-1, high=s.sk + 3)


def offsets(p, s, kind="i64", names=("b",)):
    return s.input(p, kind, names, low=-3, high=max(s.sk - s.sq, 0) + 4)


def scalar_offset(p, s):
    return p.index_input(-3, max(s.sk - s.sq, 0) + 4)


def causal(p, s):
    return p.op("attn.mask.causal")


def causal_scalar(p, s):
    return p.op(f"attn.mask.causal offset({scalar_offset(p, s)} : index)")


def causal_batch(p, s):
    return p.op(f"attn.mask.causal offset({offsets(p, s, 'i32')})")


def causal_one(p, s):
    return p.op(f"attn.mask.causal offset({offsets(p, s, 'i64', [1])})")


def window_left(p, s):
    return p.op("attn.mask.window left 3")


def window_right(p, s):
    return p.op("attn.mask.window right 2")


def window_scalar(p, s):
    return p.op(
        f"attn.mask.window left 20 right 0 offset({scalar_offset(p, s)} : index)"
    )


def window_batch(p, s):
    return p.op(f"attn.mask.window left 2 right 4 offset({offsets(p, s)})")


def chunk(p, s):
    return p.op("attn.mask.chunk size 5")


def chunk_scalar(p, s):
    return p.op(f"attn.mask.chunk size 12 offset({scalar_offset(p, s)} : index)")


def chunk_batch(p, s):
    """As with left padding, which is not bounded by a chunk."""
    start = s.input(p, "i32", ["b"], low=-3, high=20)
    return p.op(f"attn.mask.chunk size 7 offset({offsets(p, s)}) start({start})")


def document(p, s):
    """Packed documents of about eight tokens, between padding."""
    queries, keys = s.input(p, "i64", ["b", "sq"]), s.input(p, "i32", ["b", "sk"])

    def packed(ids, first):
        def body(_):
            eight = p.constant(8)
            place = p.op(f"arith.addi {p.index(1)}, {p.constant(first)} : index")
            place = p.op(f"arith.addi {place}, {p.index(0)} : index")
            group = p.op(f"arith.divui {place}, {eight} : index")
            group = p.op(f"arith.subi {group}, {p.constant(1)} : index")
            return p.op(f"arith.index_cast {group} : index to {ids.element}")

        return p.elementwise(p.empty_like(ids), body)

    queries, keys = packed(queries, 5), packed(keys, 3)
    return p.op(f"attn.mask.document query({queries}) key({keys})")


def document_random(p, s):
    """Ids in no order, one row for all batches."""
    queries = s.input(p, "i32", [1, "sq"], low=-1, high=4)
    keys = s.input(p, "i64", ["b", "sk"], low=-1, high=4)
    return p.op(f"attn.mask.document query({queries}) key({keys})")


def prefix_scalar(p, s):
    return p.op(f"attn.mask.prefix length({p.index_input(-1, s.sk + 3)} : index)")


def prefix_batch(p, s):
    return p.op(f"attn.mask.prefix length({lengths(p, s, 'i32')})")


def padding_right(p, s):
    return p.op(f"attn.mask.padding right lengths({lengths(p, s)})")


def number_of_keys(p, s):
    return s.input(p, "f32", ["sk"])


def padding_left(p, s, names=("b",), kind="i64"):
    keys = p.dim(number_of_keys(p, s), 0)
    given = lengths(p, s, kind, names)
    return p.op(f"attn.mask.padding left lengths({given}) keys({keys})")


def padding_one(p, s):
    return padding_left(p, s, [1], "i32")


def tensor(p, s, names, polarity="keep"):
    values = s.input(p, "i1", names)
    return p.op(f"attn.mask.tensor {polarity} {values}")


def tensor_full(p, s):
    return tensor(p, s, ["b", "hq", "sq", "sk"])


def tensor_block(p, s):
    return tensor(p, s, [1, 1, "sq", "sk"], "block")


def tensor_keys(p, s):
    return tensor(p, s, ["b", 1, 1, "sk"])


def tensor_queries(p, s):
    return tensor(p, s, [1, "hq", "sq", 1])


def tensor_batches(p, s):
    return tensor(p, s, ["b", 1, 1, 1], "block")


def both(first, second):
    return lambda p, s: p.op(f"attn.mask.and {first(p, s)}, {second(p, s)}")


def either(first, second):
    return lambda p, s: p.op(f"attn.mask.or {first(p, s)}, {second(p, s)}")


def inverse(mask):
    return lambda p, s: p.op(f"attn.mask.not {mask(p, s)}")


def generate(p, s):
    def body(b, h, i, j):
        three, five = p.constant(3), p.constant(5)
        total = p.op(f"arith.muli {i}, {three} : index")
        total = p.op(f"arith.addi {total}, {j} : index")
        total = p.op(f"arith.addi {total}, {b} : index")
        total = p.op(f"arith.addi {total}, {h} : index")
        rest = p.op(f"arith.remui {total}, {five} : index")
        return p.op(f"arith.cmpi ult, {rest}, {three} : index"), "i1"

    return p.op(p.region("attn.mask.generate", ["index"] * 4, body))


def generate_read(p, s):
    """Reads a tensor that has ids of documents, one for each key."""
    ids = s.input(p, "i32", ["sk"], low=0, high=3)

    def body(b, h, i, j):
        three = p.constant(3)
        wanted = p.op(f"arith.remui {i}, {three} : index")
        found = p.op(f"tensor.extract {ids.name}[{j}] : {ids.type}")
        found = p.op(f"arith.index_cast {found} : i32 to index")
        return p.op(f"arith.cmpi eq, {wanted}, {found} : index"), "i1"

    return p.op(p.region("attn.mask.generate", ["index"] * 4, body))


def window_slice(p, s):
    source = p.op("attn.mask.window left 6 right 3")
    zero, query, key = p.constant(0), p.constant(7), p.constant(5)
    return p.op(f"attn.mask.slice {source}[{zero}, {zero}, {query}, {key}]")


MASKS = {
    "none": None,
    "causal": causal,
    "causal-scalar": causal_scalar,
    "causal-batch": causal_batch,
    "causal-one": causal_one,
    "window-left": window_left,
    "window-right": window_right,
    "window-scalar": window_scalar,
    "window-batch": window_batch,
    "chunk": chunk,
    "chunk-scalar": chunk_scalar,
    "chunk-batch": chunk_batch,
    "document": document,
    "document-random": document_random,
    "prefix-scalar": prefix_scalar,
    "prefix-batch": prefix_batch,
    "padding-right": padding_right,
    "padding-left": padding_left,
    "padding-one": padding_one,
    "tensor-full": tensor_full,
    "tensor-block": tensor_block,
    "tensor-keys": tensor_keys,
    "tensor-queries": tensor_queries,
    "tensor-batches": tensor_batches,
    "and": both(causal_scalar, padding_right),
    "and-tensor": both(window_batch, tensor_keys),
    "or": either(causal, padding_left),
    "and-chunk": both(causal_scalar, chunk_scalar),
    "or-prefix": either(causal, prefix_batch),
    "or-document": either(causal, document_random),
    "or-tensor": either(window_scalar, tensor_full),
    "not-chunk": inverse(chunk_scalar),
    "not-document": inverse(document),
    "not-padding": inverse(padding_right),
    "not-causal": inverse(causal_batch),
    "not-window": inverse(window_scalar),
    "not-and": inverse(both(tensor_keys, causal)),
    "generate": generate,
    "generate-read": generate_read,
    "slice": window_slice,
}


# -----------------------------------------------------------------------------
# Biases
# -----------------------------------------------------------------------------


def bias_tensor(p, s, element, names=("b", "hq", "sq", "sk")):
    return p.op(f"attn.bias.tensor {s.input(p, element, names)}")


def bias_heads(p, s, element):
    return bias_tensor(p, s, "f32", [1, "hq", 1, 1])


def bias_removing(p, s, element):
    """Removes the pairs of about a third of the keys."""
    values = s.input(p, element, ["b", 1, 1, "sk"])

    def body(value, _):
        limit = p.constant("-0.4", element)
        removed = p.op(f"arith.cmpf olt, {value}, {limit} : {element}")
        lowest = p.constant(LOWEST[element], element)
        return p.op(f"arith.select {removed}, {lowest}, {value} : {element}")

    # From a map of zeros, since a dimension of size 1 is broadcast.
    values = p.elementwise(p.empty_like(values), body, [values])
    return p.op(f"attn.bias.tensor {values}")


def alibi(p, s, element):
    return p.op(f"attn.bias.alibi linear heads {s.hq}")


def alibi_shard(p, s, element):
    offset = scalar_offset(p, s)
    return p.op(
        f"attn.bias.alibi absolute heads {s.hq + 9} first_head 2 "
        f"offset({offset} : index)"
    )


def alibi_slopes(p, s, element):
    slopes = s.input(p, element, ["hq"], low=0, high=0.3)
    return p.op(f"attn.bias.alibi absolute slopes({slopes})")


def alibi_batch(p, s, element):
    slopes = s.input(p, "f32", ["b", "hq"], low=0, high=0.3)
    offset = offsets(p, s, "i32")
    return p.op(f"attn.bias.alibi linear slopes({slopes}) offset({offset})")


def alibi_plain(p, s, element):
    return p.op(f"attn.bias.alibi linear heads {s.hq + 3} first_head 2 series = plain")


def t5(p, s, element):
    table = s.input(p, element, ["hq", 32])
    text = "t5 num_buckets 32 max_distance 128 bidirectional"
    return p.op(f"attn.bias.relative {text} table({table}) offset({offsets(p, s)})")


def t5_causal(p, s, element):
    table = s.input(p, "f32", [1, 17])
    offset = scalar_offset(p, s)
    text = "t5 num_buckets 17 max_distance 40"
    return p.op(f"attn.bias.relative {text} table({table}) offset({offset} : index)")


def toeplitz(p, s, element):
    # As many distances as there are keys, dynamic where those are.
    table = s.input(p, element, ["hq", "sk"])
    if s.sk == 0:
        table = s.input(p, element, ["hq", 3])
    return p.op(f"attn.bias.relative toeplitz first_distance -9 table({table})")


def toeplitz_batch(p, s, element):
    table = s.input(p, "f32", [1, 20])
    text = f"first_distance 2 table({table}) offset({offsets(p, s, 'i32')})"
    return p.op(f"attn.bias.relative toeplitz {text}")


def window_table(p, s, element):
    table = s.input(p, element, ["hq", 9 * 13])
    return p.op(f"attn.bias.relative window size [5, 7] table({table})")


def window_table_offset(p, s, element):
    table = s.input(p, "f32", [1, 7 * 3])
    offset = scalar_offset(p, s)
    return p.op(
        f"attn.bias.relative window size [4, 2] table({table}) offset({offset} : index)"
    )


def bias_generate(p, s, element):
    wide = accumulator_of(element)

    def body(b, h, i, j):
        distance = p.op(f"arith.subi {i}, {j} : index")
        distance = p.op(f"arith.index_cast {distance} : index to i32")
        value = p.op(f"arith.sitofp {distance} : i32 to {wide}")
        value = p.op(f"math.absf {value} : {wide}")
        value = p.op(f"math.sqrt {value} : {wide}")
        return p.op(f"arith.negf {value} : {wide}"), wide

    return p.op(p.region("attn.bias.generate", ["index"] * 4, body))


def bias_sum(p, s, element):
    first, second = alibi(p, s, element), bias_tensor(p, s, element, [1, 1, "sq", "sk"])
    return p.op(f"attn.bias.add {first}, {second}")


def bias_slice(p, s, element):
    source = p.op("attn.bias.alibi absolute heads 16")
    zero, head, query = p.constant(0), p.constant(4), p.constant(9)
    return p.op(f"attn.bias.slice {source}[{zero}, {head}, {query}, {zero}]")


BIASES = {
    "none": None,
    "tensor": bias_tensor,
    "heads": bias_heads,
    "removing": bias_removing,
    "alibi": alibi,
    "alibi-shard": alibi_shard,
    "alibi-slopes": alibi_slopes,
    "alibi-batch": alibi_batch,
    "alibi-plain": alibi_plain,
    "t5": t5,
    "t5-causal": t5_causal,
    "toeplitz": toeplitz,
    "toeplitz-batch": toeplitz_batch,
    "window": window_table,
    "window-offset": window_table_offset,
    "generate": bias_generate,
    "sum": bias_sum,
    "slice": bias_slice,
}


# -----------------------------------------------------------------------------
# Score regions
# -----------------------------------------------------------------------------


def score_region(p, accumulator, body):
    return p.region("score", [accumulator] + ["index"] * 4, body)


def score_affine(p, s, accumulator):
    def body(score, b, h, i, j):
        half = p.constant("0.5", accumulator)
        distance = p.op(f"arith.subi {j}, {h} : index")
        distance = p.op(f"arith.index_cast {distance} : index to i64")
        distance = p.op(f"arith.sitofp {distance} : i64 to {accumulator}")
        small = p.constant("0.01", accumulator)
        distance = p.op(f"arith.mulf {distance}, {small} : {accumulator}")
        score = p.op(f"arith.mulf {score}, {half} : {accumulator}")
        return p.op(f"arith.addf {score}, {distance} : {accumulator}"), accumulator

    return score_region(p, accumulator, body)


def score_read(p, s, accumulator):
    """Multiplies with a number of the head, read from a tensor."""
    factors = s.input(p, accumulator, ["hq"])

    def body(score, b, h, i, j):
        factor = p.op(f"tensor.extract {factors.name}[{h}] : {factors.type}")
        return p.op(f"arith.mulf {score}, {factor} : {accumulator}"), accumulator

    return score_region(p, accumulator, body)


def score_infinite(p, s, accumulator):
    """Scores of -inf, which do not remove their pairs: a row that has only such
    scores is NaN, not empty."""

    def body(score, b, h, i, j):
        three, zero = p.constant(3), p.constant(0)
        total = p.op(f"arith.addi {i}, {j} : index")
        rest = p.op(f"arith.remui {total}, {three} : index")
        hit = p.op(f"arith.cmpi eq, {rest}, {zero} : index")
        lowest = p.constant(LOWEST[accumulator], accumulator)
        score = p.op(f"arith.select {hit}, {lowest}, {score} : {accumulator}")
        return score, accumulator

    return score_region(p, accumulator, body)


SCORES = {
    "none": None,
    "affine": score_affine,
    "read": score_read,
    "infinite": score_infinite,
}


# -----------------------------------------------------------------------------
# Rotations
# -----------------------------------------------------------------------------


def tables(p, s, element, length, pairs, batches="b"):
    """A cosine and a sine, of any numbers: the op does not ask for a unit circle."""
    cos = s.input(p, element, [batches, length, pairs])
    sin = s.input(p, element, [batches, length, pairs])
    return cos, sin


def rotary(p, x, cos, sin, layout, first=0):
    start = f" from {first}" if first else ""
    text = (
        f"attn.rotary {layout}{start} {x.name}, {cos.name}, {sin.name} : "
        f"{x.type}, {cos.type}, {sin.type}"
    )
    return p.destination_op(text, [p.empty_like(x)])[0]


# Name: (what rotates, which of query and key, layout, (first, pairs) of the head
# dimension, inverse, batches of the tables).
ROTATIONS = {
    "none": None,
    "fused-both": ("fused", "qk", "split_half", None, False, "b"),
    "fused-query": ("fused", "q", "interleaved", None, False, 1),
    "fused-key": ("fused", "k", "interleaved", (1, 2), True, "b"),
    "fused-partial": ("fused", "qk", "split_half", (3, 2), True, 1),
    "separate": ("separate", "qk", "interleaved", None, False, "b"),
    "separate-partial": ("separate", "qk", "split_half", (3, 2), False, 1),
}
