// A switch: the adjoint is a chain of ifs, and what is set to zero gives nothing back.
// RUN: %gpuad %s --tangent='pick(y)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void pick_tangent(int n, const int* kind, const float* x, const float* x_dot, float* y, float* y_dot) {
// TANGENT-NEXT:  const bool want_x = x_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i >= n) return;
// TANGENT-NEXT:  switch (kind[i]) {
// TANGENT-NEXT:    case 0:
// TANGENT-NEXT:      if (want_y) y_dot[i] = want_x ? x_dot[i] : 0.0f;
// TANGENT-NEXT:      y[i] = x[i];
// TANGENT-NEXT:      break;
// TANGENT-NEXT:    case 1: {
// TANGENT-NEXT:      float x_i = x[i];
// TANGENT-NEXT:      float x_i_dot = want_x ? x_dot[i] : 0.0f;
// TANGENT-NEXT:      if (want_y) y_dot[i] = 2.0f * x_i * x_i_dot;
// TANGENT-NEXT:      y[i] = x_i * x_i;
// TANGENT-NEXT:      break;
// TANGENT-NEXT:    }
// TANGENT-NEXT:    default:
// TANGENT-NEXT:      if (want_y) y_dot[i] = 0.0f;
// TANGENT-NEXT:      y[i] = 0.0f;
// TANGENT-NEXT:      break;
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
__global__ void pick(int n, const int *kind, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (kind[i]) {
  case 0:
    y[i] = x[i];
    break;
  case 1:
    y[i] = x[i] * x[i];
    break;
  default:
    y[i] = 0.0f;
  }
}
