// Arrays of pointers: batches, rows of their own, structs that hold several. Pointers in memory are equal or disjoint
// among themselves.
#include <gpuad/gpuad.h>
#define IDX                                                                                                            \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return
GPUAD_ADJOINT("(c)/(a,b)")
GPUAD_TANGENT("(c)/(a,b)") __global__ void batched_product(const double *const *a, const double *const *b, double **c,
                                                           int m) {
  int row = threadIdx.x;
  const double *left = a[blockIdx.x], *right = b[blockIdx.x];
  for (int column = 0; column < m; ++column) {
    double sum = 0;
    for (int k = 0; k < m; ++k)
      sum += left[row * m + k] * right[k * m + column];
    c[blockIdx.x][row * m + column] = sum;
  }
}
GPUAD_ADJOINT("(x)/(x)") GPUAD_TANGENT("(x)/(x)") __global__ void batched_in_place(double **x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    x[blockIdx.x][i] = x[blockIdx.x][i] * x[blockIdx.x][i];
    x[blockIdx.x][i] += 0.5 * x[blockIdx.x][i];
  }
}
GPUAD_ADJOINT("(y)/(x)")
GPUAD_TANGENT("(y)/(x)") __global__ void elementwise(const double *const *x, double *const *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x][i] = sin(x[blockIdx.x][i]) * x[blockIdx.x][i];
}
GPUAD_ADJOINT("(out)/(x,w)")
GPUAD_TANGENT("(out)/(x,w)") __global__ void all_rows(double *const *x, const double *w, double *out, int rows, int n) {
  IDX;
  double sum = 0;
  for (int r = 0; r < rows; ++r) {
    const double *row = x[r] + i;
    double v = row[0];
    if (v > 0)
      sum += v * v * w[r];
    else
      sum += row[n - i - 1] * v; // the last of the row
  }
  out[i] = sum;
}
struct Fields {
  const double *in[3];
  double *out[2];
  int n;
};
GPUAD_ADJOINT("(f)/(f,c)") GPUAD_TANGENT("(f)/(f,c)") __global__ void fields(Fields f, double c) {
  int n = f.n;
  IDX;
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += f.in[k][i] * f.in[(k + 1) % 3][i] * c;
  sum += f.in[0][i];
  for (int k = 0; k < 2; ++k)
    f.out[k][i] = sum * (k + 1);
}
__device__ double norm2(const double *v, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += v[k] * v[k];
  return sum;
}
GPUAD_ADJOINT("(out)/(x)")
GPUAD_TANGENT("(out)/(x)") __global__ void in_callees(const double *const *x, double *out, int n) {
  __shared__ double s[32];
  s[threadIdx.x] = norm2(x[threadIdx.x], n) + norm2(x[0], 2);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1] * x[threadIdx.x][n - 1];
}
// Views in views, in arrays, and in memory.
struct View {
  const double *x;
  int n;
};
struct Views {
  View a, b;
  double *y;
};
GPUAD_ADJOINT("(t.y)/(t.a,t.b)") GPUAD_TANGENT("(t.y)/(t.a,t.b)") __global__ void nested_views(Views t) {
  int n = t.a.n;
  IDX;
  t.y[i] = t.a.x[i] * t.b.x[i] + t.b.x[0];
}
struct Mixed {
  const double *x, *x_of_others;
  double *y;
  double a, a_of_others;
};
GPUAD_ADJOINT("(t.y)/(t.x,t.a)") GPUAD_TANGENT("(t.y)/(t.x,t.a)") __global__ void some_fields(Mixed t, int n) {
  IDX;
  t.y[i] = t.x[i] * t.x_of_others[i] * t.a + t.a_of_others * t.x[i];
}
struct ManyViews {
  View v[3];
  double *y;
};
GPUAD_ADJOINT("(t.y)/(t.v)") GPUAD_TANGENT("(t.y)/(t.v)") __global__ void array_of_views(ManyViews t) {
  int n = t.v[0].n;
  IDX;
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += t.v[k].x[i] * t.v[(k + 1) % 3].x[0];
  t.y[i] = sum;
}
GPUAD_ADJOINT("(y)/(v.x)")
GPUAD_TANGENT("(y)/(v.x)") __global__ void views_in_memory(const View *v, double *y, int m, int n) {
  IDX;
  double sum = 0;
  for (int k = 0; k < m; ++k) {
    const View &one = v[k];
    sum += one.x[i] * one.x[i] * v->x[0];
  }
  y[i] = sum;
}
GPUAD_ADJOINT("(m.y)/(m.a,m.b)") GPUAD_TANGENT("(m.y)/(m.a,m.b)") __global__ void struct_in_memory(Views *m, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    m->y[i] = m->a.x[i] * m->a.x[(i + 1) % n] * m->b.x[0];
}
// A struct that holds numbers as well.
struct Scaled {
  View a;
  double *rows[2];
  double scale;
};
GPUAD_ADJOINT("(t.rows)/(t.a,t.scale)")
GPUAD_TANGENT("(t.rows)/(t.a,t.scale)") __global__ void numbers_beside(Scaled t) {
  int n = t.a.n;
  IDX;
  double v = t.a.x[i];
  for (int k = 0; k < 2; ++k)
    t.rows[k][i] = v * v * t.scale * (k + 1);
}
