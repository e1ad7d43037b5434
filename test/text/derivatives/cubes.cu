// Vector types: whole in the tangent, component by component in the adjoint.
// RUN: %gpuad %s --tangent='cubes(y)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
// RUN: %gpuad %s --adjoint='cubes(y)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=ADJOINT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void cubes_tangent(int n, const float4* x, const float4* x_dot, float4* y, float4* y_dot) {
// TANGENT-NEXT:  const bool want_x = x_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    float4 v = x[i];
// TANGENT-NEXT:    float4 v_dot = want_x ? x_dot[i] : float4{};
// TANGENT-NEXT:    if (want_y) y_dot[i] = make_float4(v.y * v_dot.x + v.x * v_dot.y, v_dot.y, v_dot.z, 2.0f * v.w * v_dot.w);
// TANGENT-NEXT:    y[i] = make_float4(v.x * v.y, v.y, v.z, v.w * v.w);
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
//
//      ADJOINT:__global__ void cubes_adjoint(int n, const float4* x, float4* x_bar, float4* y, float4* y_bar) {
// ADJOINT-NEXT:  const bool want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// ADJOINT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// ADJOINT-NEXT:  if (i < n) {
// ADJOINT-NEXT:    float4 v = x[i];
// ADJOINT-NEXT:    float4 y_i_bar = want_y ? gpuad::take(&y_bar[i]) : float4{};
// ADJOINT-NEXT:    float4 v_bar = {};
// ADJOINT-NEXT:    v_bar.x += v.y * y_i_bar.x;
// ADJOINT-NEXT:    v_bar.y += v.x * y_i_bar.x;
// ADJOINT-NEXT:    v_bar.y += y_i_bar.y;
// ADJOINT-NEXT:    v_bar.z += y_i_bar.z;
// ADJOINT-NEXT:    v_bar.w += 2.0f * v.w * y_i_bar.w;
// ADJOINT-NEXT:    if (want_x) {
// ADJOINT-NEXT:      x_bar[i].x += v_bar.x;  // plain: one thread alone writes y at this index in the primal
// ADJOINT-NEXT:      x_bar[i].y += v_bar.y;
// ADJOINT-NEXT:      x_bar[i].z += v_bar.z;
// ADJOINT-NEXT:      x_bar[i].w += v_bar.w;
// ADJOINT-NEXT:    }
// ADJOINT-NEXT:  }
// ADJOINT-NEXT:}
__global__ void cubes(int n, const float4 *x, float4 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = x[i];
    y[i] = make_float4(v.x * v.y, v.y, v.z, v.w * v.w);
  }
}
