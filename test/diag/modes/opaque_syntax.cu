// Forms of C++ that stay text, when numbers go through them: each is refused at its place in both modes.
// RUN: not %gpuad %s --adjoint='pun(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PUN
// RUN: not %gpuad %s --tangent='pun(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PUN
union bits {
  float f;
  unsigned u;
};
__global__ void pun(const float *x, float *y) {
  bits b;
  // PUN: opaque_syntax.cu:[[#@LINE + 1]]:3: error: a derivative flows through an assignment, {{.*}}'b.f = {{.*}}[gpuad-opaque-code]
  b.f = x[threadIdx.x];
  b.u ^= 0x80000000u;
  y[threadIdx.x] = b.f;
}
// RUN: not %gpuad %s --adjoint='unnamed(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: not %gpuad %s --tangent='unnamed(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=UNNAMED
struct unnamed_fields {
  struct {
    float a, b;
  };
};
__global__ void unnamed(const float *x, float *y) {
  unnamed_fields s;
  // UNNAMED: opaque_syntax.cu:[[#@LINE + 1]]:3: error: a derivative flows through an assignment, {{.*}}'s.a = {{.*}}[gpuad-opaque-code]
  s.a = x[threadIdx.x];
  y[threadIdx.x] = s.a;
}
// RUN: not %gpuad %s --adjoint='packed(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PACKED
// RUN: not %gpuad %s --tangent='packed(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=PACKED
struct flags {
  unsigned low : 3;
  float v;
};
__global__ void packed(const float *x, float *y) {
  flags p{7u, x[threadIdx.x]};
  // PACKED: opaque_syntax.cu:[[#@LINE + 1]]:3: error: a derivative flows through an assignment, {{.*}}'p.low += 1;'{{.*}}[gpuad-opaque-code]
  p.low += 1;
  y[threadIdx.x] = p.v * p.low;
}
// RUN: not %gpuad %s --adjoint='wrapped(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=WRAPPED
// RUN: not %gpuad %s --tangent='wrapped(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=WRAPPED
template <class F> struct scaled {
  F f;
  float k;
  __device__ float operator()(float v) const { return k * f(v); }
};
__global__ void wrapped(const float *x, float *y) {
  float a = x[threadIdx.x];
  // WRAPPED: opaque_syntax.cu:[[#@LINE + 1]]:12: error: a derivative flows through code, {{.*}}[gpuad-opaque-code]
  auto f = [a](float v) { return a * v; };
  scaled<decltype(f)> g{f, 2.0f};
  y[threadIdx.x] = g(a);
}
