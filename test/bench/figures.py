"""Atomics, barriers, registers and heap of the adjoints of known kernels at sm_90, beside the figures that they are to meet.

usage: figures.py GPUAD_TRANSLATE NVCC [--include DIR...]

A table to read: a figure that is missed is marked, and is no failure. Ends with 77 without nvcc.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import ptx

SKIPPED = 77
INDEX = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

ELEMENTWISE = ("__global__ void elementwise(int n, const double *x, double *y) {\n" + INDEX +
               "  if (i < n)\n    y[i] = sin(x[i]) * x[i];\n}\n")
TILED = """__global__ void tiled(int n, const double *a, const double *b, double *c) {
  __shared__ double s[16][16], t[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  double sum = 0;
  for (int k = 0; k < n / 16; ++k) {
    s[threadIdx.y][threadIdx.x] = a[row * n + k * 16 + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(k * 16 + threadIdx.y) * n + col];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += s[threadIdx.y][j] * t[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
"""
TREE = """__global__ void tree(const double *x, double *y) {
  __shared__ double s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0)
    y[blockIdx.x] = s[0];
}
"""
UNIFORM = ("__global__ void uniform(int n, const double *__restrict__ p, const double *__restrict__ x, double *y) {\n" + INDEX +
           "  if (i < n)\n    y[i] = p[0] * x[i] + p[1];\n}\n")
FLOAT4 = ("__global__ void wide(int n, const float4 *x, float *y) {\n" + INDEX +
          "  if (i >= n)\n    return;\n  float4 v = x[i];\n  y[i] = v.x * v.y * v.z * v.w;\n}\n")


def lattice():
    """D2Q9: streaming by pull and collision, on a periodic grid."""
    steps = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    weights = ["4.0 / 9.0"] + ["1.0 / 9.0"] * 4 + ["1.0 / 36.0"] * 4
    text = ["__global__ void lattice(int w, int h, double omega, const double *__restrict__ in, double *__restrict__ out) {",
            "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;",
            "  if (x >= w || y >= h)", "    return;", "  int at = y * w + x, size = w * h;",
            "  int west = x > 0 ? x - 1 : w - 1, east = (x + 1) % w, south = (y - 1 + h) % h, north = y + 1 < h ? y + 1 : 0;"]
    column, row = {0: "x", 1: "west", -1: "east"}, {0: "y", 1: "south", -1: "north"}
    text += [f"  double f{k} = in[{k} * size + {row[dy]} * w + {column[dx]}];" for k, (dx, dy) in enumerate(steps)]
    signed = lambda axis: " + ".join(f"{step[axis]} * f{k}" for k, step in enumerate(steps) if step[axis])
    text += ["  double rho = " + " + ".join(f"f{k}" for k in range(9)) + ";",
             f"  double u = ({signed(0)}) / rho, v = ({signed(1)}) / rho, square = 1.5 * (u * u + v * v);"]
    for k, (dx, dy) in enumerate(steps):
        text += [f"  double e{k} = 3.0 * ({dx} * u + {dy} * v);",
                 f"  out[{k} * size + at] = f{k} + omega * ({weights[k]} * rho * (1.0 + e{k} + 0.5 * e{k} * e{k} - square) - f{k});"]
    return "\n".join(text + ["}"]) + "\n"


# name: (source, HEAD, {figure: the most it may be})
KERNELS = {
    "elementwise": (ELEMENTWISE, "(y)/(x)", {"global atomics": 0}),
    "tiled": (TILED, "(c)/(a,b)", {"registers": 64, "device heap": 0}),
    "lattice": (lattice(), "(out)/(in)", {"global atomics": 0, "registers": 80}),
    "tree": (TREE, "(y)/(x)", {"shared atomics": 0, "barriers": 10, "registers": 28}),
    "uniform": (UNIFORM, "(y)/(p,x)", {"global atomics": 2}),
    "wide": (FLOAT4, "(y)/(x)", {"global atomics": 0}),
}
COUNTED = {"global atomics": r"\b(?:red|atom)\.(?:[\w.]*\.)?global", "shared atomics": r"\b(?:red|atom)\.(?:[\w.]*\.)?shared",
           "generic atomics": r"\b(?:red|atom)\.(?!\w*\.?(?:global|shared))(?:add|cas)", "barriers": r"\b(?:bar|barrier)\.\w*\.?sync",
           "device heap": r"\bmalloc\b"}


def measure(options, name, folder):
    text, head, _ = KERNELS[name]
    source, generated = os.path.join(folder, name + ".cu"), os.path.join(folder, name + "_grad.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    flags = [flag for path in options.include for flag in ("-I", path)]
    subprocess.run([options.translate, source, f"--adjoint={name}{head}", "-o", generated, "--", *flags], check=True)
    modules = ptx.kernels_of(ptx.phases(options.nvcc, generated, flags, folder)[1])
    mangled = ptx.named(modules, name + "_adjoint")
    body = ptx.body_of(modules[mangled], mangled)
    found = {figure: len(re.findall(pattern, body)) for figure, pattern in COUNTED.items()}
    found["registers"] = ptx.assemble(options.nvcc, modules[mangled], folder)[1]
    return found


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
        for name, (_, _, most) in KERNELS.items():
            found = measure(options, name, folder)
            cells = [f"{number} {figure}" + ("" if figure not in most else f" (at most {most[figure]}" + (")" if number <= most[figure] else ", MISSED)"))
                     for figure, number in found.items() if number or figure in most]
            print(f"{name:12s} " + ", ".join(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
