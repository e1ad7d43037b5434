// Shared bytes may hold active numbers in forward mode, but not be moved one by one.
// RUN: not %gpuad %s --tangent='f(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
__global__ void f(const float *x, float *y) {
  __shared__ char bytes[8];
  float *numbers = (float *)bytes;
  numbers[0] = x[0];
  // CHECK: not_in_forward_bytes.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: forward mode does not take single bytes of 'bytes', which holds active numbers, yet [gpuad-not-in-forward]
  bytes[4] = bytes[0];
  y[0] = numbers[0] * numbers[1];
}
