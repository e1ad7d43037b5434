// Forms of C++ that assign, hand on and choose places.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define TANGENT(HEAD) GPUAD_TANGENT(HEAD)
template <class V> __device__ void swap2(V &p, V &q) {
  V t = p;
  p = q;
  q = t;
}
struct pair2 {
  double a, b;
};
struct box {
  double m[3];
  pair2 p;
  int tag;
};

__device__ pair2 both(double u, double v) {
  pair2 r;
  r.a = u * v;
  r.b = u / v;
  return r;
}
BOTH("(y)/(x)")
__global__ void bindings(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  auto [s, t] = both(x[i], x[(i + 1) % n]);
  y[i] = s * t + s;
}

BOTH("(y)/(x)")
__global__ void pointers(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double buf[4];
  double *w = buf;
  const double *r = x + i;
  *w++ = *r * 2;
  *w++ = *r * *r;
  *w = buf[0] * buf[1];
  w[1] = 3 * w[0];
  --w;
  w[0] += *(w + 1);
  y[i] = buf[2] + buf[3];
}

BOTH("(y)/(x)")
__global__ void swapping(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], b = x[i] * x[i];
  if (i & 1)
    swap2(a, b);
  y[i] = a * a - b;
}

__device__ void outs(double u, double &p, double *q, box &b) {
  p += u;
  *q = u * p;
  b.m[1] = *q * b.m[0];
  if (u > 1)
    return;
  b.p.a = u;
}
TANGENT("(y)/(x)")
__global__ void by_reference(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  box b = {{x[i], 0, 1}, {2, 3}, 7};
  double arr[2] = {1, x[i]};
  outs(x[i], arr[1], &b.m[2], b);
  outs(arr[1], b.p.b, arr, b);
  y[i] = b.m[0] + b.m[1] * b.m[2] + b.p.a * b.p.b + arr[0];
}

BOTH("(y)/(x)")
__global__ void switching(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  switch (i % 5) {
  case 0:
    v *= v;
  case 1:
    v = v + 1 / v;
    break;
  case 2: {
    double v2 = v;
    v = v2 * v;
  }
  default:
    v *= 3;
  case 4:;
  }
  y[i] = v;
}

BOTH("(y)/(x)")
__global__ void loops(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  int k = 0;
  do {
    v = v * v * 0.7;
    if (++k > 4)
      break;
    if (k == 2)
      continue;
    v += 0.1;
  } while (v < 5);
  for (double s = x[i]; s < 2; s += 0.3)
    v += s * x[i];
  while (v > 2)
    v = v / 2 + 0.01 * x[i] * v;
  y[i] = v;
}

BOTH("(y)/(x)")
__global__ void fields(int n, const pair2 *x, pair2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  pair2 p = x[i];
  p.a *= p.b;
  p.b -= p.a;
  const pair2 &r = x[(i + 1) % n];
  y[i].a = r.a * p.b;
  y[i].b = p.a;
  y[i].b += r.b;
  pair2 *q = y + i;
  q->a += 1 / q->b;
  (*q).b *= 2;
}

BOTH("(y)/(x)")
__global__ void vectors(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 4)
    return;
  float4 v = reinterpret_cast<const float4 *>(x)[i / 4];
  v.x *= v.y;
  float4 w = make_float4(v.w, v.z, v.x * v.w, 1.f);
  *reinterpret_cast<float4 *>(y + i) = w;
}

TANGENT("(y)/(x)")
__global__ void shared_tile(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] * x[i] : 0.0;
  __syncthreads();
  if (i < n)
    y[i] = s[t] * s[(t + 1) % blockDim.x];
}

TANGENT("(y)/(x)")
__global__ void shuffles(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] : 1.0;
  v *= __shfl_xor_sync(0xffffffffu, v * v, 1);
  for (int d = 16; d; d >>= 1)
    v += __shfl_down_sync(0xffffffffu, v, d);
  if (i < n)
    y[i] = v;
}

BOTH("(y)/(x)")
__global__ void casts(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float f = (float)x[i];
  int k = (int)(f * 10);
  double d = static_cast<double>(f) * k;
  d += float(d) * 0.5f;
  y[i] = d + (k > 8 ? f : -f);
}

struct View {
  double *data;
  int n;
  __device__ double &operator[](int i) const { return data[i]; }
  __device__ double *row(int r) const { return data + 2 * r; }
  __device__ View shifted(int k) const { return {data + k, n - k}; }
};
__device__ void fill(View v, int i, double u) {
  v[i] = u * u;
}
TANGENT("(v)/(x)")
__global__ void views(int n, const double *x, View v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  fill(v, 2 * i, x[i]);
  v[2 * i + 1] = v[2 * i] * x[i];
  double *r = v.row(i);
  r[0] += r[1];
  View s = v.shifted(1);
  s[2 * i] *= 2;
}

