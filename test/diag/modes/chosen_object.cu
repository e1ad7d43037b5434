// RUN: not %gpuad %s --adjoint='rows(y)/(a,b)' -o - -- %stub 2>&1 | FileCheck %s
//
// An object with an array inside, copied from one array of such objects or another.
struct row {
  double values[3];
};
__global__ void rows(int n, const row *a, const row *b, double *y) {
  int i = threadIdx.x;
  const row *p = i % 2 ? a : b;
  // CHECK: chosen_object.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take an object with arrays behind a pointer to one object or another yet [gpuad-not-in-reverse]
  row r = p[i];
  y[i] = r.values[0] * p[i].values[2];
}
