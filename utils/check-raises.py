#!/usr/bin/env python3
"""Compares what attn-raise recovers from graphs with what they hold.

graph_folders.py says what a graph's folder is; "expect" in expected.json says how
many attentions there are, their mask, scale, softcap, bias and heads, how many
rotations, their layout, range, frequencies and positions. Prints a line for
each graph: ok, part where all that the raised ops can say agrees but the graph
holds something that they can not (t5 biases, documents, ...), which is
listed at the end, or FAIL. Exits with 1 if one fails.

usage: check-raises.py [--attn-opt PATH] [--remarks] FOLDER...
A FOLDER may hold one graph or many.
"""

import argparse
import math
import re
import subprocess
import sys

import graph_folders


def raise_graph(attn_opt, path):
    command = [
        attn_opt,
        "--attn-raise",
        "--remarks-filter=attn-raise",
        "--remark-format=emitRemark",
        "--mlir-elide-elementsattrs-if-larger=8",
        "--mlir-elide-resource-strings-if-larger=8",
        str(path),
    ]
    result = subprocess.run(command, capture_output=True, text=True)
    reasons = re.findall(r'\[Missed\].*?Reason="([^"]*)"', result.stderr)
    if result.returncode != 0:
        lines = [l for l in result.stderr.splitlines() if "error:" in l]
        return None, [lines[0] if lines else "exit %d" % result.returncode]
    return result.stdout, reasons


class Module:
    """The attn ops of printed IR, by the names of their results."""

    def __init__(self, text):
        self.masks, self.biases = {}, {}
        self.attentions, self.rotaries, self.tables = [], [], []
        self.positions, self.learned_positions = {}, []
        for line in text.splitlines():
            line = line.strip()
            if m := re.match(r"(%\w+) = attn\.mask\.(\w+)(.*)", line):
                self.masks[m[1]] = (m[2], m[3])
            elif m := re.match(r"(%\w+) = attn\.bias\.(\w+)(.*)", line):
                self.biases[m[1]] = (m[2], m[3])
            elif " = attn.attention " in line:
                self.attentions.append(line)
            elif " = attn.learned_position " in line:
                self.learned_positions.append(line)
            elif " = attn.rotary " in line:
                self.rotaries.append(line)
            elif m := re.match(r"(%\w+), (%\w+) = attn\.rotary_table (.*)", line):
                self.tables.append(m[3])
            elif m := re.match(r"(%\w+) = attn\.positions(.*)", line):
                self.positions[m[1]] = m[2]

    def mask_words(self, name):
        kind, rest = self.masks[name]
        if kind == "and":
            a, b = re.findall(r"%\w+", rest)[:2]
            return self.mask_words(a) | self.mask_words(b)
        if kind == "window":
            left = re.search(r"left (\d+)", rest)
            right = re.search(r"right (\d+)", rest)
            if left and right and right[1] == "0":
                return {"causal", "window(%s)" % left[1]}
            if left and right:
                return {"window(-%s..%s)" % (left[1], right[1])}
            return {"window(%s)" % left[1]} if left else {"window"}
        if kind == "tensor":
            shape = re.search(r"tensor<([\dx?]+)xi1>", rest)[1].split("x")
            return {"padding" if shape[1:3] == ["1", "1"] else "tensor"}
        return {kind}

    def bias_words(self, name):
        kind, rest = self.biases[name]
        if kind == "add":
            a, b = re.findall(r"%\w+", rest)[:2]
            return self.bias_words(a) | self.bias_words(b)
        return {kind}


def describe(module, line):
    shape = lambda part: re.search(part + r"\(%[\w#]+ : tensor<([\dx?]+)x", line)[
        1
    ].split("x")
    query, key = shape("query"), shape("key")
    found = {"mask": set(), "bias": set()}
    if m := re.search(r" mask\((%\w+)\)", line):
        found["mask"] = module.mask_words(m[1])
    if m := re.search(r" bias\((%\w+)\)", line):
        found["bias"] = module.bias_words(m[1])
    m = re.search(r"[{ ]scale = ([-+.\de]+)", line)
    if m:
        found["scale"] = float(m[1])
    else:
        found["scale"] = 1 / math.sqrt(int(query[3])) if query[3] != "?" else None
    m = re.search(r"softcap = ([-+.\de]+)", line)
    found["softcap"] = float(m[1]) if m else None
    found["sinks"] = " sinks(" in line
    known = query[1] != "?" and key[1] != "?"
    found["kv_groups"] = int(query[1]) // int(key[1]) if known else None
    return found


