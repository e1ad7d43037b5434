// Maxima by atomics that have no derivative, or not in this mode.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='in_shared(y)/(x)' --adjoint='changed(m)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=ADJOINT
// RUN: not %gpuad %s --tangent='tops(m)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=TANGENT
// RUN: not ls %t.cu
__global__ void in_shared(const float *x, float *y) {
  __shared__ float top;
  // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:3: error: 'atomicMax' picks one of the numbers that threads offer, {{.*}} [gpuad-atomic-pick]
  atomicMax((int *)&top, __float_as_int(x[threadIdx.x]));
  __syncthreads();
  y[threadIdx.x] = top * x[threadIdx.x];
}
__global__ void changed(const float *x, float *m) {
  atomicMax((int *)m, __float_as_int(x[threadIdx.x]));
  // ADJOINT: atomic_pick.cu:[[#@LINE + 1]]:3: error: 'm' holds the largest or smallest number of all threads, {{.*}} [gpuad-atomic-pick]
  atomicAdd(m, x[threadIdx.x]);
}
__global__ void tops(const float *x, float *m) {
  // TANGENT: atomic_pick.cu:[[#@LINE + 1]]:3: error: 'atomicMax' picks one of the numbers that threads offer, {{.*}} [gpuad-atomic-pick]
  atomicMax((int *)m, __float_as_int(x[threadIdx.x]));
}
