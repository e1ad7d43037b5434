// Structured bindings of classes that give their parts by get<>().
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>
#include <tuple>
#include <utility>
#define KERNEL(NAME)                                                                                                   \
  GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void NAME(const double *x, double *y, int n)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return

class vec3 {
  GPUAD_FRIEND;

public:
  __device__ vec3(double a, double b, double c) : v{a, b, c} {}
  template <std::size_t I> __device__ double &get() & { return v[I]; }
  template <std::size_t I> __device__ const double &get() const & { return v[I]; }
  template <std::size_t I> __device__ double &&get() && { return static_cast<double &&>(v[I]); }

private:
  double v[3];
};
class pair2 {
public:
  double a, b;
};
namespace geo {
class polar;
template <std::size_t I> __device__ double get(const polar &p);
class polar {
  GPUAD_FRIEND;

public:
  __device__ polar(double r, double t) : r_(r), t_(t) {}
  template <std::size_t I> friend __device__ double get(const polar &p);

private:
  double r_, t_;
};
template <std::size_t I> __device__ double get(const polar &p) {
  if constexpr (I == 0)
    return p.r_ * cos(p.t_);
  else
    return p.r_ * sin(p.t_);
}
class cell {
public:
  __device__ cell(double a, int k) : a_(a), k_(k) {}
  double a_;
  int k_;
};
template <std::size_t I> __device__ auto &get(cell &c) {
  if constexpr (I == 0)
    return c.a_;
  else
    return c.k_;
}
template <std::size_t I> __device__ const auto &get(const cell &c) {
  if constexpr (I == 0)
    return c.a_;
  else
    return c.k_;
}
template <std::size_t I> __device__ auto &&get(cell &&c) {
  if constexpr (I == 0)
    return static_cast<double &&>(c.a_);
  else
    return static_cast<int &&>(c.k_);
}
} // namespace geo
template <> struct std::tuple_size<vec3> : std::integral_constant<std::size_t, 3> {};
template <std::size_t I> struct std::tuple_element<I, vec3> {
  using type = double;
};
template <> struct std::tuple_size<geo::polar> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I> struct std::tuple_element<I, geo::polar> {
  using type = double;
};
template <> struct std::tuple_size<geo::cell> : std::integral_constant<std::size_t, 2> {};
template <> struct std::tuple_element<0, geo::cell> {
  using type = double;
};
template <> struct std::tuple_element<1, geo::cell> {
  using type = int;
};
KERNEL(tuple_value) {
  INDEX;
  auto [a, b, c] = vec3(x[i], x[i] * x[i], 2);
  y[i] = a * b * c;
}
KERNEL(tuple_copy) {
  INDEX;
  vec3 v(x[i], x[i] * x[i], 2);
  auto [a, b, c] = v;
  a *= 3;
  y[i] = a * b * c * v.get<0>();
}
KERNEL(tuple_ref) {
  INDEX;
  vec3 v(x[i], x[i] * x[i], 2);
  auto &[a, b, c] = v;
  a *= 3;
  c = b;
  y[i] = v.get<0>() * v.get<2>();
}
KERNEL(tuple_cref) {
  INDEX;
  vec3 v(x[i], x[i] * x[i], 2);
  const auto &[a, b, c] = v;
  v.get<0>() *= 3;
  y[i] = a * b * c;
}
KERNEL(tuple_friend) {
  INDEX;
  geo::polar p(x[i], 2 * x[i]);
  auto [u, v] = p;
  y[i] = u * v;
}
KERNEL(tuple_adl) {
  INDEX;
  geo::cell p(x[i], 3);
  auto [u, k] = p;
  u *= u;
  y[i] = u * k;
}
KERNEL(tuple_adl_ref) {
  INDEX;
  geo::cell p(x[i], 3);
  auto &[u, k] = p;
  u *= u;
  k = 5;
  y[i] = p.a_ * k;
}
KERNEL(tuple_loop) {
  INDEX;
  double s = 0;
  for (int j = 0; j < 3; ++j) {
    auto [a, b, c] = vec3(x[i], s, j);
    s += a * b + c * a;
  }
  y[i] = s;
}
