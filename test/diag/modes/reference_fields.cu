// A class with a reference inside names an object outside of it: what is done through it would be lost.
// RUN: not %gpuad %s --adjoint='through(y)/(x)' --tangent='through(y)/(x)' --adjoint='terms(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
struct Handle {
  double &value;
};
struct Both : Handle {
  double weight;
};
__global__ void through(const double *x, double *y) {
  double a = x[0];
  // CHECK-DAG: reference_fields.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: a derivative flows through {{.*}} [gpuad-opaque-code]
  Handle h{a};
  h.value *= x[1];
  y[0] = a;
}
template <class E> struct Expression {
  __device__ double operator[](int k) const { return static_cast<const E &>(*this)[k]; }
};
struct Point : Expression<Point> {
  double d[3];
  __device__ Point(double a, double b, double c) : d{a, b, c} {}
  __device__ double operator[](int k) const { return d[k]; }
};
template <class A, class B> struct Sum : Expression<Sum<A, B>> {
  const A &a;
  const B &b;
  __device__ Sum(const A &x, const B &y) : a(x), b(y) {}
  __device__ double operator[](int k) const { return a[k] + b[k]; }
};
__global__ void terms(const double *x, double *y) {
  Point a(x[0], 1, x[1]), b(2, x[2], 3);
  // CHECK-DAG: reference_fields.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: a derivative flows through {{.*}} [gpuad-opaque-code]
  Sum<Point, Point> sum(a, b);
  y[0] = sum[0] * sum[1];
}
