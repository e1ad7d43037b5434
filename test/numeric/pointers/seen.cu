// An object seen as an array of its numbers.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
    return

BOTH("(y)/(x)")
__global__ void by_first(int n, const float4 *x, float *y) {
  ELEMENT;
  float4 v = x[i];
  float s = 0;
  for (int k = 0; k < 4; ++k)
    s += (&v.x)[k] * (k + 1);
  (&v.x)[i % 4] *= s;
  (&v.x)[2] += v.x;
  y[i] = s + (&v.x)[(i + 1) % 4] + (&v.y)[1] + (&v.z)[i % 2];
}

BOTH("(y)/(x)")
__global__ void by_cast(int n, const double3 *x, double *y) {
  ELEMENT;
  double3 v = x[i];
  double *f = reinterpret_cast<double *>(&v);
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    s += f[k] * f[(k + 1) % 3];
    *(f + k) += sin(s);
  }
  const double *g = (const double *)&v;
  y[i] = s * g[i % 3] + v.z;
}

BOTH("(y)/(x)")
__global__ void in_memory(int n, const float3 *x, float3 *y) {
  ELEMENT;
  const float *f = &x[i].x;
  const float *g = reinterpret_cast<const float *>(x);
  float *out = &y[i].x;
  for (int k = 0; k < 3; ++k)
    out[k] = f[k] * f[(k + i) % 3] + g[3 * i + 1];
}

struct vec {
  double x, y, z;
  __device__ double &operator[](int k) { return (&x)[k]; }
  __device__ double operator[](int k) const { return (&x)[k]; }
};
__device__ double dot(const vec &a, const vec &b) {
  double s = 0;
  for (int k = 0; k < 3; ++k)
    s += a[k] * b[k];
  return s;
}
BOTH("(y)/(x)")
__global__ void by_method(int n, const vec *x, vec *y) {
  ELEMENT;
  vec v = x[i];
  const vec w = {1, v[1], 2};
  int m = 0;
  for (int k = 1; k < 3; ++k)
    if (v[k] > v[m])
      m = k;
  v[m] *= dot(v, w);
  for (int k = 0; k < 3; ++k)
    v[k] = v[k] * v[(k + 1) % 3];
  y[i] = v;
}

struct rays {
  double2 a, b;
};
BOTH("(y)/(x)")
__global__ void of_vectors(int n, const rays *x, double *y) {
  ELEMENT;
  rays r = x[i];
  double *f = &r.a.x;
  for (int k = 1; k < 4; ++k)
    f[k] += f[k - 1] * f[i % 4];
  y[i] = r.b.y * (&r.b.x)[i % 2];
}
