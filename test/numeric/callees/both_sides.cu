// A function of both sides: a kernel and a function of the host call it, and each has an adjoint of it for its side.
#include <cmath>
#include <gpuad/gpuad.h>

__host__ __device__ inline double soft(double v, const double *w) {
  double s = v > 0.0 ? v + log1p(exp(-v)) : log1p(exp(v));
  double t = s * w[0] + v * s / (1.0 + s * s), u = t * t / (1.0 + t * t) + s * w[1] - t / (2.0 + s * s);
  double q = u * t + sqrt(1.0 + u * u + t * t) * s - u / (2.0 + t * t);
  return q / (1.0 + q * q) + (u - t * s) * v / (1.0 + u * u) - t * s / (1.0 + s * s) + 0.5 * (u - t) * (u + t) +
         0.25 * (q + s) * (q - s);
}

GPUAD_ADJOINT("(y)/(x)")
GPUAD_TANGENT("(y)/(x)")
__global__ void soften(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = soft(x[i], x) + soft(0.5 * x[i], x + 1) * soft(-x[i], x + i);
}

GPUAD_ADJOINT("(return)/(x)")
GPUAD_TANGENT("(return)/(x)")
double total(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += soft(x[i], x) * soft(0.25 * x[i], x + i) + soft(-x[i], x + 1);
  return sum;
}