def close(a, b):
    return a is None or b is None or abs(a - b) <= 1e-3 * abs(b)


def outside(expect):
    """What the graph holds that the raised ops have no word for."""
    kinds = [expect] + (expect.get("per_attention") or [])
    found = []
    biases = {kind.get("bias") for kind in kinds}
    found += ["bias " + b for b in ("t5", "relative_table") if b in biases]
    # Data says how far apart two keys are.
    if "alibi" in biases and expect.get("positions") == "cumsum":
        found.append("bias alibi over counted positions")
    masks = {word for kind in kinds for word in kind.get("mask") or []}
    found += [
        "mask " + word
        for word in sorted(masks)
        if word == "document" or word.startswith("chunk")
    ]
    if expect.get("positions") in ("sinusoidal", "cumsum"):
        found.append("positions " + expect["positions"])
    if (expect.get("frequencies") or {}).get("rule") in ("longrope", "2d"):
        found.append("frequencies " + expect["frequencies"]["rule"])
    return found


def compare_bias(found, want, beyond):
    if want is None:
        return []
    allowed = {want} if want != "none" else set()
    if any(word.startswith("bias") for word in beyond) and want != "none":
        allowed = {"tensor"}
    return (
        []
        if found == allowed
        else ["bias %s, not %s" % (sorted(found), sorted(allowed))]
    )


def compare_rotations(module, expect):
    problems = []
    layout, out = expect.get("rotary_layout"), expect.get("layout_out")
    layout, out = [x and x.replace("-", "_") for x in (layout, out)]
    for line in module.rotaries:
        m = re.search(r"attn\.rotary (\w+)(?: to (\w+))?(?: from (\d+))? ", line)
        if layout and (m[1], m[2] or m[1]) != (layout, out or layout):
            problems.append("layout %s to %s" % (m[1], m[2] or m[1]))
        if rotated := expect.get("rotated"):
            pairs = re.search(r": tensor<[^>]*>, tensor<[\dx?]*x(\d+)x\w+>", line)
            first = int(m[3] or 0)
            if [first, first + 2 * int(pairs[1])] != rotated:
                problems.append("rotates from %d, %s pairs" % (first, pairs[1]))
    return problems


NAMES = {
    "base": "base",
    "dim": "dim",
    "factor": "factor",
    "original_max_position": "original_length",
    "beta_fast": "beta_fast",
    "beta_slow": "beta_slow",
    "truncate": "truncate",
    "low_freq_factor": "low_freq_factor",
    "high_freq_factor": "high_freq_factor",
}


def compare_tables(module, expect):
    want = expect.get("frequencies")
    if not want:
        return []
    problems = [] if module.tables else ["no rotary table"]
    for table in module.tables:
        if want["rule"] not in ("longrope", "2d"):
            m = re.search(r"rule\(<(\w+), ([^>]*)>\)", table)
            if not m:
                problems.append("frequencies without a rule")
                continue
            if m[1] not in want["rule"].split():
                problems.append("rule %s, not %s" % (m[1], want["rule"]))
            values = dict(part.split(" = ") for part in m[2].split(", "))
            for key, value in want.items():
                name = NAMES.get(key)
                if name and not same(float(values.get(name, "nan")), float(value)):
                    problems.append("%s %s, not %s" % (name, values.get(name), value))
        m = re.search(r"magnitude = ([-+.\de]+)", table)
        factor = want.get("attention_factor", 1.0)
        if not same(float(m[1]) if m else 1.0, factor):
            problems.append("magnitude %s, not %s" % (m and m[1], factor))
        source = module.positions.get(re.search(r"positions\((%\w+)", table)[1])
        if source is None:
            kind = "input"
        else:
            kind = "iota+offset" if " offset(" in source else "iota"
            kind = "padded" if "padding" in source else kind
        if (
            expect.get("positions") in ("iota", "iota+offset", "input")
            and kind != expect["positions"]
        ):
            problems.append("positions %s, not %s" % (kind, expect["positions"]))
    return problems


def same(a, b):
    return a == b or abs(a - b) <= 1e-5 * abs(b)


