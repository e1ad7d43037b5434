// RUN: not %gpuad %s --adjoint='transform(y)/(x)' -o %t.cu -- %stub --extended-lambda 2>&1 | FileCheck %s
// RUN: not %gpuad %s --tangent='added(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PACK
// RUN: not %gpuad %s --tangent='local(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: %gpuad %s --tangent='mixed(y)/(x)' -o %t.cu -- %stub --extended-lambda 2>&1 | FileCheck %s --check-prefix=MIXED
// CHECK: unnamed_argument.cu:[[#@LINE + 1]]:36: error: 'transform' is made here for a lambda, {{.*}}; write a functor, a struct with operator(), in place of the lambda [gpuad-unnamed-argument]
template <class F> __global__ void transform(F f, const float *x, float *y) { y[threadIdx.x] = f(x[threadIdx.x]); }
// PACK: unnamed_argument.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'added' is made here for the pack 'A', {{.*}}; write the parameters one by one [gpuad-unnamed-argument]
template <class... A> __global__ void added(float *y, const float *x, A... a) { y[threadIdx.x] = (x[threadIdx.x] + ... + a); }
// LOCAL: unnamed_argument.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'local' is made here for 'here', which is declared inside a function, {{.*}}; declare the type outside of functions, with a name [gpuad-unnamed-argument]
template <class F> __global__ void local(F f, const float *x, float *y) { y[threadIdx.x] = f.a * x[threadIdx.x]; }
// MIXED: unnamed_argument.cu:[[#@LINE + 1]]:{{[0-9]+}}: warning: 'mixed' is made here for a lambda, {{.*}} [gpuad-unnamed-argument]
template <class F> __global__ void mixed(F f, const float *x, float *y) { y[threadIdx.x] = f(x[threadIdx.x]); }
struct doubled {
  __device__ float operator()(float v) const { return 2 * v; }
};
void run(float a, const float *x, float *y) {
  struct here {
    float a;
  };
  transform<<<1, 32>>>([=] __device__(float v) { return a * v; }, x, y);
  added<<<1, 32>>>(y, x, 1.0f, 2);
  local<<<1, 32>>>(here{a}, x, y);
  mixed<<<1, 32>>>([=] __device__(float v) { return a * v; }, x, y);
  mixed<<<1, 32>>>(doubled{}, x, y);
}
