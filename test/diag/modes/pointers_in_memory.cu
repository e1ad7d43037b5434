// Pointers that stand in memory: what reverse mode does not follow.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='in_shared(out)/(x)' --adjoint='in_local(out)/(x)' --adjoint='changed(x)/(x)' --adjoint='met(y)/(x)' --adjoint=deep -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void in_shared(const float *x, float *out) {
  __shared__ const float *row;
  if (threadIdx.x == 0)
    // CHECK-DAG: pointers_in_memory.cu:[[#@LINE + 1]]:5: error: reverse mode does not take a pointer that is stored to memory yet [gpuad-not-in-reverse]
    row = x + 3 * blockIdx.x;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x] * row[0];
}
__global__ void in_local(const float *x, const float *y, float *out) {
  const float *rows[2] = {x, y};
  float sum = 0;
  for (int k = 0; k < 2; ++k)
    // CHECK-DAG: pointers_in_memory.cu:[[#@LINE + 1]]:12: error: reverse mode does not take a pointer that is loaded from memory yet [gpuad-not-in-reverse]
    sum += rows[k][threadIdx.x];
  out[threadIdx.x] = sum * sum;
}
__global__ void changed(float **x, const float *y) {
  // CHECK-DAG: pointers_in_memory.cu:[[#@LINE + 1]]:3: error: reverse mode does not take a pointer that is stored to memory yet [gpuad-not-in-reverse]
  x[0] = x[1];
  x[0][threadIdx.x] *= y[threadIdx.x];
}
// Which rows the loop reads after it has written others is not known when a block begins.
__global__ void met(float *const *x, float *const *y, int n) {
  int i = threadIdx.x;
  for (int k = 1; k < n; ++k)
    // CHECK-DAG: pointers_in_memory.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take a load behind a pointer of 'x' after a store behind one of 'y', which may be equal, yet [gpuad-not-in-reverse]
    y[k][i] = x[k - 1][i] * x[k][i];
}
// Numbers that lie deeper than shadows go.
struct view {
  const float *x;
};
struct holder {
  view *v;
};
__global__ void deep(holder h, float *out) {
  // CHECK-DAG: pointers_in_memory.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take memory of 'h' behind so many pointers yet [gpuad-not-in-reverse]
  out[threadIdx.x] = h.v->x[threadIdx.x] * h.v->x[0];
}
