"""Kernels with deep or many-variable loops, and what is known of the registers that their adjoints may take."""

INDEX = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n)\n    return;\n"


def kernel(name, body, parameters="int n, int m, const double *x, double *y"):
    return f"__global__ void {name}({parameters}) {{\n{INDEX}{body}}}\n"


def many_carried(count):
    """A loop that carries `count` values, each of which needs its neighbour's old one."""
    start = "".join(f"  double v{k} = x[i] + {k}.0;\n" for k in range(count))
    old = f"    double first = v0;\n"
    steps = "".join(f"    v{k} = v{k} * {0.5 + k / 200:.3f} + 0.25 * sin({f'v{k + 1}' if k + 1 < count else 'first'});\n" for k in range(count))
    total = " + ".join(f"v{k}" for k in range(count))
    return kernel("carried", f"{start}  for (int k = 0; k < m; ++k) {{\n{old}{steps}  }}\n  y[i] = {total};\n")


def copies(count):
    """The body of a loop, unrolled by hand."""
    step = "  v = sin(v) + v * x[i + {0}];\n  w = w * v + 0.5 * w;\n"
    return kernel("copies", "  double v = x[i], w = 1.0;\n" + "".join(step.format(k) for k in range(count)) + "  y[i] = v * w;\n")


RUN_TIME_LOOP = kernel("run_time_loop", "  double v = x[i];\n  for (int k = 0; k < m; ++k)\n    v = sin(v) + v * x[i];\n  y[i] = v;\n")
WHILE_LOOP = kernel("while_loop", "  double v = x[i];\n  while (v > 0.3)\n    v = 0.5 * v + 0.1 * sqrt(v);\n  y[i] = v * v;\n")
TWO_NESTED = kernel("two_nested", """  double v = x[i];
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b)
      v = sin(v) + v * x[i];
    v = v * 0.5;
  }
  y[i] = v;
""")
THREE_NESTED = kernel("three_nested", """  double u = x[i];
  for (int a = 0; a < m; ++a) {
    double v = u * u * 0.5;
    for (int b = 0; b < m; ++b) {
      double w = v + 0.25 * u;
      for (int c = 0; c < m; ++c)
        w = w * (1.0 - 0.1 * w);
      v = v * w;
    }
    u = u * 0.7 + v;
  }
  y[i] = u;
""")
MARCH = kernel("march", """  double through = 1.0, sum = 0.0;
  for (int k = 0; k < m; ++k) {
    double a = 1.0 - exp(-x[(i + k) % n]);
    if (a < 0.1)
      continue;
    sum += through * a * x[k];
    through *= 1.0 - a;
    if (through < 0.001)
      break;
  }
  y[i] = sum;
""")
RUNGE_KUTTA = kernel("runge_kutta", """  double s[3] = {x[i], 1.0, 0.5}, h = 0.01;
  for (int k = 0; k < m; ++k) {
    double d[3], t[3], sum[3] = {0.0, 0.0, 0.0};
    for (int stage = 0; stage < 4; ++stage) {
      double share = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
      for (int c = 0; c < 3; ++c)
        t[c] = s[c] + (stage == 0 ? 0.0 : share * d[c]);
      d[0] = 10.0 * (t[1] - t[0]);
      d[1] = t[0] * (28.0 - t[2]) - t[1];
      d[2] = t[0] * t[1] - 2.5 * t[2];
      for (int c = 0; c < 3; ++c)
        sum[c] += d[c] * (stage == 0 || stage == 3 ? 1.0 : 2.0);
    }
    for (int c = 0; c < 3; ++c)
      s[c] += h / 6.0 * sum[c];
  }
  y[i] = s[0] * s[1] + s[2];
""")
CALLS = "__device__ double polish(double v, double a, int rounds) {\n  for (int k = 0; k < rounds; ++k)\n    v = 0.5 * (v + a / v);\n  return v;\n}\n" + kernel(
    "calls", "  double v = 1.0;\n  for (int k = 0; k < m; ++k)\n    v = v * polish(1.0 + v, x[i], k + 1) * 0.5;\n  y[i] = v;\n")
BRANCHES = kernel("branches", """  double v = x[i], w = 1.0;
  int mode = i % 3;
  for (int k = 0; k < m; ++k) {
    switch (mode) {
    case 0:
      v = v * w * 0.9;
      break;
    case 1:
      w = w + 0.1 * sin(v);
      break;
    default:
      v = v > w ? v * 0.5 : v * v;
    }
    mode = (mode + k) % 3;
  }
  y[i] = v + w;
""")

# name: (source, registers that the adjoint may take at sm_90, or None)
KERNELS = {
    "run_time_loop": (RUN_TIME_LOOP, 44),
    "while_loop": (WHILE_LOOP, 44),
    "two_nested": (TWO_NESTED, 52),
    "three_nested": (THREE_NESTED, None),
    "march": (MARCH, None),
    "runge_kutta": (RUNGE_KUTTA, None),
    "calls": (CALLS, None),
    "branches": (BRANCHES, None),
    "carried": (many_carried(64), None),
    "copies": (copies(64), None),
}
