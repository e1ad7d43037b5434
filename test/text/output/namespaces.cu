// Derivatives stand in the namespaces of their primals, and those of static functions are static.
// RUN: %gpuad %s --adjoint="a::scale(y)/(x)" --adjoint="shift(y)/(x)" -o %t.cu -- %stub
// RUN: FileCheck %s --input-file=%t.cu
namespace a {
namespace {
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
// CHECK:      __global__ void scale_adjoint(
// CHECK-NEXT: {{\[\[}}maybe_unused]] void launch_scale_adjoint(
} // namespace
} // namespace a
static __global__ void shift(float *y, const float *x) { y[threadIdx.x] = 2.0f + x[threadIdx.x]; }
// CHECK:      static __global__ void shift_adjoint(
// CHECK-NEXT: {{\[\[}}maybe_unused]] static void launch_shift_adjoint(
void use(float *y) {
  a::scale<<<1, 1>>>(y, y);
  shift<<<1, 1>>>(y, y);
}
// CHECK: // ---- derivatives
// CHECK: namespace a {
// CHECK-NEXT: namespace {
// CHECK: void scale_adjoint(
// CHECK: }  // namespace
// CHECK-NEXT: }  // namespace a
// CHECK: void shift_adjoint(
