// Kernels in a file that another one of the folder includes are read as that one reads them.
// RUN: rm -rf %t && split-file %s %t
// RUN: %gpuad %t/kernels.cu --adjoint="scale(y)/(x)" -o %t/kernels_grad.cu --depfile=%t/d -- %stub
// RUN: FileCheck %s --input-file=%t/kernels_grad.cu
// RUN: FileCheck %s --check-prefix=DEPFILE --input-file=%t/d
// CHECK: scale_adjoint(int n, real* y
// CHECK: if (i < n)
// DEPFILE: {{/}}main.cu
//
// What is wrong in both readings is reported as in a file of its own.
// RUN: not %gpuad %t/broken.cu -o - -- %stub 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.cu:1:{{[0-9]+}}: error: unknown type name 'reel' [gpuad-compile-error]

//--- main.cu
#include <cuda_runtime.h>
typedef float real;
#define SIZE 64
__device__ real twice(real v) { return 2 * v; }
#ifdef SIZE
#include "kernels.cu"
#endif
#include "broken.cu"
void run(real *y, const real *x) { scale<<<1, SIZE>>>(SIZE, y, x); }

//--- kernels.cu
__global__ void scale(int n, real *y, const real *x) {
  int i = threadIdx.x;
  if (i < n)
    y[i] = twice(x[i]) * SIZE;
}

//--- broken.cu
__global__ void broken(reel *y) { y[0] = 1; }