TANGENT("(y)/(x)")
__global__ void chosen_places(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], b = 2 * x[i];
  (i & 1 ? a : b) *= x[i];
  double &r = i % 3 ? a : b;
  r += 1 / r;
  y[i] = a * b;
}

__device__ double poly(const double *c, int n, double u) {
  return n == 0 ? c[0] : c[n] * u + c[n - 1];
}
BOTH("(y)/(c,x)")
__global__ void tables(int n, const double *c, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  constexpr double k[3] = {1, 2, 3};
  double local[3];
  for (int j = 0; j < 3; ++j)
    local[j] = c[j] * k[j];
  y[i] = poly(local, i % 3, x[i]) + poly(c, 1, local[2]);
}

template <class F> __device__ double apply(F f, double u) {
  return f(u);
}
struct Affine {
  double s, o;
  __device__ double operator()(double u) const { return s * u + o; }
};
BOTH("(y)/(a,x)")
__global__ void functors(int n, Affine a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Affine b = a;
  b.s *= x[i];
  y[i] = apply(b, x[i]) + apply(Affine{x[i], 2}, a.o);
}

__device__ double g_scale = 2.0;
BOTH("(y)/(x)")
__global__ void globals(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = g_scale * x[i] * x[i];
}

BOTH("(y)/(x)")
__global__ void comma(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a, b;
  a = b = x[i] * 2;
  a += (b *= a, b + 1);
  int j = i;
  y[j] = a * (j % 2 == 0 && a > 1 ? b : a);
}
BOTH("(y)/(x)")
__global__ void atomics(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = &y[i % 3];
  atomicAdd(p, x[i] * x[i]);
  atomicAdd(y + 3, x[i]);
}
BOTH("(y)/(x)")
__global__ void conditions(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  if (double w = v - 0.9; w > 0)
    v *= w;
  else
    v -= w * w;
  y[i] = v > 0.5 ? v < 0.8 ? v * v : v : -v;
}
TANGENT("(y)/(x)")
__global__ void arrays2(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double m[2][2] = {{x[i], 1}, {2, x[i] * x[i]}};
  double (*row)[2] = m;
  double t[2][2];
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      t[r][c] = 0;
      for (int k = 0; k < 2; ++k)
        t[r][c] += m[r][k] * row[k][c];
    }
  y[i] = t[0][0] * t[1][1] - t[0][1];
}
TANGENT("(y)/(x)")
__global__ void inout_struct(int n, const double *x, box *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  box b = y[i];
  b.m[i % 3] = x[i] * b.p.a;
  b.p = {b.m[0], b.m[1]};
  y[i] = b;
  y[i].m[2] *= y[i].p.b;
}
BOTH("(y)/(x)")
__global__ void more_bindings(int n, const pair2 *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const auto &[a, b] = x[i];
  double q[2] = {a * b, b};
  auto &[u, v] = q;
  u += v;
  auto [c, d] = both(u, a);
  d *= c;
  y[i] = a * b + u * d;
}

// Objects made by constructors: defaults that are not zero, members that are objects, a body that goes on.
struct axis {
  double x, y, z;
  __device__ axis() : x(1), y(2), z(3) {}
  __device__ axis(double a, double b, double c) : x(a), y(b), z(c) {}
  __device__ axis &operator+=(const axis &o) {
    x += o.x;
    y *= o.y;
    return *this;
  }
  __device__ axis &scale(double s) {
    x *= s;
    z *= s;
    return *this;
  }
};
__device__ axis operator+(axis a, const axis &b) {
  return a += b;
}
struct turn {
  double w;
  axis v;
  __device__ turn(double s, const axis &u) : w(s), v(u) { w *= 2; }
  __device__ turn operator*(const turn &o) const {
    return turn(w * o.w - v.x * o.v.x, axis(w * o.v.x, v.y * o.w, o.v.z));
  }
};
struct defaults {
  double a = 2, b = 3;
};
BOTH("(y)/(x)")
__global__ void constructed(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  turn q(x[i], axis(x[i] * x[i], 2, x[(i + 1) % n]));
  turn r = q * turn(x[i], axis());
  axis fresh;
  axis braced{};
  defaults e = {};
  defaults f{x[i]};
  fresh.x *= x[i];
  y[i] = r.w * r.v.x + r.v.y * r.v.z + fresh.x * fresh.y + braced.z * x[i] + e.a * e.b * x[i] + f.a * f.b;
}

// Operators that return *this, in chains.
BOTH("(y)/(x)")
__global__ void returned_references(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  axis a(x[i], 1, x[i] * x[i]), b(2, x[(i + 1) % n], 1);
  axis sum = a + b;
  y[3 * i] = (sum += b).scale(sum.x).z;
  sum.scale(2).scale(sum.y) += a;
  y[3 * i + 1] = sum.x * sum.y;
  y[3 * i + 2] = sum.z;
}
