"""The PTX of a loop that records has no more basic blocks than the same loop without the record: no branch and no call for each value.

usage: record_blocks.py GPUAD_TRANSLATE NVCC [--include DIR...]

In the text of the adjoint, each record is replaced by an empty piece of assembler that takes the value; both are compiled and compared. With a
branch around each record, the numbers must differ, which is tested too. Ends with 77 without nvcc.
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
# What stands in the place of a record: a use of the value that costs nothing.
HELPERS = """
__device__ __forceinline__ void keep(double v) { asm volatile("" :: "d"(v)); }
__device__ __forceinline__ void keep(float v) { asm volatile("" :: "f"(v)); }
__device__ __forceinline__ void keep(int v) { asm volatile("" :: "r"(v)); }
__device__ __forceinline__ void keep(bool v) { asm volatile("" :: "r"(int(v))); }
__device__ __noinline__ unsigned some_number() { return clock(); }
"""


def blocks_of(options, name, text, folder):
    path = os.path.join(folder, name + "_variant.cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    flags = [flag for folder in options.include for flag in ("-I", folder)]
    modules = ptx.kernels_of(ptx.phases(options.nvcc, path, flags, folder)[1])
    mangled = ptx.named(modules, name + "_adjoint")
    return ptx.blocks(modules[mangled], mangled)


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
    variants = [text, RECORD.sub(r"\1keep(\3);", text), RECORD.sub(r"\1if (threadIdx.x < some_number()) \2", text)]
    with_records, without, branched = (blocks_of(options, name, variant, folder) for variant in variants)
    print(f"{name:14s} {records} records: {with_records} basic blocks, {without} without them, {branched} with a branch at each")
    if with_records > without:
        return f"{name}: recording makes {with_records} basic blocks out of {without}"
    return None if branched > without else f"{name}: a branch at each record does not show, so this tests nothing"


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
    print("\n".join(wrong or ["recording adds no basic block"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
