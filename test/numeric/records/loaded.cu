// Loops that overwrite a local array: they record what they load of it where that is less than all of its elements.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Forward rates, step by step: the outer loop records the array, the inner one a rate and a sum.
BOTH("(y)/(x,sigma)")
__global__ void rates(int n, int steps, int used, const double *x, const double *sigma, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double rate[80];
  for (int k = 0; k < used; ++k)
    rate[k] = 0.05 + 0.01 * x[(i + k) % n];
  for (int s = 0; s < steps; ++s) {
    double drift = 0;
    for (int k = s + 1; k < used; ++k) {
      double vol = sigma[k - s - 1];
      drift += vol * rate[k] / (1.0 + rate[k]);
      rate[k] = rate[k] * exp(vol * (drift - 0.5 * vol + 0.1));
    }
  }
  double b = 1;
  for (int k = 0; k < used; ++k)
    b = b / (1.0 + 0.25 * rate[k]);
  y[i] = b;
}

// One slot for each iteration, though the array has sixteen elements.
BOTH("(y)/(x)")
__global__ void walk(int n, int steps, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[16];
  for (int k = 0; k < 16; ++k)
    a[k] = x[i] + 0.1 * k;
  for (int s = 0; s < steps; ++s)
    a[(5 * s) % 16] = sin(a[(3 * s + i) % 16]);
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += a[k] * a[k];
  y[i] = sum;
}

// Loads in both arms, and in a condition; an element may not be written yet.
BOTH("(y)/(x)")
__global__ void in_arms(int n, int steps, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a[12];
  a[0] = x[i];
  for (int s = 1; s < steps; ++s) {
    int at = s % 12;
    if (s < 12) {
      a[at] = sinf(a[at - 1]) + 0.1f * s;
    } else if (a[at] > 0.5f) {
      a[at] = a[at] * a[(at + 5) % 12];
    } else {
      a[at] = a[at] * a[at] + a[(at + 1) % 12];
    }
  }
  y[i] = a[(steps - 1) % 12] * a[0];
}

// An inner loop that loads all elements: the outer one records the array, and so does what is around it.
BOTH("(y)/(x)")
__global__ void smoothed(int n, int steps, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[10];
  for (int k = 0; k < 10; ++k)
    a[k] = x[(i + k) % n];
  for (int s = 0; s < steps; ++s) {
    for (int k = 1; k < 10; ++k)
      a[k] = 0.5 * a[k] + 0.25 * a[k - 1] * a[k];
    a[0] = a[9] * a[s % 10];
  }
  y[i] = a[3] + a[0];
}

// As often as the run decides, in a loop around it; two arrays that exchange elements.
BOTH("(y)/(x)")
__global__ void exchanged(int n, int rounds, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[8], b[8];
  for (int k = 0; k < 8; ++k) {
    a[k] = x[i] * (1 + k);
    b[k] = 2.0;
  }
  double sum = 0;
  for (int r = 0; r < rounds; ++r) {
    int k = r;
    while (a[k % 8] > 0.3) {
      double t = a[k % 8];
      a[k % 8] = 0.4 * t + 0.01 * b[(k + r) % 8];
      b[(k + 3) % 8] = b[(k + 3) % 8] * t * 0.5;
      k += 3;
    }
    sum += a[r % 8] * b[(r + 1) % 8];
  }
  y[i] = sum;
}

// Short loops record into local arrays.
BOTH("(y)/(x)")
__global__ void short_walk(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a[6] = {1.0f, 0.5f, x[i], 0.25f, x[(i + 1) % n], 2.0f};
  for (int s = 0; s < 20; ++s)
    a[(2 * s + 1) % 6] = 0.5f * a[s % 6] * a[(s + i) % 6] + 0.5f;
  y[i] = a[1] * a[3];
}
