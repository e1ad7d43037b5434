// Kernels whose derivatives are differentiated again.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

__device__ double well(double r, double depth) {
  return depth * (exp(-2 * r) - 2 * exp(-r));
}

// Neighbours, a scalar by value, a sum of all threads, a device function.
BOTH("(total,y)/(x,a)")
__global__ void energy(double *total, double *y, const double *x, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i] * sin(a * x[i]);
  if (i > 0)
    v += well(sqrt(1 + x[i] * x[i - 1]), a);
  y[i] = v * v;
  atomicAdd(total, v * y[i]);
}

// Least squares where some residuals are exactly zero: their adjoints are zero, and the tangents of those are not.
BOTH("(loss)/(w)")
__global__ void exact_fit(double *loss, const double *w, const double *goal, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double residual = exp(w[i]) * sqrt(w[i]) - goal[i];
    loss[i] = residual * residual;
  }
}

// In place, twice, with a choice between.
BOTH("(y)/(y,x)")
__global__ void in_place(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = y[i] * y[i] + tanh(x[i]);
  y[i] = i % 3 ? y[i] / x[i] : fmax(y[i], x[i]) * log(x[i]);
}

struct Spring {
  double2 anchor;
  double stiffness;
};

// Structs, vectors, and a loop that only adds.
BOTH("(force)/(springs,at)")
__global__ void pull(double2 *force, const Spring *springs, double2 at, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double2 sum = make_double2(0, 0);
  for (int k = 0; k < count; ++k) {
    const Spring &s = springs[(i + k) % n];
    double dx = s.anchor.x - at.x, dy = s.anchor.y - at.y;
    double length = hypot(dx, dy);
    sum.x += s.stiffness * dx * (length - 0.25) / length;
    sum.y += s.stiffness * dy * (length - 0.25) / length;
  }
  force[i] = sum;
}

// At x = 0 the sums that the adjoint adds behind its loop and at its end are zero, and their tangents are not.
BOTH("(y)/(x)")
__global__ void squares(double *y, const double *x, const double *weights, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = x[0] * x[0];
  for (int k = 0; k < count; ++k)
    sum += weights[k] * x[i + 1] * x[i + 1];
  y[i] = sum;
}

// A power at the exponent 0, where the first derivative by the base is 0, and its derivative by the exponent is not.
BOTH("(y)/(x,p)")
__global__ void powers(double *y, const double *x, const double *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = pow(x[i], p[i]);
}
