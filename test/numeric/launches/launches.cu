// Kernels whose derivatives need more of a multiprocessor than they do themselves.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define EACH(V) V(0) V(1) V(2) V(3) V(4) V(5) V(6) V(7) V(8) V(9) V(10) V(11) V(12) V(13) V(14) V(15) V(16) V(17) V(18) V(19)
#define LOAD(k) const double v##k = sin(scale * x[k * n + i]);
#define LOAD_OF(k) const T v##k = sin(x[k * n + i] * part[k]);
#define ADD(k)                                                                                                         \
  sum += k * v##k;                                                                                                     \
  squares += v##k * v##k;
#define STORE(k) y[k * n + i] = v##k * sum / squares + v##k * v##k;

// More values than the threads of a large block have registers for.
BOTH("(y)/(x,scale)")
__global__ void many_values(int n, double scale, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  EACH(LOAD)
  double sum = 0, squares = 1;
  EACH(ADD)
  EACH(STORE)
}

template <class T> BOTH("(y)/(x)") __global__ void many_of(int n, const T *x, T *y) {
  __shared__ T part[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32)
    part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (i >= n)
    return;
  EACH(LOAD_OF)
  T sum = 0, squares = 1;
  EACH(ADD)
  EACH(STORE)
}

template __global__ void many_of<double>(int, const double *, double *);
