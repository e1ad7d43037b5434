// What makes an integer of a number, or takes numbers by pointer, is refused as well.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='bits(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %gpuad %s --tangent='bits(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %gpuad %s --adjoint='length(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck --check-prefix=LENGTH %s
// RUN: not %gpuad %s --tangent='length(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck --check-prefix=LENGTH %s
// RUN: not ls %t.cu
__device__ float normf(int count, const float *values);
__global__ void bits(const float *x, float *y) {
  int i = threadIdx.x;
  // BITS: forbidden_bits.cu:[[#@LINE + 1]]:17: error: '__float_as_int' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  float large = __float_as_int(x[i]);
  y[i] = large * 0.5f;
}
__global__ void length(const float *x, float *y) {
  int i = threadIdx.x;
  // LENGTH: forbidden_bits.cu:[[#@LINE + 1]]:10: error: 'normf' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  y[i] = normf(3, x + 3 * i);
}
