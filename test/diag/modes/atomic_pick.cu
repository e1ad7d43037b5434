// Maxima by atomics that have no derivative, or not in this mode.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='unread(y)/(x)' --adjoint='reused(y)/(x)' --adjoint='rounded(y)/(x)' --adjoint='rounded_in_an_arm(y)/(x)' --adjoint='changed(m)/(x)' --adjoint='both_ways(m)/(x)' --adjoint='both_ends(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=ADJOINT
// RUN: not %gpuad %s --tangent='used(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=TANGENT
// RUN: not ls %t.cu
__global__ void unread(const float *x, float *y) {
  __shared__ float top;
  // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:3: error: whose number 'top' holds is not known: no barrier of the block follows [gpuad-atomic-pick]
  atomicMax((int *)&top, __float_as_int(x[threadIdx.x]));
  __syncwarp();
  y[threadIdx.x] = top * x[threadIdx.x];
}
__global__ void reused(int rows, int n, const int *bin, const float *x, float *y) {
  __shared__ float top[32];
  for (int row = 0; row < rows; ++row) {
    top[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:7: error: whose number 'top' holds is not known: {{.*}} [gpuad-atomic-pick]
      atomicMax((int *)&top[bin[i]], __float_as_int(x[row * n + i]));
    __syncthreads();
    y[row * blockDim.x + threadIdx.x] = top[threadIdx.x] * top[threadIdx.x];
    __syncthreads();
  }
}
__global__ void rounded(int rows, int n, const float *x, float *y) {
  __shared__ float top;
  for (int row = 0; row < rows; ++row) {
    if (threadIdx.x == 0)
      top = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:7: error: this number is offered in code that is run again, {{.*}} [gpuad-atomic-pick]
      atomicMax((int *)&top, __float_as_int(x[row * n + i] * x[i] + 2.f));
    __syncthreads();
    y[row * blockDim.x + threadIdx.x] = top * top;
    __syncthreads();
  }
}
__global__ void rounded_in_an_arm(bool takes, int n, const float *x, float *y) {
  __shared__ float top;
  if (threadIdx.x == 0)
    top = 0;
  __syncthreads();
  if (takes)
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:7: error: this number is offered in code that is run again, {{.*}} [gpuad-atomic-pick]
      atomicMax((int *)&top, __float_as_int(x[i] * x[i] + 2.f));
  __syncthreads();
  y[threadIdx.x] = top * x[threadIdx.x];
}
__global__ void changed(const float *x, float *m) {
  atomicMax((int *)m, __float_as_int(x[threadIdx.x]));
  // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:3: error: 'm' holds the largest or smallest number of all threads, {{.*}} [gpuad-atomic-pick]
  atomicAdd(m, x[threadIdx.x]);
}
__global__ void both_ways(const float *x, float *m) {
  atomicMax((int *)m, __float_as_int(x[threadIdx.x]));
  // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:3: error: 'm' holds the largest or smallest number of all threads, {{.*}} [gpuad-atomic-pick]
  atomicMin((int *)m, __float_as_int(x[threadIdx.x]));
}
__global__ void both_ends(const float *x, float *y) {
  __shared__ float end;
  atomicMax((int *)&end, __float_as_int(x[threadIdx.x]));
  // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:3: error: {{.*}} comes with another operation on the same memory, before a barrier: {{.*}} [gpuad-atomic-order]
  atomicMin((int *)&end, __float_as_int(x[threadIdx.x]));
  __syncthreads();
  y[threadIdx.x] = end * x[threadIdx.x];
}
__global__ void used(const float *x, float *m, float *y) {
  // TANGENT: atomic_pick.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: forward mode does not take {{.*}} [gpuad-not-in-forward]
  int before = atomicMax((int *)m, __float_as_int(x[threadIdx.x]));
  y[threadIdx.x] = __int_as_float(before) * x[threadIdx.x];
}
