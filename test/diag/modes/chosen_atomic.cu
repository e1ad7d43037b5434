// RUN: not %gpuad %s --adjoint='chosen(out)/(x)' -o - -- %stub 2>&1 | FileCheck %s
//
// What an atomic found in one array or another, which pointers tell: there is no one place to read.
__global__ void chosen(int n, const double *x, double *y, double *z, double *out) {
  int i = threadIdx.x;
  double *p = i % 2 ? y : z;
  // CHECK: chosen_atomic.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the result of 'atomicAdd' {{.*}} [gpuad-atomic-result]
  double old = atomicAdd(p, 2.0);
  out[i] = old * x[i];
}
