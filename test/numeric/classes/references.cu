// References that calls return, conversions, base classes, overloads.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

namespace geometry {
struct vec3 {
  float x, y, z;
  __host__ __device__ vec3 &operator+=(const vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  __host__ __device__ vec3 &operator*=(float s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  __host__ __device__ vec3 operator-() const { return {-x, -y, -z}; }
  __host__ __device__ float &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  __host__ __device__ float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
__host__ __device__ vec3 operator+(vec3 a, const vec3 &b) { return a += b; }
__host__ __device__ vec3 operator*(float s, vec3 a) { return a *= s; }
__host__ __device__ float dot(const vec3 &a, const vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
} // namespace geometry
using geometry::vec3;

BOTH("(y)/(x)")
__global__ void chained(vec3 *y, const vec3 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  vec3 a = x[i];
  (a += x[i + 1]) *= a.x;
  vec3 b = a + 2.0f * x[i];
  (b += a) += -x[i];
  b[1] = b[0] * a[2];
  float third = dot(a, b);
  (a *= third) += b;
  y[i] = a;
}

// A view with a bound check, a row of it, both const and not.
struct matrix {
  float *data;
  int rows, columns;
  __device__ float &operator()(int r, int c) {
    int at = r * columns + c;
    return data[at];
  }
  __device__ float operator()(int r, int c) const { return data[r * columns + c]; }
  __device__ float &at(int r, int c) {
    if (c >= columns) c = columns - 1;
    return data[r * columns + c];
  }
};
BOTH("(y)/(x)")
__global__ void views(matrix y, const matrix x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= x.rows) return;
  for (int c = 0; c < x.columns; ++c) {
    y(i, c) = x(i, c) * x(i, 0);
    y(i, c) += x(i, x.columns - 1);
  }
}
BOTH("(y)/(x)")
__global__ void clamped(matrix y, const matrix x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= x.rows) return;
  y.at(i, 1000) = x(i, 0) * x(i, 1);
}

struct metres {
  double value;
  __host__ __device__ operator double() const { return value * 2; }
  __host__ __device__ explicit operator float() const { return float(value); }
};
template <class T> struct scaled {
  T factor;
  struct pair {
    T first, second;
    __host__ __device__ T sum() const { return this->first + this->second; }
  };
  __host__ __device__ static T twice(T v) { return v + v; }
  __host__ __device__ pair split(T v) const { return pair{v * factor, twice(v) * v}; }
};
BOTH("(y)/(x)")
__global__ void conversions(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  metres m{x[i]};
  double d = m;
  scaled<double> s{x[i + 1]};
  y[i] = d * m + float(m) + s.split(d).sum() + scaled<double>::twice(x[i]);
}

template <class Derived> struct expression {
  __host__ __device__ const Derived &self() const { return static_cast<const Derived &>(*this); }
  __host__ __device__ float squared(float v) const { return self().value(v) * self().value(v); }
};
struct wave : expression<wave> {
  float frequency;
  __host__ __device__ explicit wave(float f) : frequency(f) {}
  __host__ __device__ float value(float v) const { return sinf(frequency * v); }
};
BOTH("(y)/(x)")
__global__ void crtp(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  wave w(x[i] * x[i]);
  y[i] = w.squared(x[i + 1]);
}

template <class T> __host__ __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
__device__ float &pick(float &a, float &b, bool first) { return first ? a : b; }
BOTH("(y)/(x)")
__global__ void chosen(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i] * 2, b = x[i + 1];
  y[i] = larger(a, b) * larger(a * a, 3 * b) + larger(x[i], x[i + 2]) + pick(a, b, i % 2 == 0);
}
