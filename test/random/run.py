"""Differentiates random kernels and checks their derivatives, file by file.

usage: run.py KIND BIN_FOLDER [--include DIR...] [--nvcc NVCC] [--seed N] [--count N] [--kernels N] [--folder DIR] [--keep-going]

KIND is `loops` or `indices`. The programs are those of seeds N, N + 1, ...; the same seed is always the same program. For each file of
kernels: translate, compile for the CPU in strict mode, run in two orders of threads, compile with nvcc.

A kernel that is refused with a located message is counted, not a failure; but the share of refusals has a limit. Anything else that is
not right is a failure: a crash, an internal error, a number that is wrong, a race, a warning of nvcc in generated code.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

import driver
import index_driver
import indices
import nests

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = {"loops": (["32", "ascending", "3"], ["5", "shuffle:3", "2"]), "indices": (["8", "ascending"], ["8", "shuffle:3"])}
KINDS = {"loops": (nests.make, driver.program), "indices": (indices.make, index_driver.program)}
MARKER = "// ---- derivatives ---"


class Settings:
    def __init__(self, options):
        self.kind, self.bin, self.nvcc, self.folder = options.kind, options.bin, options.nvcc, options.folder
        self.make, self.program = KINDS[options.kind]
        self.flags = [flag for path in [HERE, *options.include] for flag in ("-I", path)]


class Outcome:
    """What became of a file: `failures` maps a kernel, or "?" where it is not known, to what happened."""

    def __init__(self):
        self.failures = collections.OrderedDict()
        self.refused = {}  # (kernel, slug): line
        self.generated = ""

    def fail(self, kernel, what):
        self.failures.setdefault(kernel, what)


def call(command, seconds=600):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, -999, "", f"took longer than {late.timeout} seconds")


def owners(text, kernels):
    """line -> kernel whose text it is"""
    names = {kernel.name for kernel in kernels}
    owner, current = {}, "?"
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"(?:__global__|__device__) \w+ (k\d+)", line)
        if match and match.group(1) in names:
            current = match.group(1)
        owner[number] = current
    return owner


def translate(settings, kernels, stem, outcome):
    source, generated = stem + ".cu", stem + "_grad.cu"
    text = "\n".join(re.sub(r"\breal\b", kernel.real, kernel.text()) for kernel in kernels)
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    if os.path.exists(generated):
        os.remove(generated)
    result = call([os.path.join(settings.bin, "gpuad-translate"), source, "-o", generated, "--", "-std=c++17", *settings.flags])
    owner = owners(text, kernels)
    for line, severity, message, slug in re.findall(r"^[^\n:]+:(\d+):\d+: (warning|error): ([^\n]*) \[gpuad-([\w-]+)\]", result.stderr, re.M):
        kernel = owner.get(int(line), "?")
        if slug == "internal-error" or severity == "error" and slug != "nothing-differentiated":
            outcome.fail(kernel, f"{slug}: {message}")
        else:
            outcome.refused.setdefault((kernel, slug), f"{source}:{line}: {message}")
    if result.returncode not in (0, 1) or result.returncode == 1 and not outcome.refused and not outcome.failures:
        outcome.fail("?", f"gpuad-translate ended with {result.returncode}: {result.stderr[:1500]}")
    if os.path.exists(generated):
        with open(generated, encoding="utf-8") as file:
            outcome.generated = file.read()


def run_on_cpu(settings, kernels, stem, outcome):
    made = {name for name in re.findall(r"\blaunch_(k\d+)_tangent\(", outcome.generated)}
    with_adjoint = {name for name in re.findall(r"\blaunch_(k\d+)_adjoint\(", outcome.generated)}
    usable = [kernel for kernel in kernels if kernel.name in made]
    with open(stem + "_check.cu", "w", encoding="utf-8") as file:
        file.write(settings.program(usable, os.path.basename(stem) + "_grad.cu", lambda name: name in with_adjoint))
    program = stem + "_program"
    result = call([os.path.join(settings.bin, "gpuad-cpucc"), "--strict", "-O0", stem + "_check.cu", "-o", program, "-std=c++17",
                   *settings.flags])
    if result.returncode:
        return outcome.fail(first_owner(outcome.generated, result.stderr), "clang: " + result.stderr[-1500:])
    for arguments in RUNS[settings.kind]:
        result = call([program, *arguments], 300)
        told = result.stdout + result.stderr
        for name, what in re.findall(r"^WRONG: (k\d+)[:,] ?(.*)$", told, re.M):
            outcome.fail(name, what)
        for report in re.findall(r"^gpuad: .*$", told, re.M):
            name = re.search(r"_Z\d+(k\d+)_|\b(k\d+)_(?:adjoint|tangent)|_Z\d+(k\d+)", report)
            outcome.fail(next((g for g in name.groups() if g), "?") if name else "?", report)
        if result.returncode and not outcome.failures:
            outcome.fail("?", f"{program} {' '.join(arguments)} ended with {result.returncode}: {told[-800:]}")
    return None


def first_owner(generated, told):
    """The kernel whose derivative a compiler complains about first."""
    match = re.search(r"_grad\.cu[:(](\d+)", told)
    if not match:
        return "?"
    before = "\n".join(generated.splitlines()[:int(match.group(1))])
    names = re.findall(r"\b(k\d+)(?:_\w+)?\(", before)
    return names[-1] if names else "?"


def compile_with_nvcc(settings, stem, outcome):
    """Warnings about the text of the kernels themselves are not ours."""
    result = call([settings.nvcc, "-std=c++17", "-arch=sm_90", "-Xptxas", "-O0", "-c", "-o", os.devnull, *settings.flags, stem + "_grad.cu"])
    start = outcome.generated[:outcome.generated.find(MARKER)].count("\n")
    told = [line for line in re.findall(r"_grad\.cu\((\d+)\): (?:warning|error)", result.stderr) if int(line) > start]
    if result.returncode or told:
        outcome.fail(first_owner(outcome.generated, re.sub(r"_grad\.cu\((\d+)\)", lambda m: m.group(0) if m.group(1) in told else "",
                                                           result.stderr)), "nvcc: " + result.stderr[:1500])


def run_file(settings, kernels, stem):
    outcome = Outcome()
    translate(settings, kernels, stem, outcome)
    if outcome.generated:
        run_on_cpu(settings, kernels, stem, outcome)
        for kernel, what in index_driver.unsound(kernels, outcome.generated) if settings.kind == "indices" else []:
            outcome.fail(kernel, what)
        if settings.nvcc:
            compile_with_nvcc(settings, stem, outcome)
    return outcome


def report(outcome, settings, kernels, total):
    for kernel, what in outcome.failures.items():
        print(f"FAILED {kernel}: {what}")
    if settings.kind == "indices":
        total.update(index_driver.count(kernels, outcome.generated))


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("bin")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50, help="programs in all")
    parser.add_argument("--kernels", type=int, default=50, help="programs in a file")
    parser.add_argument("--limit", type=float, default=10, help="percentage of programs that may be refused")
    parser.add_argument("--folder")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    failures, refused, slugs, total = 0, set(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        options.folder = options.folder or temporary
        os.makedirs(options.folder, exist_ok=True)
        settings = Settings(options)
        for seed in range(options.seed, options.seed + options.count, options.kernels):
            kernels = [settings.make(each) for each in range(seed, min(seed + options.kernels, options.seed + options.count))]
            outcome = run_file(settings, kernels, os.path.join(options.folder, f"{options.kind}_{seed}"))
            report(outcome, settings, kernels, total)
            failures += len(outcome.failures)
            refused |= {kernel for kernel, _ in outcome.refused}
            slugs.update(slug for _, slug in outcome.refused)
            sys.stdout.flush()
    share = 100 * len(refused) / options.count
    print(f"{options.count} programs from seed {options.seed}: {failures} failures, {len(refused)} refused ({share:.1f} %)")
    for slug, number in slugs.most_common():
        print(f"  refused with {slug}: {number}")
    for what, number in sorted(total.items()):
        print(f"  {what}: {number}")
    if share > options.limit:
        print(f"more than {options.limit:g} % were refused")
    return 1 if failures or share > options.limit else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
