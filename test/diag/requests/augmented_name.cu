// The augmented form of a kernel needs a name, too.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='list(out)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// RUN: %gpuad %s --adjoint='list(out)/(x) as other' -o - -- %stub | FileCheck %s --check-prefix=OTHER
// OTHER: other_augmented(const float* x, float* out, int* count, gpuad::record_view record)
void list_augmented();
// CHECK: augmented_name.cu:[[#@LINE + 1]]:17: error: 'list(out)/(x)' would give 'list_augmented', which is declared in this file; add 'as OTHER' {{.*}} [gpuad-name-clash]
__global__ void list(const float *x, float *out, int *count) {
  int slot = atomicAdd(count, 1);
  out[slot] = x[threadIdx.x] * x[threadIdx.x];
}
