// Structured bindings: copies and references, of structs, arrays and vectors.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>
#define KERNEL(NAME)                                                                                                   \
  GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void NAME(const double *x, double *y, int n)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return

struct range {
  double lo, hi;
};
__device__ range bounds(double v) {
  return {v - 1, v * v};
}

KERNEL(bind_value) {
  INDEX;
  auto [lo, hi] = bounds(x[i]);
  y[i] = lo * hi;
}
KERNEL(bind_const) {
  INDEX;
  const auto [lo, hi] = bounds(x[i]);
  y[i] = lo * hi + sin(lo);
}
KERNEL(bind_cref) {
  INDEX;
  const auto &[lo, hi] = bounds(x[i]);
  y[i] = lo * hi;
}
KERNEL(bind_rref) {
  INDEX;
  auto &&[lo, hi] = bounds(x[i]);
  lo *= 2;
  y[i] = lo * hi;
}
KERNEL(bind_ref) {
  INDEX;
  range r = bounds(x[i]);
  auto &[lo, hi] = r;
  lo *= hi;
  hi += lo;
  y[i] = r.lo * r.hi;
}
KERNEL(bind_change) {
  INDEX;
  range r = bounds(x[i]);
  auto [lo, hi] = r;
  lo = lo * hi;
  r.lo = 3;
  hi += lo * r.lo;
  y[i] = lo * hi;
}
KERNEL(bind_array) {
  INDEX;
  double a[2] = {x[i], x[i] * x[i]};
  auto [p, q] = a;
  a[0] = 7;
  p += q * a[0];
  y[i] = p * q;
}
KERNEL(bind_array_ref) {
  INDEX;
  double a[2] = {x[i], x[i] * x[i]};
  auto &[p, q] = a;
  p += q;
  q *= p;
  y[i] = a[0] * a[1];
}
KERNEL(bind_array_cref) {
  INDEX;
  double a[3] = {x[i], x[i] * x[i], 3};
  const auto &[p, q, r] = a;
  a[2] = 2 * p;
  y[i] = p * q * r;
}
KERNEL(bind_array2) {
  INDEX;
  double a[2][2] = {{x[i], 2}, {x[i] * x[i], 3}};
  auto &[p, q] = a;
  p[1] = q[0];
  y[i] = a[0][1] * q[1] * p[0];
}
KERNEL(bind_array2_copy) {
  INDEX;
  double a[2][2] = {{x[i], 2}, {x[i] * x[i], 3}};
  auto [p, q] = a;
  a[0][0] = 5;
  p[1] = q[0];
  y[i] = a[0][1] * q[1] * p[0] * p[1];
}
KERNEL(bind_init_list) {
  INDEX;
  auto [p, q] = range{x[i], 2 * x[i]};
  y[i] = p * q;
}
struct base2 {
  double u, v;
};
struct derived : base2 {};
KERNEL(bind_derived) {
  INDEX;
  derived d;
  d.u = x[i];
  d.v = x[i] * 2;
  auto [p, q] = d;
  y[i] = p * q;
}
KERNEL(bind_derived_ref) {
  INDEX;
  derived d;
  d.u = x[i];
  d.v = x[i] * 2;
  auto &[p, q] = d;
  p *= q;
  y[i] = d.u * q;
}
struct mixed {
  double v;
  int k;
};
__device__ mixed classify(double v) {
  return {v * v, v > 0.2 ? 2 : 3};
}
KERNEL(bind_mixed) {
  INDEX;
  auto [v, k] = classify(x[i]);
  y[i] = v * k;
}
KERNEL(bind_mixed_loop) {
  INDEX;
  auto [v, k] = classify(x[i]);
  double s = 1;
  for (int j = 0; j < k; ++j) {
    auto [a, b] = bounds(s * v);
    s += a * b;
  }
  y[i] = s;
}
KERNEL(bind_if) {
  INDEX;
  y[i] = 0;
  if (auto [lo, hi] = bounds(x[i]); lo < hi)
    y[i] = lo * hi;
  else
    y[i] = hi;
}
struct rec {
  double a, b;
};
KERNEL(bind_range_for) {
  INDEX;
  range rs[3] = {{x[i], 1}, {2, x[i]}, {x[i], x[i]}};
  double s = 0;
  for (const auto &[lo, hi] : rs)
    s += lo * hi;
  y[i] = s;
}
KERNEL(bind_range_for_mut) {
  INDEX;
  range rs[3] = {{x[i], 1}, {2, x[i]}, {x[i], x[i]}};
  for (auto &[lo, hi] : rs)
    lo *= hi;
  double s = 0;
  for (auto [lo, hi] : rs) {
    lo += 1;
    s += lo * hi;
  }
  y[i] = s;
}
KERNEL(bind_vector) {
  INDEX;
  double2 v = make_double2(x[i], x[i] * x[i]);
  auto [a, b] = v;
  y[i] = a * b;
}
KERNEL(bind_vector_ref) {
  INDEX;
  double2 v = make_double2(x[i], x[i] * x[i]);
  auto &[a, b] = v;
  a *= b;
  y[i] = v.x;
}
struct nested {
  range r;
  double w[2];
};
KERNEL(bind_nested) {
  INDEX;
  nested m{{x[i], 2}, {x[i] * x[i], 3}};
  auto [r, w] = m;
  r.lo *= w[0];
  w[1] = r.hi * r.lo;
  m.w[1] = 0;
  y[i] = r.lo * w[1];
}
KERNEL(bind_nested_ref) {
  INDEX;
  nested m{{x[i], 2}, {x[i] * x[i], 3}};
  auto &[r, w] = m;
  auto &[lo, hi] = r;
  lo *= w[0];
  w[1] = hi * r.lo;
  y[i] = m.r.lo * m.w[1];
}
struct holder {
  double &r;
  double v;
};
struct holder_p {
  double *r;
  double v;
};
KERNEL(bind_ptrfield) {
  INDEX;
  double t[2] = {x[i], 2};
  holder_p h{t, x[i] * 2};
  auto [r, v] = h;
  r[1] *= v;
  y[i] = t[0] * t[1] * v;
}
KERNEL(bind_capture) {
  INDEX;
  auto [lo, hi] = bounds(x[i]);
  double l2 = lo;
  auto f = [&](double t) { return t * l2; };
  y[i] = f(hi);
}
KERNEL(bind_loop_head) {
  INDEX;
  double s = 0;
  for (auto [k, v] = classify(x[i]); v > 0; --v)
    s += k * v;
  y[i] = s;
}
KERNEL(bind_global_ref) {
  INDEX;
  auto *p = reinterpret_cast<const range *>(x);
  if (2 * i + 1 >= n) {
    y[i] = 0;
    return;
  }
  const auto &[a, b] = p[i];
  y[i] = a * b;
}
KERNEL(bind_macro) {
  INDEX;
#define PAIR auto [p, q]
  PAIR = bounds(x[i]);
  y[i] = p * q;
}
KERNEL(bind_long_rows) {
  INDEX;
  double rows[2][20];
  for (int k = 0; k < 20; ++k) {
    rows[0][k] = x[i] * k;
    rows[1][k] = x[i] * x[i] + k;
  }
  auto [first, second] = rows;
  rows[0][3] = 1;
  first[4] *= second[2];
  y[i] = first[3] * second[19] + first[4] * rows[0][3];
}
// A part that an operand changes while another one waits.
__device__ double doubled(double &v) {
  return v *= 2;
}
KERNEL(bind_order) {
  INDEX;
  auto [lo, hi] = bounds(x[i]);
  range both{lo, doubled(lo)}; // from left to right
  y[i] = both.lo * both.hi * hi;
}
