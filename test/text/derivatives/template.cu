// RUN: %gpuad %s --adjoint='scale<float>(y)/(a,x)' --adjoint='scale<double>(y)/(a,x)' --tangent='scale<float>(y)/(a,x)' \
// RUN:   -o - -- %stub | FileCheck %s --match-full-lines
// CHECK:      template <class T, int K = 2> __global__ void scale(T a, const T *__restrict__ x, T *y) {
// CHECK-NEXT:   int i = blockIdx.x * blockDim.x + threadIdx.x;
template <class T, int K = 2> __global__ void scale(T a, const T *__restrict__ x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = K * a * x[i] * x[i];
}
