// Atomics whose outcome depends on which thread comes first.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='exchange(y)/(x)' --adjoint='winner(y)/(x)' --adjoint='mixed(y)/(x)' --adjoint='claim(y)/(x)' --adjoint='bits(y)/(x)' --adjoint='swapped(y)/(x)' --adjoint='lock(y)/(x)' --adjoint='spin(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void exchange(const float *x, float *y) {
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:3: error: 'atomicExch' leaves what one of several threads gave: what it makes depends on the order of threads, {{.*}} [gpuad-atomic-order]
  atomicExch(&y[0], x[threadIdx.x]);
}
__global__ void winner(const float *x, float *y) {
  __shared__ int last;
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:3: error: 'atomicExch' leaves what one of several threads gave: {{.*}} [gpuad-atomic-order]
  atomicExch(&last, threadIdx.x);
  __syncthreads();
  y[threadIdx.x] = last * x[threadIdx.x];
}
__global__ void mixed(const float *x, float *y) {
  __shared__ int level;
  atomicMax(&level, int(threadIdx.x));
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:3: error: 'atomicAdd' comes with another operation on the same memory, before a barrier: {{.*}} [gpuad-atomic-order]
  atomicAdd(&level, 1);
  __syncthreads();
  y[threadIdx.x] = level * x[threadIdx.x];
}
__global__ void claim(const float *x, float *y) {
  __shared__ int owner;
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:3: error: 'atomicCAS' leaves what one of several threads gave: {{.*}} [gpuad-atomic-order]
  atomicCAS(&owner, 0, int(threadIdx.x));
  __syncthreads();
  y[threadIdx.x] = owner * x[threadIdx.x];
}
__global__ void bits(const float *x, float *y) {
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:3: error: 'atomicOr' changes the bits of numbers: {{.*}} [gpuad-atomic-order]
  atomicOr((unsigned *)&y[threadIdx.x], 0x80000000u);
  y[threadIdx.x + 32] = x[threadIdx.x];
}
__global__ void swapped(const float *x, float *y) {
  __shared__ int flag;
  atomicExch(&flag, 1);
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:3: error: 'atomicExch' comes with another operation on the same memory, before a barrier: {{.*}} [gpuad-atomic-order]
  atomicExch(&flag, 2);
  __syncthreads();
  y[threadIdx.x] = flag * x[threadIdx.x];
}
__global__ void lock(int *taken, const float *x, float *y) {
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'atomicCAS' gives what another thread left: {{.*}} [gpuad-atomic-order]
  while (atomicCAS(taken, 0, 1) != 0)
    ;
  y[0] = y[0] * x[threadIdx.x];
  atomicExch(taken, 0);
}
__global__ void spin(int *flag, const float *x, float *y) {
  // CHECK: atomic_order.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'atomicAdd' looks at what other threads do meanwhile: {{.*}} [gpuad-atomic-order]
  while (atomicAdd(flag, 0) == 0)
    ;
  y[threadIdx.x] = x[threadIdx.x];
}
