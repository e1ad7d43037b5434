// Floating-point data in memory that is declared as something else has no tangent beside it; nor has a union.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --tangent='array(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not %gpuad %s --tangent='buffer(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not %gpuad %s --tangent='overlaid(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=UNION
// RUN: not ls %t.cu
__global__ void array(float *y, const float *x) {
  __shared__ unsigned b[32];
  int i = threadIdx.x;
  // ARRAY: other_memory.cu:[[#@LINE + 1]]:4: error: forward mode does not take floating-point data in 'b', which is declared as 'unsigned int[32]', yet [gpuad-not-in-forward]
  ((float *)b)[i] = x[i] * x[i];
  y[i] = ((float *)b)[i];
}
__global__ void buffer(float *y, const float *x, int *s) {
  int i = threadIdx.x;
  // BUFFER: other_memory.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: forward mode does not take floating-point data in 's', {{.*}}[gpuad-not-in-forward]
  reinterpret_cast<float *>(s)[i] = x[i] * x[i];
  y[i] = reinterpret_cast<float *>(s)[i];
}
union both {
  float f;
  int i;
};
__global__ void overlaid(float *y, const float *x) {
  int i = threadIdx.x;
  both u;
  // UNION: other_memory.cu:[[#@LINE + 1]]:3: error: a derivative flows through an assignment, {{.*}}[gpuad-opaque-code]
  u.f = x[i] * x[i];
  y[i] = u.f;
}
