// Sums and counts in shared memory by atomics: the derivative makes again what it reads, and what nobody reads goes.
// RUN: %gpuad %s --adjoint='spread(y)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --match-full-lines --strict-whitespace
//
//      CHECK:// Adjoint of spread: (y) / (x).
// CHECK-NEXT:__global__ void spread_adjoint(int n, const int* key, const float* x, float* x_bar, float* y, float* y_bar, int* done) {
// CHECK-NEXT:  const bool want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// CHECK-NEXT:  __shared__ int count[32];
// CHECK-NEXT:  __shared__ float total[1];
// CHECK-NEXT:  __shared__ float total_bar[1];
// CHECK-NEXT:  gpuad::clear_shared(total_bar);
// CHECK-NEXT:  int t = threadIdx.x;
// CHECK-NEXT:  count[t] = 0;
// CHECK-NEXT:  if (t == 0) total[0] = 0.0f;
// CHECK-NEXT:  __syncthreads();
// CHECK-NEXT:  float x_t = x[t];
// CHECK-NEXT:  atomicAdd(&total[0], x[t] * x[t]);
// CHECK-NEXT:  atomicAdd(&count[key[t]], 1);
// CHECK-NEXT:  __syncthreads();
// CHECK-NEXT:  float y_t_bar = want_y && gpuad::first_row() && gpuad::first_block() ? gpuad::take(&y_bar[t]) : 0.0f;
// CHECK-NEXT:  float sqrt_value_bar = count[t] * y_t_bar;
// CHECK-NEXT:  float total_value_bar = sqrt_value_bar != 0.0f ? 0.5f * sqrt_value_bar / sqrtf(total[0]) : 0.0f;
// CHECK-NEXT:  atomicAdd(&total_bar[0], total_value_bar);  // atomic: other threads may add here before the next barrier
// CHECK-NEXT:  __syncthreads();
// CHECK-NEXT:  float x_t_bar = 2.0f * x_t * total_bar[0];
// CHECK-NEXT:  if (want_x) atomicAdd(&x_bar[t], x_t_bar);  // atomic: the index leaves out blockIdx.x
// CHECK-NEXT:  __syncthreads();
// CHECK-NEXT:  if (t == 0) total_bar[0] = 0.0f;
// CHECK-NEXT:}
__global__ void spread(int n, const int *key, const float *x, float *y, int *done) {
  __shared__ float total;
  __shared__ int count[32], unread[32];
  int t = threadIdx.x;
  count[t] = unread[t] = 0;
  if (t == 0)
    total = 0.0f;
  __syncthreads();
  atomicAdd(&total, x[t] * x[t]);
  atomicAdd(&count[key[t]], 1);
  atomicAdd(&unread[key[t]], 1);
  atomicAdd(done, 1);
  __syncthreads();
  y[t] = sqrtf(total) * count[t] + unread[t] % 2;
}