def compare(module, expected):
    expect = expected["expect"]
    beyond = outside(expect)
    count = expect.get("attention")
    problems = []
    if count is not None and len(module.attentions) != count:
        problems.append("%d of %s attentions" % (len(module.attentions), count))
    if expect.get("rotary") is not None and len(module.rotaries) != expect["rotary"]:
        problems.append("%d of %d rotations" % (len(module.rotaries), expect["rotary"]))
    if expect.get("positions") == "learned" and not module.learned_positions:
        problems.append("no learned positions")
    problems += compare_rotations(module, expect) + compare_tables(module, expect)
    # One entry a layer, or one a kind; the order of kinds is not told.
    kinds = expect.get("per_attention") or []
    by_order = len(kinds) == len(module.attentions)
    for index, line in enumerate(module.attentions):
        found = describe(module, line)
        choices = [expect | kind for kind in kinds] or [expect]
        if kinds and by_order:
            choices = [choices[index]]
        failures = [compare_attention(found, want, beyond) for want in choices]
        problems += min(failures, key=len)
    words = {
        "attention": bool(module.attentions),
        "rotary": bool(module.rotaries),
        "rotary_table": bool(module.tables),
        "softcap": any("softcap =" in a for a in module.attentions),
        "sinks": any(" sinks(" in a for a in module.attentions),
    }
    for word in ("causal", "window", "chunk"):
        words[word] = any(k == word for k, _ in module.masks.values())
    for word in ("alibi", "relative"):
        words[word] = any(k == word for k, _ in module.biases.values())
    for word in expected.get("must_not", []):
        if words[word]:
            problems.append("has " + word)
    return problems


def compare_attention(found, want, beyond):
    problems = []
    if want.get("mask") is not None:
        # What is no mask of its own is data; a dense part may be computed.
        masks = {
            "tensor" if m == "document" or m.startswith("chunk") else m
            for m in want["mask"]
        }
        if masks != found["mask"]:
            problems.append("mask %s, not %s" % (sorted(found["mask"]), sorted(masks)))
    if want.get("scale") is not None and not close(found["scale"], want["scale"]):
        problems.append("scale %s, not %s" % (found["scale"], want["scale"]))
    if "softcap" in want and not close(found["softcap"] or 0, want["softcap"] or 0):
        problems.append("softcap %s" % found["softcap"])
    if "sinks" in want and found["sinks"] != want["sinks"]:
        problems.append("sinks" if found["sinks"] else "no sinks")
    if want.get("kv_groups") and found["kv_groups"] not in (None, want["kv_groups"]):
        problems.append("%s heads per key head" % found["kv_groups"])
    return problems + compare_bias(found["bias"], want.get("bias"), beyond)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attn-opt", default="attn-opt")
    parser.add_argument(
        "--remarks", action="store_true", help="print why candidates were missed"
    )
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    counts = {"ok": 0, "part": 0, "FAIL": 0}
    not_raised = {}
    for folder in graph_folders.find_graphs(options.folders):
        name, expected = folder.name, folder.expected
        expected.setdefault("expect", {"attention": 1})
        beyond = outside(expected["expect"])
        for word in beyond:
            not_raised.setdefault(word, []).append(name)
        text, reasons = raise_graph(options.attn_opt, folder.graph)
        problems = reasons[:1]
        found, attentions, rotations = "", 0, 0
        if text is not None:
            module = Module(text)
            problems = compare(module, expected)
            attentions, rotations = len(module.attentions), len(module.rotaries)
            if module.attentions:
                first = describe(module, module.attentions[0])
                found = " & ".join(sorted(first["mask"]) + sorted(first["bias"]))
        status = "FAIL" if problems else "part" if beyond else "ok"
        counts[status] += 1
        print(
            "%-4s %-55s %d %d  %-30s %s"
            % (
                status,
                name,
                attentions,
                rotations,
                found,
                "; ".join(dict.fromkeys(problems)),
            )
        )
        if options.remarks and text is not None:
            for reason in dict.fromkeys(reasons):
                print("       missed: " + reason)
    for word, names in sorted(not_raised.items()):
        print("no op raised for %s: %s" % (word, " ".join(names)))
    print(
        "%d graphs: %d as expected, %d as far as there are ops, %d not"
        % (sum(counts.values()), counts["ok"], counts["part"], counts["FAIL"])
    )
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
