// Atomics whose result nobody uses: sums in all types and scopes, and integers that carry no derivative.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// A sum in shared memory that enters what follows in more than a linear way: the derivative makes it again.
BOTH("(y)/(x)")
__global__ void square_of_sum(int n, const double *x, double *y) {
  __shared__ double total;
  if (threadIdx.x == 0)
    total = 0.0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&total, x[i] * x[i]);
  __syncthreads();
  if (i < n)
    y[i] = total * total * x[i];
}

// The same in the arm of a condition that all threads share: the arm is run twice, the sum made once.
BOTH("(y)/(x)")
__global__ void sum_in_an_arm(int n, bool adds, const double *x, double *y) {
  __shared__ double total;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    total = 1.0;
  __syncthreads();
  double v = 0.0;
  if (adds) {
    if (i < n)
      atomicAdd_block(&total, x[i]);
    __syncthreads();
    v = total;
    v *= v;
  }
  if (i < n)
    y[i] = (v + 1.0) * x[i];
}

// Sums that a loop goes on with, and sums that it starts anew.
BOTH("(y)/(x)")
__global__ void sums_over_rounds(int rounds, const double *x, double *y) {
  __shared__ double running, fresh;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0)
    running = 0.5;
  double v = x[i];
  for (int k = 0; k < rounds; ++k) {
    if (t == 0)
      fresh = 0.0;
    __syncthreads();
    atomicAdd(&fresh, v * v);
    atomicAdd(&running, 0.001 * v);
    __syncthreads();
    v = 0.75 * sin(v + fresh * 0.01) + 0.1 * running * running;
    __syncthreads();
  }
  y[i] = v;
}

// A histogram of integers: re-made in shared memory, dropped in global memory, kept by the tangent.
BOTH("(y)/(x)")
__global__ void weigh_by_count(int n, const int *key, const double *x, int *all, double *y) {
  __shared__ int count[8];
  __shared__ unsigned seen, most, ticks;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 8)
    count[t] = 0;
  if (t == 0)
    seen = most = ticks = 0u;
  __syncthreads();
  if (i < n) {
    atomicAdd(&count[key[i]], 3);
    atomicSub(&count[key[i]], 1);
    atomicOr(&seen, 1u << key[i]);
    atomicMax(&most, unsigned(key[i]));
    atomicInc(&ticks, 100u);
    atomicAdd(&all[key[i]], 1);
    atomicMin(&all[8], -key[i]);
    atomicExch(&all[9], 7);
  }
  __syncthreads();
  if (i < n)
    y[i] = count[key[i]] * x[i] * x[i] + (seen + most + ticks) * x[i];
}

// All scopes and types of sums in global memory.
BOTH("(s,d)/(x,z)")
__global__ void sums_of_all_scopes(int n, const float *x, const double *z, float *s, double *d, unsigned long long *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&s[i % 3], x[i] * x[i]);
  atomicAdd_block(s + 3 + blockIdx.x, sinf(x[i]));
  atomicAdd_system(&s[i % 2], 2.0f * x[i]);
  atomicAdd(&d[i % 3], z[i] * z[i]);
  atomicAdd_block(d + 3 + blockIdx.x, sin(z[i]));
  atomicAdd_system(&d[i % 2], (double)x[i]);
  atomicAdd(c, 1ull);
  (void)atomicAdd(&s[2], x[i]);
}

// In a loop whose iterations add to one place, and to places that memory names.
BOTH("(h)/(w)")
__global__ void sums_in_a_loop(int n, int m, const int *bin, const double *w, double *h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = w[i % n];
  for (int k = 0; k < m; ++k) {
    v = v * w[(i + k) % n];
    atomicAdd(&h[bin[(i + k) % n]], v);
    atomicAdd(&h[i % 2], v * v);
  }
}

__device__ void pour(double *to, double what, int *how_often) {
  atomicAdd(to, what * what);
  atomicAdd(how_often, 1);
}

// Behind functions, and pointers that a condition chooses.
BOTH("(a,b)/(x)")
__global__ void sums_behind_functions(int n, const double *x, double *a, double *b, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  pour(&a[i % 2], x[i], &count[0]);
  if (x[i] > 1.0)
    pour(b, 3.0 * x[i], count + 1);
}

// The sum of a block in shared memory, handed on by one thread.
BOTH("(out)/(x)")
__global__ void norm_of_block(int n, const float *x, float *out) {
  __shared__ float part[2];
  int t = threadIdx.x;
  if (t < 2)
    part[t] = 0.0f;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&part[i % 2], x[i] * x[i]);
  __syncthreads();
  if (t == 0)
    atomicAdd(out, sqrtf(part[0] * part[1]));
}

__device__ double add_and_tell(double *to, double what) {
  double before = atomicAdd(to, what);
  return before;
}

// Results that nobody reads, in variables and of functions.
BOTH("(a,b)/(x)")
__global__ void results_unread(int n, const double *x, double *a, double *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double before = atomicAdd(&a[i % 2], x[i] * x[i]);
  add_and_tell(b, sin(x[i]));
  before = atomicAdd(b, x[i]);
}
