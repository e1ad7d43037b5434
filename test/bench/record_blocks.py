"""The PTX of a loop that records has as many basic blocks as the same loop without the record: no branch and no call for each value.

usage: record_blocks.py GPUAD_TRANSLATE NVCC [--include DIR...]

In the text of the adjoint, an empty piece of assembler that takes the value is put before each record, as a mark; the loops around the marks are
compared with those of a text with the marks alone. With a branch around each record, the numbers must differ, which is tested too. Ends with 77
without nvcc.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import ptx
from compile_kernels import KERNELS

SKIPPED = 77
# Counted by the launch's arguments, and by the run.
NAMES = ("run_time_loop", "while_loop")
RECORD = re.compile(r"^( *)(\w+_at(?:_\d+)?(?:\.put\([^,]*, |\[[^\]]*\] = )(.*?)\)?;)$", re.M)
# The mark: a use of the value that costs nothing.
HELPERS = """
__device__ __forceinline__ void mark(double v) { asm volatile("// mark" :: "d"(v)); }
__device__ __forceinline__ void mark(float v) { asm volatile("// mark" :: "f"(v)); }
__device__ __forceinline__ void mark(int v) { asm volatile("// mark" :: "r"(v)); }
__device__ __forceinline__ void mark(bool v) { asm volatile("// mark" :: "r"(int(v))); }
__device__ __noinline__ unsigned some_number() { return clock(); }
"""


def blocks_of(options, name, text, folder):
    path = os.path.join(folder, name + "_variant.cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    flags = [flag for folder in options.include for flag in ("-I", folder)]
    modules = ptx.kernels_of(ptx.phases(options.nvcc, path, flags, folder)[1])
    mangled = ptx.named(modules, name + "_adjoint")
    return loops_with_marks(ptx.body_of(modules[mangled], mangled))


def loops_with_marks(text):
    """The numbers of basic blocks in the innermost loops around the marks: from a label to the last branch back to it."""
    lines = [line.strip() for line in text.splitlines()]
    labels = {line[:-1]: number for number, line in enumerate(lines) if re.match(r"\$L__BB\d+_\d+:$", line)}
    loops = [(labels[target.group(1)], number) for number, line in enumerate(lines)
             if (target := re.search(r"\bbra(?:\.uni)?\s+(\$L__BB\d+_\d+);", line)) and labels[target.group(1)] <= number]
    around = set()
    for mark in (number for number, line in enumerate(lines) if line == "// mark"):
        around.add(min((loop for loop in loops if loop[0] < mark < loop[1]), key=lambda loop: loop[1] - loop[0], default=(mark, mark)))
    return sorted(sum(first <= number <= last for number in labels.values()) for first, last in around)


def check(options, name, folder):
    """What is wrong, or None."""
    source, generated = os.path.join(folder, name + ".cu"), os.path.join(folder, name + "_grad.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(KERNELS[name][0])
    flags = [flag for path in options.include for flag in ("-I", path)]
    subprocess.run([options.translate, source, f"--adjoint={name}(y)/(x)", "-o", generated, "--", *flags], check=True)
    with open(generated, encoding="utf-8") as file:
        text = file.read()
    text = text.replace("GPUAD_GENERATED_BEGIN", "GPUAD_GENERATED_BEGIN" + HELPERS, 1)
    records = len(RECORD.findall(text))
    if records == 0:
        return f"{name}: nothing is recorded in the text"
    variants = [RECORD.sub(r"\1mark(\3);\n\1\2", text), RECORD.sub(r"\1mark(\3);", text),
                RECORD.sub(r"\1mark(\3);\n\1if (threadIdx.x < some_number()) \2", text)]
    with_records, without, branched = (blocks_of(options, name, variant, folder) for variant in variants)
    print(f"{name:14s} {records} records: basic blocks of the loops {with_records}, {without} without them, {branched} with a branch at each")
    if with_records != without or not any(without):
        return f"{name}: recording makes {with_records} basic blocks out of {without}"
    return None if branched != without else f"{name}: a branch at each record does not show, so this tests nothing"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("translate")
    parser.add_argument("nvcc", nargs="?", default="")
    parser.add_argument("--include", action="append", default=[])
    options = parser.parse_args(arguments)
    if not options.nvcc:
        print("skipped: there is no nvcc on this machine")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        wrong = [what for name in NAMES if (what := check(options, name, folder))]
    print("\n".join(wrong or ["recording changes no basic block"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
