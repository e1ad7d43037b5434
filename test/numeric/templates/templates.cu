// Derivatives of templates: one template each, whose body holds the instances.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>
#include <type_traits>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Two types.
template <class T> BOTH("(y)/(a,x)") __global__ void scale(int n, T a, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] * x[i];
}

// A number and a default argument; nothing in this file uses it: the HEADs of the build name the instances.
template <class T, int N = 3> __global__ void horner(int n, const T *__restrict__ c, const T *__restrict__ x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T sum = c[N - 1];
#pragma unroll
  for (int k = N - 2; k >= 0; --k)
    sum = sum * x[i] + c[k];
  y[i] = sum;
}

// Functors by value: one with a number in it, one with a view.
struct affine {
  double scale, shift;
  __device__ double operator()(double v, int) const { return scale * v + shift; }
};
struct lookup {
  const double *table;
  __device__ double operator()(double v, int i) const { return table[i % 4] * v * v; }
};
template <class Op> BOTH("(y)/(op,x)") __global__ void transform(int n, Op op, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = op(x[i], i);
}

// One instance keeps what its loop carries in a local array, the other one in the stack of the launch.
template <int N> BOTH("(y)/(x)") __global__ void iterate(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < N; ++k)
    v = sin(v) * x[i] + 0.5;
  y[i] = v;
}

// Types that depend on the arguments, and a struct template in an array.
template <class T> struct traits;
template <> struct traits<float> {
  using wide = double;
  static constexpr int power = 2;
};
template <> struct traits<double> {
  using wide = double;
  static constexpr int power = 3;
};
template <class T, int N> struct vec {
  T at[N];
};
template <class T> __device__ T dot(const vec<T, 2> &a, const vec<T, 2> &b) {
  return a.at[0] * b.at[0] + a.at[1] * b.at[1];
}
template <class T>
BOTH("(y)/(x,w)")
__global__ void traited(int n, const vec<T, 2> *x, typename traits<T>::wide w, typename traits<T>::wide *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  typename traits<T>::wide v = w * dot(x[i], x[(i + 1) % n]);
  for (int k = 1; k < traits<T>::power; ++k)
    v *= w;
  y[i] = v;
}

// if constexpr, a flag, an enumerator, and a kernel that one instance specialises.
enum class mode { square, cube };
namespace shapes {
template <mode M, bool Negative = false> BOTH("(y)/(x)") __global__ void power(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v;
  if constexpr (M == mode::square)
    v = x[i] * x[i];
  else
    v = x[i] * x[i] * x[i];
  y[i] = Negative ? -v : v;
}
} // namespace shapes
template <class T> BOTH("(y)/(x)") __global__ void special(int n, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}
template <> BOTH("(y)/(x)") __global__ void special<double>(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}

// Templates as arguments of templates, a curiously recurring base, a partial specialisation, overloaded functors.
template <class T> struct plus_one {
  static __device__ T of(T v) { return v + 1; }
};
template <class T> struct twice {
  static __device__ T of(T v) { return v * 2; }
};
template <template <class> class F, class T> BOTH("(y)/(x)") __global__ void through(int n, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = F<T>::of(x[i]) * F<T>::of(x[i]);
}
template <class D> struct shape {
  __device__ double twice_area() const { return 2 * static_cast<const D *>(this)->area(); }
};
struct disc : shape<disc> {
  double r;
  __device__ double area() const { return 3.0 * r * r; }
};
struct box : shape<box> {
  double a, b;
  __device__ double area() const { return a * b; }
};
template <class S> BOTH("(y)/(s)") __global__ void areas(int n, const S *s, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = s[i].twice_area() * s[i].twice_area();
}
template <class T> struct reader {
  static __device__ T read(const T *p, int i) { return p[i]; }
};
template <class T> struct reader<T *> {
  static __device__ T read(T *const *p, int i) { return p[0][i]; }
};
struct both_ways {
  __device__ double operator()(double v) const { return v * v; }
  __device__ double operator()(double v, double w) const { return v * w; }
};
template <class F> __device__ double fold(F f, double a, double b = 2) {
  return f(f(a), b);
}
template <class F> BOTH("(y)/(x)") __global__ void folded(int n, F f, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = fold(f, reader<double>::read(x, i)) + fold(f, x[i], x[(i + 1) % n]);
}

// A pointer as the argument itself.
template <class P, class Q> BOTH("(y)/(x)") __global__ void by_pointer(int n, P x, Q y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i] * x[i];
}

// A method template of a class template, called in a kernel.
template <class T> struct model {
  T gain;
  template <int K> __device__ T run(T v) const {
    T sum = 0;
    for (int k = 0; k < K; ++k)
      sum += gain * v;
    return sum * v;
  }
};
template <class T, int K> BOTH("(y)/(m,x)") __global__ void modelled(int n, model<T> m, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = m.template run<K>(x[i]);
}

// Variable templates: in constant memory, and as compile-time constants, in a namespace and outside.
template <class T> __constant__ T mask[3];
namespace numbers {
template <class T> constexpr T third = T(1) / T(3);
template <class T, int N> __device__ T weights[N] = {T(0.5), T(0.25)};
} // namespace numbers
template <class T> BOTH("(y)/(x)") __global__ void masked(int n, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T sum = 0;
  for (int k = 0; k < 3; ++k)
    if (i + k < n)
      sum += (mask<T>[k] + T(k + 1)) * x[i + k] * x[i];
  y[i] = sum * numbers::third<T> * numbers::weights<T, 2>[1];
}

// What is used here is what the derivatives are made for.
inline void use(float *f, double *d, const vec<float, 2> *vf, const vec<double, 2> *vd, disc *discs, box *boxes) {
  scale<<<1, 1>>>(0, 1.0f, f, f);
  scale<<<1, 1>>>(0, 1.0, d, d);
  transform<<<1, 1>>>(0, affine{1, 2}, d, d);
  transform<<<1, 1>>>(0, lookup{d}, d, d);
  iterate<4><<<1, 1>>>(0, d, d);
  iterate<100><<<1, 1>>>(0, d, d);
  traited<float><<<1, 1>>>(0, vf, 1.0, d);
  traited<double><<<1, 1>>>(0, vd, 1.0, d);
  shapes::power<mode::square><<<1, 1>>>(0, d, d);
  shapes::power<mode::cube, true><<<1, 1>>>(0, d, d);
  special<<<1, 1>>>(0, f, f);
  special<<<1, 1>>>(0, d, d);
  through<plus_one><<<1, 1>>>(0, f, f);
  through<twice><<<1, 1>>>(0, d, d);
  areas<<<1, 1>>>(0, discs, d);
  areas<<<1, 1>>>(0, boxes, d);
  folded<<<1, 1>>>(0, both_ways{}, d, d);
  by_pointer<const double *><<<1, 1>>>(0, d, d);
  by_pointer<const float *><<<1, 1>>>(0, f, f);
  modelled<float, 2><<<1, 1>>>(0, model<float>{}, f, f);
  modelled<double, 3><<<1, 1>>>(0, model<double>{}, d, d);
  masked<<<1, 1>>>(0, f, f);
  masked<<<1, 1>>>(0, d, d);
}
