// Lambdas that do not become part of the code around them are refused where a derivative flows through them.
// RUN: not %gpuad %s --adjoint='stored(y)/(x)' --tangent='stored(y)/(x)' --adjoint='early(y)/(x)' --tangent='early(y)/(x)' \
// RUN:   --adjoint='changes(y)/(x)' --tangent='changes(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
template <class F> struct Holder {
  F f;
  float bias;
  __device__ float operator()(float v) const { return f(v) + bias; }
};
template <class F> __device__ Holder<F> hold(F f, float b) { return {f, b}; }
__global__ void stored(const float *x, float *y, float s) {
  // CHECK-DAG: lambdas.cu:[[#@LINE + 1]]:12: error: a derivative flows through code, which gpuad does not understand: 'hold({{.*}} [gpuad-opaque-code]
  auto h = hold([s](float v) { return s * v; }, x[0]);
  y[0] = h(x[0]);
}
template <class F> __device__ float find(F f, float a) {
  for (int k = 0; k < 5; ++k) {
    float v = f(a);
    if (v > 2) return v * a;
    a = v + 0.5f;
  }
  return a;
}
__global__ void early(const float *x, float *y, float s) {
  // CHECK-DAG: lambdas.cu:[[#@LINE + 1]]:3: error: a derivative flows through a lambda, {{.*}} [gpuad-opaque-code]
  y[0] = find([s](float v) { return v * s; }, x[0]);
}
__global__ void changes(const float *x, float *y) {
  float sum = 0;
  auto add = [sum](float v) mutable { sum += v * v; return sum; };
  // CHECK-DAG: lambdas.cu:[[#@LINE + 1]]:3: error: a derivative flows through code, {{.*}}'add(x[0])'{{.*}} [gpuad-opaque-code]
  add(x[0]);
  // CHECK-DAG: lambdas.cu:[[#@LINE + 1]]:10: error: a derivative flows through code, {{.*}}'add(x[1])'{{.*}} [gpuad-opaque-code]
  y[0] = add(x[1]) + sum;
}
