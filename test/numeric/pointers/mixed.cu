// Structs of the function's own that hold pointers beside numbers, arrays of pointers, and pointers that change; any of
// the shadows behind them may be null.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

struct Grid {
  double *u;
  const double *f;
  int nx, ny;
  double h;
};
BOTH("(u)/(u,f,h)")
__global__ void columns(int nx, double *u, const double *f, double h) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= nx)
    return;
  Grid g{u, f, nx, 6, h};
  for (int y = 1; y < g.ny; ++y)
    g.u[y * g.nx + c] = g.u[(y - 1) * g.nx + c] * g.f[y * g.nx + c] * g.h + 0.1 * g.u[y * g.nx + c];
}

struct Channel {
  const double *p;
  double w;
};
__device__ Channel pick(const double *a, const double *b, double w, int i) {
  if (i % 2)
    return {a, w};
  Channel c;
  c.p = b;
  c.w = w * 2;
  return c;
}
BOTH("(y)/(a,b,w)")
__global__ void picked(int n, const double *a, const double *b, double w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Channel c = pick(a, b, w, i), d = c;
  if (i % 3 == 0)
    d = Channel{b, c.w};
  y[i] = c.p[i] * c.w + d.p[n - 1 - i] * d.w;
}

struct Two {
  Channel a, b;
};
BOTH("(y)/(a,b,w)")
__global__ void nested(int n, const double *a, const double *b, double w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Two t;
  t.a.p = a;
  t.a.w = w;
  t.b = Channel{b, 2 * w};
  Two v = t;
  v.a = t.b;
  double s = v.a.p[i] * t.a.p[i] * v.b.w;
  t.b.p = t.a.p + 0;
  y[i] = s + t.b.p[n - 1 - i] * t.a.w;
}

BOTH("(y)/(a,b)")
__global__ void reassigned(int n, const double *a, const double *b, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *p = a, *q = b, *r;
  r = q;
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    s += *(p + i) * q[n - 1 - i] * r[i];
    const double *t = p;
    p = q;
    q = t;
    if (k == 1)
      r = p;
  }
  const double &u = a[i];
  const double &w = i % 2 ? a[i] : b[i];
  y[i] = s + u * u * w;
}

namespace forward {

GPUAD_TANGENT("(y)/(r,g,b)")
__global__ void channels(int n, const double *r, const double *g, const double *b, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Channel ch[3] = {{r, 0.3}, {g, 0.6}, {b, 0.1}};
  ch[1].w += r[i];
  double s = 0;
  for (int k = 0; k < 3; ++k)
    s += ch[k].w * ch[k].p[i] * ch[k].p[n - 1 - i];
  y[i] = s;
}

GPUAD_TANGENT("(y)/(a,b)")
__global__ void array_of_pointers(int n, const double *a, const double *b, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *p[2] = {a, b};
  const double *q[3];
  q[0] = a;
  q[1] = p[1];
  q[2] = q[1];
  y[i] = p[i % 2][i] * p[0][n - 1 - i] + q[i % 3][i];
}

} // namespace forward
