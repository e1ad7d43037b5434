"""Compiles a program with nvcc and runs it on the machine's GPU.

usage: gpu_run.py NVCC PROGRAM.cu OUT RUN... -- FLAG...      a RUN is one string of arguments, "-" for none

Ends with 77 (skipped) when there is no nvcc or no GPU.
"""

import shlex
import shutil
import subprocess
import sys

SKIPPED = 77


def has_gpu():
    tool = shutil.which("nvidia-smi")
    if not tool:
        return False
    result = subprocess.run([tool, "-L"], capture_output=True, text=True, check=False)
    return result.returncode == 0 and "GPU" in result.stdout


def main(nvcc, source, program, *runs, flags):
    if not nvcc or not has_gpu():
        print("skipped: this machine has no " + ("GPU" if nvcc else "nvcc"))
        return SKIPPED
    subprocess.run([nvcc, "-std=c++17", "-arch=native", *flags, source, "-o", program], check=True)
    for run in runs:
        call = [program] + ([] if run == "-" else shlex.split(run))
        result = subprocess.run(call, check=False)
        if result.returncode != 0:
            print(f"{shlex.join(call)} ended with {result.returncode}")
            return 1
    return 0


if __name__ == "__main__":
    split = sys.argv.index("--")
    sys.exit(main(*sys.argv[1:split], flags=sys.argv[split + 1:]))
