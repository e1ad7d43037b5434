// RUN: not %gpuad %s --adjoint='nested(y)/(o)' -o - -- %stub 2>&1 | FileCheck %s
//
// A pointer that was copied along with a struct inside of another: whose memory it reaches is not known.
struct span {
  const double *data;
  int count;
};
struct outer {
  span in;
};
__global__ void nested(outer o, double *y) {
  span t = o.in;
  const double *q = t.data;
  // CHECK: unknown_origin.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take memory behind a pointer of {{.*}} [gpuad-not-in-reverse]
  y[threadIdx.x] = q[threadIdx.x] * q[0];
}
