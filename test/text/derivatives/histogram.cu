// An atomic of the primal: its shadow is only read, and added into by the tangent.
// RUN: %gpuad %s --tangent='histogram(h)/(w)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
// RUN: %gpuad %s --adjoint='histogram(h)/(w)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=ADJOINT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void histogram_tangent(int n, const int* bin, const float* w, const float* w_dot, float* h, float* h_dot) {
// TANGENT-NEXT:  const bool want_w = w_dot != nullptr, want_h = h_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    float w_i = w[i];
// TANGENT-NEXT:    float w_i_dot = want_w ? w_dot[i] : 0.0f;
// TANGENT-NEXT:    if (want_h) atomicAdd(&h_dot[bin[i]], 2.0f * w_i * w_i_dot);
// TANGENT-NEXT:    atomicAdd(&h[bin[i]], w_i * w_i);
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
//
//      ADJOINT:__global__ void histogram_adjoint(int n, const int* bin, const float* w, float* w_bar, float* h, float* h_bar) {
// ADJOINT-NEXT:  const bool want_w = w_bar != nullptr, want_h = h_bar != nullptr, is_flat = gpuad::one_dimensional();
// ADJOINT-NEXT:  const bool own_w = is_flat && w_bar != h_bar;
// ADJOINT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// ADJOINT-NEXT:  if (i < n) {
// ADJOINT-NEXT:    float w_i_bar = 2.0f * w[i] * (want_h ? h_bar[bin[i]] : 0.0f);
// ADJOINT-NEXT:    // plain where h_bar is not the same array: no two threads have the same index
// ADJOINT-NEXT:    if (want_w) gpuad::add_apart(&w_bar[i], w_i_bar, own_w);
// ADJOINT-NEXT:  }
// ADJOINT-NEXT:}
__global__ void histogram(int n, const int *bin, const float *w, float *h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&h[bin[i]], w[i] * w[i]);
}
