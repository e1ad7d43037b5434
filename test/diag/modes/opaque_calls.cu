// A callee that only the run knows: through a pointer, and a virtual function.
// RUN: not %gpuad %s --adjoint='through_pointer(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not %gpuad %s --tangent='through_pointer(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not %gpuad %s --adjoint='virtual_call(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=VIRTUAL
// RUN: not %gpuad %s --tangent='virtual_call(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=VIRTUAL
__device__ double square(double v) { return v * v; }
__global__ void through_pointer(const double *x, double *y) {
  double (*chosen)(double) = square;
  // POINTER: opaque_calls.cu:[[#@LINE + 1]]:20: error: {{.*}}'chosen(x[threadIdx.x])'{{.*}} [gpuad-opaque-code]
  y[threadIdx.x] = chosen(x[threadIdx.x]);
}

struct shape {
  __device__ virtual double area(double v) const { return v; }
};
struct disc : shape {
  __device__ double area(double v) const override { return v * v; }
};
__global__ void virtual_call(const double *x, double *y) {
  disc d;
  const shape &s = d;
  // VIRTUAL: opaque_calls.cu:[[#@LINE + 1]]:20: error: {{.*}}'s.area(x[threadIdx.x])'{{.*}} [gpuad-opaque-code]
  y[threadIdx.x] = s.area(x[threadIdx.x]);
}
