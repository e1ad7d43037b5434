#define _SETTING 1
#define N 4
#define size 3
#define twice(k) (2 * k)
// The runtime's include stands behind these; those that could be anybody's names are hidden from it.
// RUN: %gpuad %s -o %t.cu -- %stub && FileCheck %s --input-file=%t.cu
// CHECK: #pragma push_macro("size")
// CHECK-NEXT: #undef size
// CHECK-NEXT: #pragma push_macro("twice")
// CHECK-NEXT: #undef twice
// CHECK-NEXT: #include <gpuad/runtime.cuh>
// CHECK-NEXT: #pragma pop_macro("size")
// CHECK-NEXT: #pragma pop_macro("twice")
__global__ void kernel(float *x) { x[threadIdx.x % N] *= twice(size); }
