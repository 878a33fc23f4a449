#!/usr/bin/env python3
"""Feeds damaged programs to the tools, which may refuse them but not crash.

  fuzz-parsers.py BIN DIRECTORY [--first=N] [--count=N] [--jobs=N] [--quick]

Random programs, those of the test folder, and the bytecode of both are damaged
by `attn-gen --mutate`. attn-opt parses, verifies and lowers many at once; it and
some other tool get each alone, the language server as a file that an editor
opens. Transform scripts are run, too. A tool fails if a signal ends it, if
a sanitizer reports, if it exits with a code that it does not document, or if it
takes longer than --limit seconds (not with --quick). What attn-opt can still
read has to print to something that reads back the same.

Upstream's own crashes the tools report as an error ("makes the compiler crash").
Such a program goes to stock mlir-opt with the plugin; if a function of this
project is on the stack there, or if it does not crash there, the tool has failed.

What fails is left in DIRECTORY with the command. Exits with 1 if anything did.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys

import fuzz_options

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 25
CAUGHT = "makes the compiler crash"
SANITIZER = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehavior")
# Reached by sizes of a damaged program, and no crash that a tool could avoid.
OUT_OF_MEMORY = re.compile(r"out of memory|bad_alloc|cannot allocate")
FRAME = re.compile(r"AttnPlugin\.so\+0x")
# The reader of bytecode takes sizes that the parser of text does not.
NO_SIZE = re.compile(rb"x-\d|<-\d")
PIPELINE = "--attn-cpu-pipeline=stage=linalg"
SCRIPT = "--transform-interpreter"
# Finds all that is left interesting, so that each reduction is tried.
REDUCTION = "--reduction-tree=traversal-mode=0 test=/bin/false"
# Its crashes nothing catches.
UNGUARDED = "attn-lsp-server"


def limit_memory():
    """4 GiB, which is more than any sound program here needs."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def as_editor(text):
    """What an editor sends that opens a file, asks about it and quits."""
    document = {"uri": "test:///damaged.mlir"}
    place = {"textDocument": document, "position": {"line": 2, "character": 9}}
    opened = {**document, "languageId": "mlir", "version": 1}
    opened["text"] = text.decode(errors="replace")
    start = {"processId": 1, "rootPath": "mlir", "capabilities": {}, "trace": "off"}
    messages = [
        {"id": 0, "method": "initialize", "params": start},
        {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
        {"id": 1, "method": "textDocument/hover", "params": place},
        {"id": 2, "method": "textDocument/definition", "params": place},
        {"id": 3, "method": "textDocument/documentSymbol", "params": {"textDocument": document}},
        {"id": 4, "method": "shutdown"},
        {"method": "exit"},
    ]
    lines = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
    return "\n// -----\n".join(lines).encode() + b"\n"


class Fuzzer:
    def __init__(self, options):
        self.options = options
        self.directory = pathlib.Path(options.directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.sanitized = self.is_sanitized()
        self.counts = {"programs": 0, "valid": 0, "caught": 0, "slow": 0, "memory": 0}
        folders = ["test", "examples"]
        self.texts = sorted(
            path for folder in folders for path in (ROOT / folder).rglob("*.mlir")
            if path.stat().st_size < 40000
        )

    def tool(self, name):
        return os.path.join(self.options.bin, name)

    def is_sanitized(self):
        # The reservations of AddressSanitizer are beyond any limit of memory.
        return b"__asan_init" in pathlib.Path(self.tool("attn-opt")).read_bytes()

    def call(self, command, **options):
        if "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        return subprocess.run(
            command,
            capture_output=True,
            check=False,
            timeout=self.options.limit,
            preexec_fn=None if self.sanitized else limit_memory,
            **options,
        )

    # Programs.

    def pick(self, rng, name):
        """A sound program in a file, whose contents are to be damaged."""
        source = self.directory / f"{name}.sound"
        if rng.random() < 0.5:
            emit = "bytecode" if rng.random() < 0.35 else "mlir"
            steps = rng.randint(1, 3)
            self.call(
                [self.tool("attn-gen"), f"--seed={rng.randrange(10000)}", f"--steps={steps}"]
                + [f"--emit={emit}", "-o", str(source)]
            )
            return source
        text = rng.choice(self.texts).read_text(errors="replace")
        text = rng.choice(text.split("// -----"))
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
        source.write_text("\n".join(lines) + "\n")
        if rng.random() < 0.3:
            bytecode = self.directory / f"{name}.bytecode"
            done = self.call(
                [self.tool("attn-opt"), str(source), "--emit-bytecode", "-o", str(bytecode)]
            )
            if done.returncode == 0:
                os.replace(bytecode, source)
        return source

    def damage(self, source, seed, path):
        self.call([self.tool("attn-gen"), f"--mutate={source}", f"--seed={seed}", "-o", str(path)])
        return path.read_bytes() if path.exists() else b""

    # Tools.

    def run(self, command, program, **options):
        """What went wrong with a command, or None, and what it printed."""
        try:
            done = self.call(command, **options)
        except subprocess.TimeoutExpired:
            self.counts["slow"] += 1
            return (None if self.options.quick else "takes too long"), None
        errors = done.stderr.decode(errors="replace")
        if SANITIZER.search(errors):
            return "sanitizer: " + errors[:3000], None
        if done.returncode not in (0, 1, 3):
            if OUT_OF_MEMORY.search(errors):
                self.counts["memory"] += 1
                return None, None
            if done.returncode < 0 and command[0].endswith(UNGUARDED):
                self.counts["caught"] += 1
                return self.judge_crash(command, program), None
            return f"exit code {done.returncode}: {errors[:3000]}", None
        if done.returncode == 1 and not errors.strip():
            return "fails without a word", None
        if CAUGHT in errors:
            self.counts["caught"] += 1
            return self.judge_crash(command, program), None
        return None, done.stdout if done.returncode == 0 else None

    def judge_crash(self, command, program):
        """Whether a crash that was caught is this project's."""
        plugin = pathlib.Path(self.options.bin).parent / "lib" / "AttnPlugin.so"
        if self.sanitized or not plugin.exists():
            return None
        passes = []
        if PIPELINE in command:
            passes = ["--pass-pipeline=builtin.module(attn-cpu-pipeline{stage=linalg})"]
        elif SCRIPT in command:
            passes = ["--pass-pipeline=builtin.module(transform-interpreter)"]
        flags = [flag for flag in command[1:] if flag.startswith(("--split", "--mlir"))]
        try:
            done = self.call(
                ["mlir-opt-22", f"--load-dialect-plugin={plugin}", str(program), *passes, *flags]
            )
        except subprocess.TimeoutExpired:
            return None
        errors = done.stderr.decode(errors="replace")
        if done.returncode >= 0:
            return f"crashes in {command[0]} only"
        if FRAME.search(errors):
            return "crash in this project: " + errors[:3000]
        return None

    def check_alone(self, path, name, rng):
        """The first failure of the tools with one program."""
        opt = self.tool("attn-opt")
        wrong, printed = self.run([opt, str(path), "-o", "-"], path)
        if wrong:
            return "attn-opt", wrong
        if printed is not None and not NO_SIZE.search(printed):
            self.counts["valid"] += 1
            again = self.directory / f"{name}.again.mlir"
            again.write_bytes(printed)
            wrong, second = self.run([opt, str(again), "-o", "-"], again)
            if wrong or second != printed:
                return "attn-opt", wrong or "prints what does not read back the same"
            again.unlink()
        text = path.read_bytes()
        huge = re.search(rb"\d{5,}x|x\d{5,}", text)
        others = [
            [opt, str(path), PIPELINE, "-o", "-"],
            [self.tool("attn-compile"), str(path), "--emit=mlir-linalg", "-o", "-"],
        ]
        if not text.startswith(b"ML\xefR"):
            others.append([self.tool("attn-lsp-server"), "-lit-test"])
        if b"transform." in text:
            others = [[opt, str(path), SCRIPT, "-o", "-"]]
        elif printed is not None:
            others.append([self.tool("attn-reduce"), str(path), REDUCTION, "-o", "-"])
            if not huge:
                others.append([self.tool("attn-run"), str(path), "--reference"])
                others.append([self.tool("attn-run"), str(path), "--no-vectorize"])
        command = rng.choice(others)
        options = {"input": as_editor(text)} if "attn-lsp-server" in command[0] else {}
        wrong, _ = self.run(command, path, **options)
        return (" ".join(command), wrong) if wrong else None

    # Seeds.

    def check_batch(self, first):
        """BATCH damaged programs; failures as (seed, command, text)."""
        failures, texts = [], []
        rng = random.Random(first)
        for seed in range(first, first + BATCH):
            name = f"mutant-{seed}"
            path = self.directory / f"{name}.mlir"
            source = self.pick(rng, name)
            damaged = self.damage(source, seed, path)
            source.unlink(missing_ok=True)
            self.counts["programs"] += 1
            alone = (b"ML\xefR", b"transform.", b"// -----")
            if any(sign in damaged for sign in alone) or seed % 5 == 0:
                found = self.check_alone(path, name, rng)
                if found:
                    failures.append((seed, *found))
                    continue
            else:
                texts.append((seed, damaged))
            path.unlink(missing_ok=True)
        return failures + self.check_together(first, texts, rng)

    def check_together(self, first, texts, rng):
        batch = self.directory / f"batch-{first}.mlir"
        batch.write_bytes(b"\n// -----\n".join(text for _, text in texts))
        command = [self.tool("attn-opt"), str(batch), "--split-input-file", PIPELINE, "-o", "-"]
        before = self.counts["caught"]
        wrong, _ = self.run(command, batch)
        failures = []
        if wrong or self.counts["caught"] > before:
            # Which one?
            for seed, text in texts:
                path = self.directory / f"mutant-{seed}.mlir"
                path.write_bytes(text)
                found = self.check_alone(path, f"mutant-{seed}", rng)
                if not found:
                    single = [self.tool("attn-opt"), str(path), PIPELINE, "-o", "-"]
                    alone, _ = self.run(single, path)
                    found = (" ".join(single), alone) if alone else None
                if found:
                    failures.append((seed, *found))
                else:
                    path.unlink()
            if wrong and not failures:
                return [(first, " ".join(command), wrong)]
        batch.unlink()
        return failures


def main():
    parser = fuzz_options.make_parser(
        __doc__, count=100, unit="batches", quick="slow is not wrong"
    )
    parser.add_argument("--limit", type=float, default=60, help="seconds for a tool (60)")
    options = parser.parse_args()

    fuzzer = Fuzzer(options)
    failed = 0
    starts = range(options.first, options.first + options.count, BATCH)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for failures in pool.map(fuzzer.check_batch, starts):
            for seed, command, text in failures:
                failed += 1
                print(f"FAILED seed {seed}: {command}\n{text}\n", flush=True)
    print(", ".join(f"{count} {name}" for name, count in fuzzer.counts.items()))
    print(f"{failed} failures")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
