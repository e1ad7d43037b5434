// A HEAD that names a template means the instances with floating-point data.
// RUN: %gpuad %s --adjoint='scale(y)/(x)' --tangent=scale -o %t.cu -- %stub
// RUN: sed '1,/^.. ---- derivatives/d' %t.cu | FileCheck %s --implicit-check-not='short'
// CHECK: scale_adjoint(T* y, T* y_bar
template <class T> __global__ void scale(T *y, const T *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
void run(float *y, short *s) {
  scale<<<1, 32>>>(s, s);
  scale<<<1, 32>>>(y, y);
}
// A static method of a class template is called by the name of its instance.
// RUN: %gpuad %s --tangent='filled(y)/(x)' -o - -- %stub | FileCheck %s --check-prefix=STATIC
// STATIC: void filled_tangent(
// STATIC: pack<int>::size()
template <class T> struct pack {
  static __device__ int size() { return 4; }
};
__global__ void filled(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * pack<int>::size(); }
// And a static member by that of its own: two instances hold two constants.
// RUN: %gpuad %s --tangent='members(y)/(x)' -o - -- %stub | FileCheck %s --check-prefix=MEMBER
// MEMBER: void members_tangent(
// MEMBER: wide<float>::size
// MEMBER: wide<double>::size
template <class T> struct wide {
  static constexpr int size = 16 / sizeof(T);
};
__global__ void members(float *y, const float *x) {
  y[threadIdx.x * wide<float>::size] = x[threadIdx.x * wide<double>::size];
}
