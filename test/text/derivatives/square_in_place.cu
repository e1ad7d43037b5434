// Overwritten in place: the seed is taken before the new one is added.
// RUN: %gpuad %s --tangent='square_in_place(v)/(v)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
// RUN: %gpuad %s --adjoint='square_in_place(v)/(v)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=ADJOINT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void square_in_place_tangent(int n, double* v, double* v_dot) {
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i >= n) return;
// TANGENT-NEXT:  double v_i = v[i];
// TANGENT-NEXT:  v_dot[i] *= 2.0 * v_i;
// TANGENT-NEXT:  v[i] = v_i * v_i;
// TANGENT-NEXT:}
//
//      ADJOINT:__global__ void square_in_place_adjoint(int n, double* v, double* v_bar) {
// ADJOINT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// ADJOINT-NEXT:  if (i < n) {
// ADJOINT-NEXT:    double v_i_bar = gpuad::take(&v_bar[i]);
// ADJOINT-NEXT:    v_bar[i] += 2.0 * v[i] * v_i_bar;  // plain: one thread alone writes v at this index in the primal
// ADJOINT-NEXT:  }
// ADJOINT-NEXT:}
__global__ void square_in_place(int n, double *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  v[i] = v[i] * v[i];
}
