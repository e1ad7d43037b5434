// A short loop that keeps a value of each iteration.
// RUN: %gpuad %s --tangent='chain(y)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void chain_tangent(int n, const double* x, const double* x_dot, double* y, double* y_dot) {
// TANGENT-NEXT:  const bool want_x = x_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    double p = x[i];
// TANGENT-NEXT:    double p_dot = want_x ? x_dot[i] : 0.0;
// TANGENT-NEXT:    for (int k = 0; k < 4; ++k) {
// TANGENT-NEXT:      p_dot *= 2.0 * p;
// TANGENT-NEXT:      p = p * p - 0.5;
// TANGENT-NEXT:    }
// TANGENT-NEXT:    if (want_y) y_dot[i] = p_dot;
// TANGENT-NEXT:    y[i] = p;
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
__global__ void chain(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double p = x[i];
    for (int k = 0; k < 4; ++k)
      p = p * p - 0.5;
    y[i] = p;
  }
}
