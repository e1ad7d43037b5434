// Conditions, bounds and places that another rounding of one step would change. They decide what is stored and how often loops
// record, and must come out in the reverse sweep as they did first: the program gives later steps another rounding.
#include <gpuad/gpuad.h>

#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; x += i * m;

GPUAD_ADJOINT("(x)/(x)")
__global__ void once(int n, int m, float *x) {
  INDEX
  float v = x[0];
  if (fabsf(v) > 1.0f)
    x[1] = 0.5f * v * v;
  float w = x[1];
  x[0] = w * w * 0.25f;
}

GPUAD_ADJOINT("(x)/(x)")
__global__ void in_loop(int n, int m, float *x) {
  INDEX
  for (int t = 1; t < m; ++t) {
    float v = x[t - 1];
    if (fabsf(v) > 1.0f)
      x[t] = x[t] * 0.5f * v;
  }
}

// Both loops are reversed without being run again.
GPUAD_ADJOINT("(x)/(x)")
__global__ void in_two_loops(int n, int m, float *x) {
  INDEX
  for (int s = 0; s < 3; ++s)
    for (int t = 1; t < m; ++t) {
      float v = x[t - 1];
      if (t != s && fabsf(v) > 1.0f)
        x[t] = x[t] * 0.5f * v;
    }
}

// Known to be short: in a local array.
GPUAD_ADJOINT("(x)/(x)")
__global__ void short_nest(int n, int m, float *x) {
  INDEX
  for (int s = 0; s < 2; ++s)
    for (int t = 1; t < 4; ++t) {
      float v = x[t - 1];
      if (fabsf(v) > 1.0f)
        x[t] = x[t] * 0.5f * v;
    }
}

// Iterations are wound back and their stores repeated; only the run knows how many there are.
GPUAD_ADJOINT("(x)/(x)")
__global__ void wound_back(int n, int m, float *x) {
  INDEX
  for (int s = 0; s < m && x[s] > 0; ++s) {
    float sum = 0;
    for (int t = 0; t < m; ++t) {
      float v = x[t] * x[(t + 1) % m];
      if (fabsf(x[t]) > 1.0f)
        x[(t + 1) % m] = 0.25f * v;
      sum += v;
    }
    x[s] = x[s] + 0.0009765625f * sum;
  }
}

GPUAD_ADJOINT("(x)/(x)")
__global__ void rounded_bound(int n, int m, float *x) {
  INDEX
  for (int s = 0; s < m; ++s)
    for (int t = 1; t < (int)ceilf(fabsf(x[s])) && t < m; ++t)
      x[t] = x[t] * 0.5f * x[t - 1];
}

// Once at the start, by a loop that nothing else is around.
GPUAD_ADJOINT("(x)/(x)")
__global__ void first_bound(int n, int m, float *x) {
  INDEX
  for (int t = 1; t < (int)ceilf(fabsf(x[0])); ++t)
    x[t % m] = x[t % m] * 0.5f * x[(t - 1) % m];
}

// Where it is stored.
GPUAD_ADJOINT("(x)/(w,x)")
__global__ void rounded_place(int n, int m, const float *w, float *x) {
  INDEX
  w += i * m;
  for (int s = 0; s < m; ++s) {
    int k = (int)ceilf(fabsf(w[s])) - 1;
    x[k % m] = x[k % m] * 0.5f + w[s] * x[m - 1];
  }
}

// A branch that nothing is around, and a loop in it.
GPUAD_ADJOINT("(x)/(x)")
__global__ void loop_in_branch(int n, int m, float *x) {
  INDEX
  float v = x[0], w = 1;
  if (m > 1) {
    while (v > 1.0f) {
      v = fabsf(0.5f * v);
      x[1] = x[1] * v + 0.25f * v;
      w = w * v;
    }
    w = w + 1;
  }
  x[0] = w * x[1];
}

// Three levels; the innermost is run again twice.
GPUAD_ADJOINT("(y)/(x)")
__global__ void third_level(int n, int m, const float *x, float *y) {
  INDEX
  float sum = 0;
  for (int s = 0; s < m; ++s) {
    float u = 1;
    for (int t = 0; t <= s; ++t) {
      float v = x[t], w = u;
      while (v > 1.0f) {
        v = fabsf(0.5f * v);
        w = w * (0.5f + 0.25f * v);
      }
      u = u * w + 0.125f;
    }
    sum += u;
  }
  y[i] = sum;
}

// In the second level a condition, too, and two loops that only the run knows.
GPUAD_ADJOINT("(y)/(x)")
__global__ void four_levels(int n, int m, const float *x, float *y) {
  INDEX
  float sum = 0;
  for (int r = 0; r < 2; ++r)
    for (int s = 0; s < m; ++s) {
      float u = 1 + 0.125f * r;
      if (fabsf(x[s]) > 1.0f)
        for (int t = 0; t < (int)ceilf(fabsf(x[s])); ++t) {
          float v = x[t % m], w = u;
          while (v > 1.0f) {
            v = fabsf(0.5f * v);
            w = w * (0.5f + 0.25f * v);
          }
          u = u * w + 0.125f;
        }
      sum += u * u;
    }
  y[i] = sum;
}

// The same with stores, which are wound back in the outer levels.
GPUAD_ADJOINT("(x)/(x)")
__global__ void third_level_in_place(int n, int m, float *x) {
  INDEX
  for (int s = 0; s < m; ++s)
    for (int t = 0; t < m; ++t) {
      float v = x[t];
      int k = t;
      while (v > 1.0f) {
        v = fabsf(0.5f * v);
        k = k + 1 < m ? k + 1 : 0;
        x[k] = 0.5f * x[k] + 0.25f * v * v;
      }
    }
}
