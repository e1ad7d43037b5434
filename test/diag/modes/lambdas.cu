// Lambdas that do not become part of the code around them are refused where a derivative flows through them.
// RUN: not %gpuad %s --adjoint='stored(y)/(x)' --tangent='stored(y)/(x)' --adjoint='early(y)/(x)' --tangent='early(y)/(x)' \
// RUN:   --adjoint='itself(y)/(x)' --tangent='itself(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
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
__global__ void itself(const float *x, float *y) {
  auto power = [](auto &self, float v, int k) -> float { return k == 0 ? 1.0f : v * self(self, v, k - 1); };
  // CHECK-DAG: lambdas.cu:[[#@LINE + 1]]:10: error: a derivative flows through code, {{.*}}'power(power, x[0], 3)'{{.*}} [gpuad-opaque-code]
  y[0] = power(power, x[0], 3);
}
