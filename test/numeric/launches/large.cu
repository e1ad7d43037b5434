// Static shared memory that has no room for shadows.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Static arrays that leave no room for their shadows: 40 KB, two dimensions, and a struct.
struct Cell {
  double a, b;
};

BOTH("(y)/(x)")
__global__ void large_tile(int n, const double *x, double *y) {
  __shared__ double tile[64][64];
  __shared__ Cell cells[500];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    tile[k / 64][k % 64] = k < n ? x[k] * x[k] : 0.0;
  for (int k = threadIdx.x; k < 500; k += blockDim.x)
    cells[k] = Cell{x[k % n], 0.5 * k};
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    y[k] = tile[k % 64][k / 64] * cells[k % 500].a + tile[k / 64][k % 64] * cells[(k + 1) % 500].b;
}

// The same beside what the launch gives.
BOTH("(y)/(x)")
__global__ void large_and_dynamic(int n, const float *x, float *y) {
  extern __shared__ float line[];
  __shared__ float tile[9000];
  for (int k = threadIdx.x; k < 9000; k += blockDim.x)
    tile[k] = x[k % n] * 0.5f;
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    line[k] = x[k];
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    y[k] = tile[k] * line[n - 1 - k] + tile[8999 - k] * tile[k];
}
