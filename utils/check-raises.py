#!/usr/bin/env python3
"""Compares what attn-raise recovers from graphs with what they hold.

A graph is a folder with graph.mlir and expected.json, whose "expect" says how
many attentions there are, their mask, scale, softcap, bias and heads. Prints a
line for each graph and the number that agree; exits with 1 if one does not.

usage: check-raises.py [--attn-opt PATH] [--remarks] FOLDER...
A FOLDER may hold one graph or many.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys


def graphs(folders):
    for folder in folders:
        if os.path.exists(os.path.join(folder, "graph.mlir")):
            yield folder
            continue
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.exists(os.path.join(path, "graph.mlir")):
                yield path


def raise_graph(attn_opt, path):
    command = [attn_opt, "--attn-raise", "--remarks-filter=attn-raise",
               "--remark-format=emitRemark", "--mlir-elide-elementsattrs-if-larger=8",
               "--mlir-elide-resource-strings-if-larger=8",
               os.path.join(path, "graph.mlir")]
    result = subprocess.run(command, capture_output=True, text=True)
    reasons = re.findall(r'\[Missed\].*?Reason="([^"]*)"', result.stderr)
    if result.returncode != 0:
        lines = [l for l in result.stderr.splitlines() if "error:" in l]
        return None, [lines[0] if lines else "exit %d" % result.returncode]
    return result.stdout, reasons


class Module:
    """The attn ops of printed IR, by the names of their results."""

    def __init__(self, text):
        self.masks, self.biases, self.constants = {}, {}, {}
        self.attentions = []
        for line in text.splitlines():
            line = line.strip()
            if m := re.match(r"(%\w+) = arith\.constant (-?\d+) : index", line):
                self.constants[m[1]] = int(m[2])
            elif m := re.match(r"(%\w+) = attn\.mask\.(\w+)(.*)", line):
                self.masks[m[1]] = (m[2], m[3])
            elif m := re.match(r"(%\w+) = attn\.bias\.(\w+)(.*)", line):
                self.biases[m[1]] = (m[2], m[3])
            elif " = attn.attention " in line:
                self.attentions.append(line)

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
    shape = lambda part: re.search(part + r"\(%[\w#]+ : tensor<([\dx?]+)x",
                                   line)[1].split("x")
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
    known = query[1] != "?" and key[1] != "?"
    found["kv_groups"] = int(query[1]) // int(key[1]) if known else None
    return found


def close(a, b):
    return a is None or b is None or abs(a - b) <= 1e-3 * abs(b)


def compare(module, expected):
    expect = expected["expect"]
    count = expect.get("attention")
    problems = []
    if count is not None and len(module.attentions) != count:
        problems.append("%d of %s attentions" % (len(module.attentions), count))
    kinds = expect.get("per_attention") or []
    for index, line in enumerate(module.attentions):
        found = describe(module, line)
        want = dict(expect)
        if len(kinds) == len(module.attentions):
            want.update(kinds[index])
        elif kinds:
            want.update({"mask": None, "bias": None})
        if want.get("mask") is not None:
            # What is no mask of its own is data; a dense part may be computed.
            masks = set(want["mask"])
            masks = {"tensor" if m == "document" else m for m in masks}
            got = set(found["mask"])
            if masks != got:
                problems.append("mask %s, not %s" % (sorted(got), sorted(masks)))
        if want.get("scale") is not None and not close(found["scale"], want["scale"]):
            problems.append("scale %s, not %s" % (found["scale"], want["scale"]))
        if "softcap" in want and not close(found["softcap"] or 0,
                                           want["softcap"] or 0):
            problems.append("softcap %s" % found["softcap"])
        if want.get("kv_groups") and found["kv_groups"] not in (None, want["kv_groups"]):
            problems.append("%s heads per key head" % found["kv_groups"])
        bias = want.get("bias")
        if bias is not None and (bias == "none") != (not found["bias"]):
            problems.append("bias %s, not %s" % (sorted(found["bias"]), bias))
    words = {"attention": bool(module.attentions),
             "softcap": any("softcap =" in a for a in module.attentions),
             "causal": any(k == "causal" for k, _ in module.masks.values()),
             "window": any(k == "window" for k, _ in module.masks.values()),
             "alibi": any(k == "alibi" for k, _ in module.biases.values())}
    for word in expected.get("must_not", []):
        if words.get(word):
            problems.append("has " + word)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attn-opt", default="attn-opt")
    parser.add_argument("--remarks", action="store_true",
                        help="print why candidates were missed")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    total = good = 0
    for path in graphs(options.folders):
        with open(os.path.join(path, "expected.json")) as file:
            expected = json.load(file)
        if "expect" not in expected:
            expected["expect"] = {"attention": 1}
        text, reasons = raise_graph(options.attn_opt, path)
        problems = reasons[:1]
        masks = ""
        if text is not None:
            module = Module(text)
            problems = compare(module, expected)
            if module.attentions:
                found = describe(module, module.attentions[0])
                masks = " & ".join(sorted(found["mask"]) + sorted(found["bias"]))
        total += 1
        good += not problems
        count = len(module.attentions) if text is not None else 0
        print("%-4s %-55s %d  %-30s %s" % ("ok" if not problems else "FAIL",
              os.path.basename(path), count, masks, "; ".join(dict.fromkeys(problems))))
        if options.remarks and text is not None:
            for reason in dict.fromkeys(reasons):
                print("       missed: " + reason)
    print("%d of %d graphs as expected" % (good, total))
    return 0 if good == total else 1


if __name__ == "__main__":
    sys.exit(main())
