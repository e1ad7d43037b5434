// A pointer that was copied along with a struct inside of another leads where the struct's does.
// RUN: %gpuad %s --adjoint='nested(y)/(o)' -o - -- %stub | FileCheck %s
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
  y[threadIdx.x] = q[threadIdx.x] * q[0];
}
// CHECK: nested_adjoint(outer o, outer o_bar, double* y, double* y_bar)
// CHECK: double* o_in_data_bar = const_cast<double*>(o_bar.in.data);
