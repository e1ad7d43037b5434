// A HEAD that names a template means the instances with floating-point data.
// RUN: %gpuad %s --adjoint='scale(y)/(x)' --tangent=scale -o %t.cu -- %stub
// RUN: sed '1,/^.. ---- derivatives/d' %t.cu | FileCheck %s --implicit-check-not='short'
// CHECK: scale_adjoint(float* y, float* y_bar
template <class T> __global__ void scale(T *y, const T *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
void run(float *y, short *s) {
  scale<<<1, 32>>>(s, s);
  scale<<<1, 32>>>(y, y);
}
