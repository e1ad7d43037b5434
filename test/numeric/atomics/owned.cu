// Atomics on elements that one thread alone comes to: what they return is no matter of order.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(s,y)/(s,x)")
__global__ void exchanged(int n, const double *x, double *s, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double old = atomicAdd(&s[i], x[i] * x[i]);
    y[i] = old * x[i];
  }
}

BOTH("(s,y)/(s,x)")
__global__ void swapped(int n, const float *x, float *s, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float old;
    old = atomicExch(&s[i], x[i] * x[i]);
    y[i] = old * old * x[i];
  }
}

BOTH("(s,y)/(s,x)")
__global__ void by_one_thread(const float *x, float *s, float *y) {
  if (threadIdx.x == 0) {
    float before = atomicAdd(s + blockIdx.x, sinf(x[blockIdx.x]));
    float between = atomicExch(s + blockIdx.x, before * x[blockIdx.x]);
    y[blockIdx.x] = before * between;
  }
}

BOTH("(y)/(x)")
__global__ void in_shared_memory(int n, const float *x, float *y) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 1.f;
  __syncthreads();
  float left = s[t == 0 ? blockDim.x - 1 : t - 1];
  __syncthreads();
  float old = atomicExch(&s[t], left * left);
  __syncthreads();
  float right = s[t + 1 == blockDim.x ? 0 : t + 1];
  if (i < n)
    y[i] = old * right;
}

// With a result that nobody reads.
BOTH("(s,y)/(x)")
__global__ void left_behind(int rows, int n, const double *x, double *s, double *y) {
  int c = threadIdx.x, r = blockIdx.x;
  if (c < n && r < rows) {
    y[r * n + c] = x[r * n + c] * x[r * n + c];
    atomicAdd(&s[r * n + c], 1.0);
  }
}

BOTH("(s,y)/(x)")
__global__ void stored(int n, const float *x, float *s, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicExch(&s[i], sinf(x[i]));
    y[i] = 2.f * x[i];
  }
}

// Nothing but the index tells that nobody else comes here.
BOTH("(s)/(s,x)")
__global__ void exchanged_alone(int n, const double *x, double *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double old = __longlong_as_double(atomicExch((unsigned long long *)&s[i], __double_as_longlong(x[i])));
    atomicExch((unsigned long long *)&s[i], __double_as_longlong(old * x[i]));
  }
}
