"""The time of a translation, as a ratio to the two bare runs of clang that it contains.

usage: translate_time.py GPUAD_TRANSLATE CLANG CUDA_PATH [--runs N] [--limit RATIO] [--only NAME]

Prints, for each input, the median over N runs of user+system time of gpuad-translate, divided by that of clang -fsyntax-only for the
host pass and the device pass together. Ends with 1 when a ratio is above the limit, 77 without a CUDA toolkit.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

SKIPPED = 77

SMALL = """
__global__ void small(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + sinf(y[i]);
}
"""

LINE_KERNEL = """
__global__ void kernel_{0}(int n, float a, const float *x, const float *w, float *y) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float u = x[i] * w[i] + a;
  float v = u * u - expf(-u);
  if (v > 0.0f)
    v = sqrtf(v) + u;
  else
    v = v * 0.5f;
  float t = v / (1.0f + u * u);
  y[i] = t + a * v;
}}
"""


def inputs():
    """name: (source, HEAD)"""
    count = 1000 // LINE_KERNEL.count("\n") + 1
    long = "".join(LINE_KERNEL.format(number) for number in range(count))
    return {
        "small": (SMALL, "small(y)/(a,x)"),
        "cub": ("#include <cub/cub.cuh>\n" + SMALL, "small(y)/(a,x)"),
        "1000 lines": (long, None),  # no request: every kernel, both modes
    }


def cpu_seconds(command):
    """User and system time of a command that must succeed."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            print(" ".join(command) + "\n" + output.read().decode())
            sys.exit(1)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("translator")
    parser.add_argument("clang")
    parser.add_argument("cuda_path")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=1.3)
    parser.add_argument("--only")
    options = parser.parse_args()
    if not options.cuda_path:
        print("skipped: there is no CUDA toolkit on this machine")
        return SKIPPED
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, head) in inputs().items():
            if options.only not in (None, name):
                continue
            source = os.path.join(folder, name.replace(" ", "_") + ".cu")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            clang = [options.clang, "-x", "cuda", "-std=c++17", "-fsyntax-only", "-Wno-unknown-cuda-version",
                     "--cuda-path=" + options.cuda_path, "-isystem", options.cuda_path + "/include/cccl", source]
            passes = (["--cuda-host-only"], ["--cuda-device-only", "--cuda-gpu-arch=sm_80"])
            requests = ["--adjoint=" + head, "--tangent=" + head] if head else []
            translate = [options.translator, *requests, "--cuda-path=" + options.cuda_path, source, "-o", source + ".out.cu",
                         "--", "-std=c++17"]
            bare = statistics.median(sum(cpu_seconds(clang + flags) for flags in passes) for _ in range(options.runs))
            ours = statistics.median(cpu_seconds(translate) for _ in range(options.runs))
            print(f"{name:12s} clang twice {bare:6.2f} s   gpuad-translate {ours:6.2f} s   ratio {ours / bare:5.2f}")
            worst = max(worst, ours / bare)
    print(f"worst ratio {worst:.2f}, limit {options.limit}")
    return 1 if worst > options.limit else 0


if __name__ == "__main__":
    sys.exit(main())
