"""What adjoints of loops cost nvcc, beside their primals.

usage: compile_cost.py GPUAD_TRANSLATE NVCC [--include DIR...] [--only NAME] [--runs N]

Prints, for each of ten kernels, CPU time of cicc and ptxas, size of the PTX, basic blocks, registers, spills and stack, of the primal
and of the adjoint, and their ratios. Marks what misses its figure: registers, and a time of ptxas of four times the primal's where a
body has 64 carried values or 64 copies. Ends with 77 without nvcc.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

import ptx
from compile_kernels import KERNELS

SKIPPED = 77
MOST_PTXAS = {"carried": 4.0, "copies": 4.0}


def measure(options, name, folder):
    """[(seconds of cicc, seconds of ptxas, bytes of PTX, blocks, registers, spilled, stack)] of primal and adjoint"""
    text, _ = KERNELS[name]
    source, generated = os.path.join(folder, name + ".cu"), os.path.join(folder, name + "_grad.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    flags = [flag for path in options.include for flag in ("-I", path)]
    subprocess.run([options.translate, source, f"--adjoint={name}(y)/(x)", "-o", generated, "--", *flags], check=True)
    plain, _ = ptx.phases(options.nvcc, source, flags, folder)
    both, text = ptx.phases(options.nvcc, generated, flags, folder)
    modules = ptx.kernels_of(text)
    rows = []
    for kernel, cicc in ((name, plain), (name + "_adjoint", both - plain)):
        mangled = ptx.named(modules, kernel)
        module = modules[mangled]
        runs = [ptx.assemble(options.nvcc, module, folder) for _ in range(options.runs)]
        seconds = statistics.median(run[0] for run in runs)
        rows.append((cicc, seconds, len(ptx.body_of(module, mangled)), ptx.blocks(module, mangled), *runs[0][1:]))
    return rows


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("translate")
    parser.add_argument("nvcc", nargs="?", default="")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--only")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args(arguments)
    if not options.nvcc:
        print("skipped: there is no nvcc on this machine")
        return SKIPPED
    print(f"primal -> adjoint (ratio)  {'cicc s':>20s} {'ptxas s':>22s} {'PTX kB':>20s} {'blocks':>15s} {'registers':>15s} {'spills':>12s} {'stack':>12s}")
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (_, most) in KERNELS.items():
            if options.only and name != options.only:
                continue
            (cicc, ptxas, size, blocks, registers, spills, stack), adjoint = measure(options, name, folder)
            print(f"{name:26s} {cicc:6.2f} ->{adjoint[0]:6.2f} ({adjoint[0] / cicc:4.1f}) {ptxas:6.3f} ->{adjoint[1]:6.3f} ({adjoint[1] / ptxas:4.1f})"
                  f" {size / 1024:6.1f} ->{adjoint[2] / 1024:6.1f} ({adjoint[2] / size:4.1f}) {blocks:4d} ->{adjoint[3]:4d} ({adjoint[3] / blocks:4.1f})"
                  f" {registers:4d} ->{adjoint[4]:4d} {spills:6d} ->{adjoint[5]:5d} {stack:5d} ->{adjoint[6]:5d}")
            if most and adjoint[4] > most:
                missed.append(f"{name}: {adjoint[4]} registers, {most} are to be met")
            if name in MOST_PTXAS and adjoint[1] / ptxas > MOST_PTXAS[name]:
                missed.append(f"{name}: {adjoint[1] / ptxas:.1f} times the primal's time of ptxas")
    print("\n".join(["missed: " + each for each in missed] or ["all figures are met"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
