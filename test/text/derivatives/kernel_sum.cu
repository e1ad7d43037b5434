// Calls: the tangent calls the tangent of the function, the adjoint holds its body.
// RUN: %gpuad %s --tangent='kernel_sum(y)/(width,r)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
//
//      TANGENT:{{\[\[}}maybe_unused]] static __device__ gpuad::dual<float> gauss_tangent(float r, float r_dot, float width,
// TANGENT-NEXT:                                                                    float width_dot) {
// TANGENT-NEXT:  float quotient = -r * r / width;
// TANGENT-NEXT:  float quotient_dot = (-(2.0f * (r * r_dot)) - quotient * width_dot) / width;
// TANGENT-NEXT:  float result = expf(quotient);
// TANGENT-NEXT:  return {result, quotient_dot != 0.0f ? result * quotient_dot : 0.0f};
// TANGENT-NEXT:}
//      TANGENT:__global__ void kernel_sum_tangent(int n, float width, float width_dot, const float* r, const float* r_dot, float* y,
// TANGENT-NEXT:                                   float* y_dot) {
// TANGENT-NEXT:  const bool want_r = r_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    gpuad::dual<float> gauss_dual = gpuad_kernel_sum::gauss_tangent(r[i], want_r ? r_dot[i] : 0.0f, width, width_dot);
// TANGENT-NEXT:    gpuad::dual<float> gauss_dual_2 = gpuad_kernel_sum::gauss_tangent(2.0f * r[i], 2.0f * (want_r ? r_dot[i] : 0.0f),
// TANGENT-NEXT:                                                                      width, width_dot);
// TANGENT-NEXT:    if (want_y) y_dot[i] = gauss_dual.tangent + gauss_dual_2.tangent;
// TANGENT-NEXT:    y[i] = gauss_dual.value + gauss_dual_2.value;
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
__device__ float gauss(float r, float width) { return expf(-r * r / width); }
__global__ void kernel_sum(int n, float width, const float *r, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = gauss(r[i], width) + gauss(2.0f * r[i], width);
}
