// Objects of the library that keep a choice are closed: refused where they are used, not inside of the library.
// REQUIRES: cuda-toolkit
// RUN: not %gpuad %s %cuda -o %t.cu --adjoint='chosen(y)/(x)' 2>&1 | FileCheck %s
// RUN: not %gpuad %s %cuda -o %t.cu --tangent='chosen(y)/(x)' 2>&1 | FileCheck %s
// RUN: not %gpuad %s %cuda -o %t.cu --adjoint='kept(y)/(x)' 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not %gpuad %s %cuda -o %t.cu --tangent='kept(y)/(x)' 2>&1 | FileCheck %s --check-prefix=KEPT
#include <cuda/std/optional>
#include <cuda/std/tuple>

// CHECK-NOT: include
// CHECK: library_closed.cu:[[#@LINE+3]]:{{.*}}error:
__global__ void chosen(int n, const float *x, float *y) {
  int i = threadIdx.x;
  cuda::std::optional<float> value = x[i];
  y[i] = value.value_or(1.0f);
}

// What a struct holds may lie in a union: its numbers are seen by nobody.
struct word {
  union {
    float number;
    int bits;
  } of;
  int kind;
};
// KEPT: library_closed.cu:[[#@LINE+4]]:{{.*}}error: {{.*}}[gpuad-opaque-code]
__global__ void kept(int n, const float *x, float *y) {
  int i = threadIdx.x;
  word w;
  w.of.number = x[i];
  y[i] = w.of.number;
}
