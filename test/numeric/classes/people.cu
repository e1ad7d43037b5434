// C++ as people write it in simulations, rendering and learning.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(x)")
__global__ void range_for(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float taps[3] = {0.25f, 0.5f, 0.25f};
  float local[3] = {x[i], x[i + 1], x[i + 2]};
  float sum = 0;
  int k = 0;
  for (float t : taps) sum += t * local[k++];
  for (auto &v : local) v *= sum;
  float all = 0;
  for (const auto &v : local) all += v * v;
  y[i] = all;
}

constexpr __host__ __device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
template <int Order, class T> __host__ __device__ T series(T v) {
  if constexpr (Order == 0)
    return T(1);
  else
    return series<Order - 1>(v) + v * v / factorial(Order);
}
BOTH("(y)/(x)")
__global__ void compile_time(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = series<3>(x[i]);
}

template <class T> __device__ void swap_values(T &a, T &b) {
  T kept = a;
  a = b;
  b = kept;
}
struct split {
  float low, high;
};
__device__ split halves(float v) { return {v * 0.25f, v * v}; }
BOTH("(y)/(x)")
__global__ void bindings(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto [low, high] = halves(x[i]);
  float a = x[i + 1], b = low;
  swap_values(a, b);
  y[i] = high * a + b * low;
}

struct dual_like {
  float v = 0, d = 1;
  __host__ __device__ dual_like() = default;
  __host__ __device__ dual_like(float value, float derivative = 0) : v(value), d(derivative) {}
  friend __host__ __device__ dual_like operator*(const dual_like &a, const dual_like &b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
  }
  friend __host__ __device__ dual_like operator+(dual_like a, dual_like b) { return dual_like(a.v + b.v, a.d + b.d); }
};
__device__ dual_like sin(const dual_like &a) { return {sinf(a.v), cosf(a.v) * a.d}; }
template <class T> __device__ T model(T v) { return sin(v * v) + v * T(2.0f); }
BOTH("(y)/(x)")
__global__ void of_duals(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dual_like one(x[i], 1);
  y[i] = model(one).d + model(one).v;
}

struct clamped_policy {
  __device__ static float apply(float v) { return v > 1 ? 1 + 0.1f * (v - 1) : v; }
};
template <class Policy> struct neuron {
  float w, b;
  __device__ float operator()(float v) const { return Policy::apply(w * v + b); }
};
template <class... F> struct chain;
template <class F> struct chain<F> {
  F f;
  __device__ float operator()(float v) const { return f(v); }
};
template <class F, class... Rest> struct chain<F, Rest...> {
  F f;
  chain<Rest...> rest;
  __device__ float operator()(float v) const { return rest(f(v)); }
};
BOTH("(y)/(x)")
__global__ void policies(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  chain<neuron<clamped_policy>, neuron<clamped_policy>> net{{x[i], 0.5f}, {{x[i + 1], x[i]}}};
  y[i] = net(x[i + 1]);
}

struct quaternion {
  float w, x, y, z;
  __host__ __device__ quaternion conj() const { return {w, -x, -y, -z}; }
  __host__ __device__ quaternion &normalize() {
    float s = rsqrtf(w * w + x * x + y * y + z * z);
    w *= s, x *= s, y *= s, z *= s;
    return *this;
  }
};
__host__ __device__ inline quaternion operator*(const quaternion &a, const quaternion &b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
BOTH("(y)/(q,v)")
__global__ void rotations(float3 *y, const quaternion *q, const float3 *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quaternion r = q[i];
  r.normalize();
  quaternion p = r * quaternion{0, v[i].x, v[i].y, v[i].z} * r.conj();
  y[i] = make_float3(p.x, p.y, p.z);
}

BOTH("(y)/(x)")
__global__ void closures(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float scale = x[i];
  auto snapshot = [=](float v) { return v * scale; };
  scale *= 2;
  auto live = [&](float v) { return v + scale; };
  scale += 1;
  y[i] = snapshot(x[i + 1]) + live(x[i]);
}
