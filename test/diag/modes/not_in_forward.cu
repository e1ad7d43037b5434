// RUN: rm -f %t.cu
// RUN: not %gpuad %s --tangent='choose(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__device__ float bend(float v) { return v * v; }
__global__ void choose(const int *flag, const float *x, float *y) {
  int i = threadIdx.x;
  // CHECK: not_in_forward.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: forward mode does not take a call in an arm of '?:' (give it a statement of its own) yet [gpuad-not-in-forward]
  y[i] = 2.0f * (flag[i] ? bend(x[i]) : x[i]);
}
