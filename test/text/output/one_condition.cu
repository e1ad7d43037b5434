// Conditions that stand one in the other and hold nothing else are one condition.
// RUN: %gpuad %s -o - -- %stub | FileCheck %s
#include <gpuad/gpuad.h>

// CHECK-LABEL: // Adjoint of keep:
// CHECK: if (i < n && x[i] > 0.0) {
// CHECK-NEXT: y_i_bar
GPUAD_ADJOINT("(y)/(x)")
__global__ void keep(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    if (x[i] > 0)
      y[i] = 3 * x[i];
}
