// C as people write it: tags in front of names, casts that take const away, volatile memory, plain enumerations.
#include <cuda/std/limits>
#include <gpuad/gpuad.h>
#define IDX                                                                                                            \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return
struct pair {
  double a, b;
};
typedef struct {
  struct pair first;
  double weight;
} weighted;
enum kind { Square, Cube };
__device__ struct pair scaled(const struct pair *p, double c) {
  struct pair q = {p->a * c, p->b};
  return q;
}
GPUAD_ADJOINT("(y)/(p,c)")
GPUAD_TANGENT("(y)/(p,c)") __global__ void tags(const struct pair *p, double c, double *y, int n) {
  IDX;
  struct pair r = {0.0, 0.0}, z = {0.0};
  struct pair s = scaled(p + i, c);
  weighted w = {{s.a, s.b}, c};
  enum kind k = i % 2 ? Square : Cube;
  r.a = s.a;
  r.b += s.b * s.a + z.a;
  if (k == Cube)
    z = r;
  y[i] = r.a * r.b + z.b + w.weight * w.first.b;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void vectors(const double *x, double *y, int n) {
  __shared__ double2 tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? ((double2 *)x)[i] : make_double2(0, 0);
  __syncthreads();
  double2 other = tile[blockDim.x - 1 - t];
  if (i < n)
    y[i] = other.x * tile[t].y + other.y;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void unchecked(const double *x, double *y, int n) {
  IDX;
  double *from = (double *)x;
  y[i] = from[i] * from[(i + 1) % n];
}
GPUAD_ADJOINT("(y)/(x)")
GPUAD_TANGENT("(y)/(x)") __global__ void volatile_arrays(volatile double *x, volatile double2 *y, int n) {
  IDX;
  volatile double *p = x;
  volatile double sum = 0.0;
  volatile double kept[3];
  for (int k = 0; k < 3; ++k) {
    kept[k] = p[i] * (k + 1);
    sum += kept[k] * x[(i + 1) % n];
  }
  y[i].x = sum * sum;
  y[i].y = x[i];
}
template <class T, class U> struct both {
  T first;
  U second;
};
// Names of types that only this function knows.
template <class T>
GPUAD_ADJOINT("local_names<double>(y)/(x)")
GPUAD_TANGENT("local_names<double>(y)/(x)") __global__ void local_names(const T *x, T *y, int n) {
  using real = T;
  using inner = both<real, int>;
  typedef both<inner, both<real, real>> outer;
  IDX;
  outer v{{x[i], i}, {x[i], real(2)}};
  both<real, inner> w{v.second.first * v.second.second, v.first};
  y[i] = w.first * w.second.first;
}
template __global__ void local_names<double>(const double *, double *, int);
// Numbers that a library knows.
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void limits(const double *x, double *y, int n) {
  IDX;
  double best = -cuda::std::numeric_limits<double>::infinity(), low = cuda::std::numeric_limits<double>::max();
  for (int k = 0; k < 3; ++k) {
    best = fmax(best, x[i + k]);
    low = fmin(low, x[i + k]);
  }
  y[i] = best * low + cuda::std::numeric_limits<double>::epsilon();
}
template <class T>
GPUAD_ADJOINT("limits_of<double>(y)/(x)")
GPUAD_TANGENT("limits_of<double>(y)/(x)") __global__ void limits_of(const T *x, T *y, int n) {
  IDX;
  T best = -cuda::std::numeric_limits<T>::infinity(), low = cuda::std::numeric_limits<T>::max();
  for (int k = 0; k < 3; ++k) {
    best = fmax(best, x[i + k]);
    low = fmin(low, x[i + k]);
  }
  y[i] = best * low;
}
template __global__ void limits_of<double>(const double *, double *, int);
GPUAD_ADJOINT("(x)/(x)") GPUAD_TANGENT("(x)/(x)") __global__ void volatile_in_place(volatile double *x, int n) {
  IDX;
  x[i] = x[i] * x[i];
  x[i] += 0.5 * x[i];
}

// A type that a class names by a constant of its own, which means nothing elsewhere.
template <class T, int N> struct row {
  T value[N];
};
template <int Length> struct shapes {
  static constexpr int count = Length;
  using cells = row<double, count + 1>;
};
template <class Shapes>
GPUAD_ADJOINT("by_constant<shapes<2>>(y)/(x)")
GPUAD_TANGENT("by_constant<shapes<2>>(y)/(x)") __global__ void by_constant(int n, const double *x, double *y) {
  using cells = typename Shapes::cells;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  cells c;
  for (int k = 0; k < Shapes::count + 1; ++k)
    c.value[k] = x[(i + k) % n] * (k + 1);
  cells d = c;
  y[i] = c.value[i % 3] * d.value[(i + 1) % 3];
}
template __global__ void by_constant<shapes<2>>(int, const double *, double *);
