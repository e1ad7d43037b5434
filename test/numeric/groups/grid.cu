// Barriers of the whole launch: blocks read what other blocks have written.
#include <cooperative_groups.h>
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
namespace cg = cooperative_groups;

// A neighbour's number, which another block may have written.
BOTH("(y,t)/(x,t)")
__global__ void neighbours(int n, const double *x, double *t, double *y) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = x[i] * x[i];
  grid.sync();
  if (i < n) y[i] = t[(i + 7) % n] * x[i];
}

// Three phases through two arrays, the last one in place.
BOTH("(y,t,u)/(x,t,u)")
__global__ void phases(int n, const double *x, double *t, double *u, double *y) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank();
  if (i < n) t[i] = sin(x[i]);
  cg::sync(grid);
  if (i < n) u[i] = t[n - 1 - i] * t[(i + 3) % n];
  grid.sync();
  double s = 0;
  if (i < n)
    for (int k = 0; k < 5; ++k) s += u[(i + 5 * k) % n] * u[i];
  grid.sync();
  if (i < n) u[i] = s * u[i];
  grid.sync();
  if (i < n) y[i] = u[(i + 1) % n] + t[i];
}

// Jacobi steps that ping-pong between two arrays, as many as the launch says.
BOTH("(a,b)/(a,b)")
__global__ void jacobi(int n, int steps, double *a, double *b) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int s = 0; s < steps; ++s) {
    if (i < n) b[i] = i > 0 && i < n - 1 ? 0.5 * a[i] * a[i] + 0.25 * (a[i - 1] + a[i + 1]) : a[i];
    grid.sync();
    if (i < n) a[i] = b[i];
    grid.sync();
  }
}

// Sums of blocks, which every block adds up behind the barrier; a tile in shared memory with barriers of the block.
BOTH("(y,sums)/(x,sums)")
__global__ void normalized(int n, const double *x, double *sums, double *y) {
  __shared__ double tile[64];
  auto grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] * x[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    double s = 0;
    for (int k = 0; k < blockDim.x; ++k) s += tile[k];
    sums[blockIdx.x] = s;
  }
  grid.sync();
  double total = 0;
  for (int k = 0; k < gridDim.x; ++k) total += sums[k];
  __syncthreads();
  tile[threadIdx.x] = total;
  __syncthreads();
  if (i < n) y[i] = x[i] / sqrt(tile[(threadIdx.x + 1) % blockDim.x]);
}

// In a device function, behind a barrier of the block.
__device__ void wait_for_all(cg::grid_group &grid) { grid.sync(); }
BOTH("(y,t)/(x,t)")
__global__ void in_function(int n, const double *x, double *t, double *y) {
  auto grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = x[i] * x[i] * x[i];
  __syncthreads();
  wait_for_all(grid);
  if (i < n) y[i] = t[n - 1 - i] * t[i];
}
