// RUN: not %gpuad %s --adjoint="held(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=HELD
// RUN: not %gpuad %s --tangent="itself(y)/(x)" -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=ITSELF
template <class F> struct wrapped {
  F f;
  // HELD: lambda_in_object.cu:[[#@LINE+1]]:61: error: {{.*}} 'f(v)'{{.*}} [gpuad-opaque-code]
  __device__ double operator()(double v) const { return 2 * f(v); }
};
template <class F> __device__ wrapped<F> wrap(F f) {
  return {f};
}
__global__ void held(const double *x, double *y) {
  auto w = wrap([](double v) { return v * v; });
  y[0] = w(x[0]);
}
__global__ void itself(const double *x, double *y) {
  auto power = [](auto &self, double v, int k) -> double { return k == 0 ? 1.0 : v * self(self, v, k - 1); };
  // ITSELF: lambda_in_object.cu:[[#@LINE+1]]:10: error: {{.*}} 'power(power, x[0], 3)'{{.*}} [gpuad-opaque-code]
  y[0] = power(power, x[0], 3);
}
