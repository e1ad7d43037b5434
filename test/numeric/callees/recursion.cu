// Device functions that call themselves: in trees, by way of each other, with results by reference, inside loops that record, with
// short loops of their own, and as templates over the depth.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// Two calls each.
__device__ double tree(double v, int depth) {
  if (depth == 0)
    return v * v;
  return tree(sin(v), depth - 1) * tree(0.5 * v + 0.1, depth - 1) + v;
}

BOTH("(y)/(x)")
__global__ void trees(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = tree(x[i], i % 4);
}

// Quadrature that refines one half more than the other.
__device__ double bump(double at, double scale) { return 1.0 / (0.1 + scale * at * at); }
__device__ double integral(double from, double to, double scale, int depth) {
  double mid = 0.5 * (from + to), h = to - from;
  if (depth <= 0)
    return 0.5 * h * (bump(0.5 * (from + mid), scale) + bump(0.5 * (mid + to), scale));
  return integral(from, mid, scale, depth - 1) + integral(mid, to, scale, depth - 2);
}

BOTH("(y)/(x)")
__global__ void quadrature(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = integral(-1.0, 0.37 + x[i], 1.0 + x[i], 5);
}

// By reference, and through an array of the caller's that is only read.
__device__ void descend(const double *x, int at, int n, double &sum, double &weight) {
  if (at >= n)
    return;
  sum += weight * x[at];
  weight *= 0.5 + 0.25 * x[at];
  descend(x, 2 * at + 1, n, sum, weight);
}

BOTH("(y)/(x)")
__global__ void heap_path(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double sum = 0, weight = 1;
  descend(x, i, n, sum, weight);
  y[i] = sum * weight;
}

// In a loop that records, and the depth changes.
BOTH("(y)/(x)")
__global__ void in_a_loop(int n, int m, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < m; ++k)
    v = 0.5 * v + 0.25 * tree(v, k % 3);
  y[i] = v;
}

// A short loop of its own is recorded in a local array of each call.
__device__ double polished(double v, int depth) {
  double w = v;
  for (int k = 0; k < 3; ++k)
    w = 0.5 * (w + v / w) + 0.01 * w * w;
  return depth == 0 ? w : w * polished(0.5 + 0.5 * w, depth - 1);
}

BOTH("(y)/(x)")
__global__ void short_loops(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = polished(x[i], i % 3);
}

// Every level is a function of its own.
template <int Depth> __device__ double level(double v, double *trace) {
  trace[Depth] = v;
  double w = v;
  for (int k = 0; k < Depth; ++k)
    w = sin(w) * trace[k % (Depth + 1)] + w;
  return w * level<Depth - 1>(0.5 * w, trace);
}
template <> __device__ double level<0>(double v, double *trace) { return v * trace[0] + trace[2]; }

BOTH("(y)/(x)")
__global__ void templates(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double trace[4] = {1.0, 0.5, 0.25, 0.125};
  y[i] = level<3>(x[i], trace);
}
