// What pragmas ask of loops: checkpoints, values that are recorded or computed again.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// A pendulum over any number of steps: two states a step, kept for about 2 sqrt(steps) of them.
BOTH("(out)/(x,stiffness)")
__global__ void pendulum(int n, int steps, double h, double stiffness, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double angle = x[i], speed = 0.0;
#pragma gpuad checkpoint
  for (int k = 0; k < steps; ++k) {
    speed -= h * stiffness * sin(angle);
    angle += h * speed;
  }
  out[i] = angle;
}

// The number of states is chosen.
BOTH("(out)/(x)")
__global__ void few_states(int n, int steps, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
#pragma gpuad checkpoint(3)
  for (int k = 0; k < steps; ++k)
    v = v * (1.0 - 0.05 * v) + 0.01 * x[(i + k) % n];
  out[i] = v;
}

// Down, by a stride, with the last bound included, from a begin that differs by thread.
BOTH("(out)/(x)")
__global__ void down_in_segments(int n, int low, int stride, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
#pragma gpuad checkpoint(4)
#pragma unroll 1
  for (int k = n - i; k >= low; k -= stride)
    v = sin(v) + v * x[k % n];
  out[i] = v;
}

BOTH("(out)/(x)")
__global__ void up_to_and_not_equal(int n, long long last, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
#pragma gpuad checkpoint
  for (long long k = 1; k <= last; ++k)
    v = 0.9 * v + 0.1 * v * v / k;
#pragma gpuad checkpoint(2)
  for (int k = 0; k != 7; ++k)
    v = v * (1.25 - 0.25 * v);
  out[i] = v;
}

// Inside another loop, and with a loop inside.
BOTH("(out)/(x)")
__global__ void in_a_nest(int n, int rounds, int steps, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double u = x[i];
  for (int r = 0; r < rounds; ++r) {
    double v = u;
#pragma gpuad checkpoint
    for (int k = 0; k < steps; ++k) {
      double w = v;
      for (int j = 0; j < 3; ++j)
        w = w * (1.1 - 0.2 * w);
      v = 0.5 * v + 0.5 * w;
    }
    u = u * 0.5 + v * 0.5;
  }
  out[i] = u;
}

// A local array is carried from segment to segment.
BOTH("(out)/(x)")
__global__ void array_in_segments(int n, int steps, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v[3] = {x[i], 0.5 * x[i], 0.25};
#pragma gpuad checkpoint(5)
  for (int k = 0; k < steps; ++k) {
    v[k % 3] = v[k % 3] * v[(k + 1) % 3] * 0.5 + 0.3;
    v[(k + 2) % 3] += 0.1 * sin(v[k % 3]);
  }
  out[i] = v[0] + v[1] * v[2];
}

// The root is recorded in every iteration, and not computed again.
BOTH("(out)/(x)")
__global__ void recorded_root(int n, int steps, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
#pragma gpuad record(root)
    double root = cbrt(1.0 + x[i] * k);
    if (k % 2 == 0)
      sum += root * root;
    else
      sum += sin(root);
  }
  out[i] = sum;
}

#pragma gpuad recompute(root)
BOTH("(out)/(x)")
__global__ void computed_root(int n, int steps, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    double root = cbrt(1.0 + x[i] * k);
    sum += root * root;
  }
  out[i] = sum;
}
