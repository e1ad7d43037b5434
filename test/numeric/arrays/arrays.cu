// Local arrays that are overwritten while the reverse still needs what they held.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Summed into in a loop, read behind it.
BOTH("(out)/(p,v)")
__global__ void mix_rows(int n, int m, const float *p, const float *v, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0, mix[4] = {};
  for (int j = 0; j < m; ++j) {
    sum += p[i * m + j];
    for (int d = 0; d < 4; ++d)
      mix[d] += p[i * m + j] * v[j * 4 + d];
  }
  for (int d = 0; d < 4; ++d)
    out[i * 4 + d] = mix[d] / sum;
}

// The state of a differential equation, for as many steps as the caller likes.
__device__ void lorenz(const double *y, double *f, double rho) {
  f[0] = 10.0 * (y[1] - y[0]);
  f[1] = y[0] * (rho - y[2]) - y[1];
  f[2] = y[0] * y[1] - 2.5 * y[2];
}

BOTH("(out)/(y0,rho)")
__global__ void euler_steps(int n, int steps, double h, double rho, const double *y0, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double y[3], f[3];
  for (int k = 0; k < 3; ++k)
    y[k] = y0[3 * i + k];
  for (int s = 0; s < steps; ++s) {
    lorenz(y, f, rho);
    for (int k = 0; k < 3; ++k)
      y[k] += h * f[k];
  }
  for (int k = 0; k < 3; ++k)
    out[3 * i + k] = y[k];
}

BOTH("(out)/(y0,rho)")
__global__ void runge_kutta(int n, int steps, double h, double rho, const double *y0, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double y[3], k1[3], k2[3], mid[3];
  for (int k = 0; k < 3; ++k)
    y[k] = y0[3 * i + k];
  for (int s = 0; s < steps; ++s) {
    lorenz(y, k1, rho);
    for (int k = 0; k < 3; ++k)
      mid[k] = y[k] + h * k1[k];
    lorenz(mid, k2, rho);
    for (int k = 0; k < 3; ++k)
      y[k] = y[k] + 0.5 * h * (k1[k] + k2[k]);
  }
  for (int k = 0; k < 3; ++k)
    out[3 * i + k] = y[k];
}

// Elimination in place, with loops whose bounds depend on each other.
BOTH("(x)/(a,b)")
__global__ void solve_in_place(int n, const double *a, const double *b, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double m[3][3], r[3];
  for (int p = 0; p < 3; ++p) {
    for (int q = 0; q < 3; ++q)
      m[p][q] = a[9 * i + 3 * p + q] + (p == q ? 4.0 : 0.0);
    r[p] = b[3 * i + p];
  }
  for (int k = 0; k < 3; ++k)
    for (int p = k + 1; p < 3; ++p) {
      double factor = m[p][k] / m[k][k];
      for (int q = k; q < 3; ++q)
        m[p][q] -= factor * m[k][q];
      r[p] -= factor * r[k];
    }
  for (int p = 2; p >= 0; --p) {
    double sum = r[p];
    for (int q = p + 1; q < 3; ++q)
      sum -= m[p][q] * r[q];
    r[p] = sum / m[p][p];
  }
  for (int p = 0; p < 3; ++p)
    x[3 * i + p] = r[p];
}

// Overwritten in the arm of a branch, and behind it.
BOTH("(y)/(x)")
__global__ void in_arms(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v[3] = {x[i], x[i] * x[i], 1.0};
  if (v[1] > 1.0) {
    for (int k = 0; k < 3; ++k)
      v[k] = v[k] * v[(k + 1) % 3];
    v[0] = v[0] * v[2];
  } else {
    v[2] = sin(v[0]) * v[1];
  }
  double mid = v[0] * v[1] * v[2];
  for (int k = 0; k < 3; ++k)
    v[k] = v[k] * v[k];
  y[i] = mid * (v[0] + v[1] * v[2]);
}

// Sorted by exchanges that the data decide; what comes out is weighted by place.
BOTH("(y)/(x)")
__global__ void sort_and_weigh(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v[5];
  for (int k = 0; k < 5; ++k)
    v[k] = x[5 * i + k] + (2 * k + i) % 5; // no two alike
  for (int round = 0; round < 5; ++round)
    for (int k = 0; k + 1 < 5; ++k)
      if (v[k] > v[k + 1]) {
        float t = v[k];
        v[k] = v[k + 1];
        v[k + 1] = t;
      }
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k)
    sum += (k + 1) * v[k] * v[k];
  y[i] = sum;
}

// A window that moves, in a loop of unknown length with an exit.
BOTH("(y)/(x)")
__global__ void moving_window(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double w[4] = {x[i], 0.5, x[i] * 0.25, 1.0};
  double product = 1.0;
  for (int k = 0; k < m; ++k) {
    double next = 0.5 * w[0] * w[3] + 0.3 * x[k] + 0.2 * w[1];
    w[0] = w[1];
    w[1] = w[2];
    w[2] = w[3];
    w[3] = next;
    product *= 0.5 + w[k % 4];
    if (k == 3 + i % 5)
      break;
  }
  y[i] = product + w[2] * w[3];
}

// Values and integers in one loop; the integers are carried as well.
BOTH("(y)/(x)")
__global__ void histogram_of_thread(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float weight[3] = {1.0f, 1.0f, 1.0f};
  int seen[3] = {0, 0, 0};
  for (int k = 0; k < m; ++k) {
    int bin = (i + k * k) % 3;
    weight[bin] *= x[i * m + k] * (1 + seen[bin]);
    seen[bin]++;
  }
  y[i] = weight[0] + 2 * weight[1] * weight[2];
}

// A polynomial's coefficients, updated from the back.
BOTH("(y)/(roots,at)")
__global__ void from_roots(int n, const double *roots, const double *at, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double c[5] = {1.0, 0.0, 0.0, 0.0, 0.0};
  for (int r = 0; r < 4; ++r)
    for (int k = r + 1; k > 0; --k)
      c[k] -= roots[4 * i + r] * c[k - 1];
  double sum = 0.0;
  for (int k = 0; k < 5; ++k)
    sum = sum * at[i] + c[k];
  y[i] = sum;
}
