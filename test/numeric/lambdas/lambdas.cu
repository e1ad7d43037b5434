// Lambdas that a kernel hands to functions, and other objects that people loop over and assign.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>
#include <utility>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

template <class F> __device__ double apply(F f, double v) {
  return f(v);
}
template <class F> __device__ double twice(F &&f, double v) {
  return std::forward<F>(f)(f(v));
}
template <class F, class G> __device__ double compose(const F &f, const G &g, double v) {
  double inner = g(v);
  if (inner > 1)
    return f(inner);
  return f(inner) + 1;
}
template <class F> __device__ double sum_over(int n, F f) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += f(k);
  return sum;
}
template <class F> __device__ void for_each(double *first, double *last, F f) {
  for (double *p = first; p != last; ++p)
    f(*p);
}

BOTH("(y)/(a,x)")
__global__ void by_copy(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double w = a * x[i];
  y[i] = apply([=](double v) { return w * v * v; }, x[i]) + apply([a](double v) { return v / a; }, w);
}

BOTH("(y)/(a,x)")
__global__ void by_reference(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double total = 0;
  auto f = [&](double v) {
    total += v;
    return a * v * total;
  };
  double p = apply(f, x[i]);
  double q = twice(f, p);
  y[i] = q * total;
}

BOTH("(y)/(x)")
__global__ void in_each_other(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  auto square = [](double u) { return u * u; };
  y[i] = compose([&](double u) { return u * v; }, [&](double u) { return apply(square, u) + v; }, x[i]) +
         compose(square, square, v);
}

BOTH("(y)/(c,x)")
__global__ void sums(int n, const double *c, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  y[i] = sum_over(4, [&](int k) { return c[k] * sin(v * k); });
  y[i] *= sum_over(3, [&, i](auto k) { return c[k] + x[(i + k) % n]; });
}

BOTH("(y)/(x)")
__global__ void changed(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double w = x[i];
  auto kept = [w](double v) { return w * v; };
  w = w * w;
  y[i] = apply(kept, w) + apply([w](double v) { return v / w; }, x[i]);
}

// A view that is looped over.
struct span {
  const double *data;
  int count;
  __device__ const double *begin() const { return data; }
  __device__ const double *end() const { return data + count; }
};
BOTH("(y)/(s)")
__global__ void ranged(int n, span s, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (double v : s)
    sum += v * v;
  double other = 0;
  for (const double &v : span{s.data + i % 4, 3})
    other += v;
  y[i] = sum * other;
}

BOTH("(y)/(s)")
__global__ void copied_pointer(int n, span s, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *p = s.data;
  span t = span{p + 1, s.count - 1};
  double sum = 0;
  for (int k = 0; k < t.count; ++k)
    sum += p[k] * t.data[k];
  y[i] = sum;
}

// One with iterators of its own.
struct stepping {
  int at;
  __device__ int operator*() const { return at * at; }
  __device__ stepping &operator++() {
    ++at;
    return *this;
  }
  __device__ bool operator!=(const stepping &o) const { return at != o.at; }
};
struct numbers_to {
  int last;
  __device__ stepping begin() const { return {0}; }
  __device__ stepping end() const { return {last}; }
};
BOTH("(y)/(x)")
__global__ void stepped(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int k : numbers_to{4})
    sum += x[i] * k * x[(i + k) % n];
  y[i] = sum;
}

// Assignment as a class defines it; literals of the user's.
struct clamped {
  double value, limit;
  __device__ clamped(double v, double l) : value(v), limit(l) {}
  __device__ clamped &operator=(const clamped &o) {
    value = o.value > limit ? limit : o.value;
    return *this;
  }
  __device__ clamped &operator=(double v) {
    value = v * limit;
    return *this;
  }
};
constexpr __device__ double operator""_half(long double v) {
  return static_cast<double>(v) / 2;
}
BOTH("(y)/(x)")
__global__ void assigned(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  clamped a(x[i], 2 * x[i]), b(x[i] * x[i], 0.1_half + 3);
  a = b;
  clamped c(1, x[i]), d(2, 3.0_half);
  c = d = x[(i + 1) % n];
  y[i] = a.value * a.limit + c.value * d.value;
}
