// Structs of tensors, as models are handed to kernels: nested views, methods, copies of parts, bases.
#include <gpuad/gpuad.h>
#define IDX                                                                                                            \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return
template <class T> struct Tensor {
  T *data;
  int stride;
  __device__ T &operator()(int i, int j) const { return data[i * stride + j]; }
  __device__ T *row(int i) const { return data + i * stride; }
};
struct Layer {
  Tensor<const double> w;
  const double *b;
};
struct Model {
  Layer first, second;
};
__device__ double relu(double v) {
  return v > 0 ? v : 0.1 * v;
}
__device__ double apply(const Layer &l, const double *x, int row, int n) {
  double s = l.b[row];
  for (int k = 0; k < n; ++k)
    s += l.w(row, k) * x[k];
  return relu(s);
}
__device__ double by_copy(Layer l, const double *x, int row, int n) {
  return apply(l, x, row, n);
}
GPUAD_ADJOINT("(y.data)/(m,x.data)")
GPUAD_TANGENT("(y.data)/(m,x.data)") __global__ void perceptron(Model m, Tensor<const double> x, Tensor<double> y,
                                                                int n) {
  IDX;
  double h[3];
  for (int r = 0; r < 3; ++r)
    h[r] = by_copy(m.first, x.row(i), r, 2);
  for (int r = 0; r < 2; ++r)
    y(i, r) = apply(m.second, h, r, 3);
}
struct Base {
  const double *a;
};
struct Derived : Base {
  double *y;
  __device__ double at(int i) const { return a[i]; }
};
GPUAD_ADJOINT("(d.y)/(d.a)") GPUAD_TANGENT("(d.y)/(d.a)") __global__ void derived(Derived d, int n) {
  IDX;
  d.y[i] = d.at(i) * d.a[i] * d.at(0);
}
struct Pool {
  double *items[2];
  Base b[2];
};
GPUAD_ADJOINT("(p)/(p)") GPUAD_TANGENT("(p)/(p)") __global__ void pool(Pool p, int n) {
  const Base &one = p.b[threadIdx.x % 2];
  Base copy = p.b[(threadIdx.x + 1) % 2];
  IDX;
  p.items[1][i] = p.items[0][i] * one.a[i] + copy.a[i] * copy.a[0];
}
struct Batch {
  Layer layer;
  const double *x;
  double *y;
};
__device__ void put(const Batch &batch, int i, double v) {
  batch.y[i] = v;
}
GPUAD_ADJOINT("(all)/(all)") GPUAD_TANGENT("(all)/(all)") __global__ void batches(const Batch *all, int n) {
  Batch mine = all[blockIdx.x];
  Layer layer = mine.layer;
  int i = threadIdx.x;
  if (i >= n)
    return;
  double sum = apply(layer, mine.x, i, n);
  put(mine, i, sum * mine.x[i]);
}
// Arrays that methods change in place, behind pointers in structs, in memory, and in tables.
struct Bodies {
  double *x, *v;
  const double *f;
  int n;
  __device__ double energy(int i) const { return 0.5 * v[i] * v[i] + x[i] * f[i]; }
  __device__ void step(int i) {
    v[i] += 0.1 * f[i] * x[i];
    x[i] += 0.1 * v[i];
  }
};
GPUAD_ADJOINT("(s,e)/(s)") GPUAD_TANGENT("(s,e)/(s)") __global__ void steps_of_view(Bodies s, double *e) {
  int n = s.n;
  IDX;
  for (int k = 0; k < 3; ++k)
    s.step(i);
  e[i] = s.energy(i);
}
GPUAD_ADJOINT("(s,e)/(s)") GPUAD_TANGENT("(s,e)/(s)") __global__ void steps_in_memory(Bodies *s, double *e) {
  int n = s->n;
  IDX;
  s->step(i);
  s->step(i);
  e[i] = s->energy(i);
}
GPUAD_ADJOINT("(x)/(x)") GPUAD_TANGENT("(x)/(x)") __global__ void rows_in_place(double *const *x, int n, int m) {
  double *row = x[blockIdx.x];
  for (int k = 0; k < m; ++k)
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      row[i] = sin(row[i]) + 0.3 * row[i] * row[i];
}
GPUAD_ADJOINT("(s.x)/(s.f)") GPUAD_TANGENT("(s.x)/(s.f)") __global__ void sums_of_view(Bodies s, int m) {
  int n = s.n;
  IDX;
  for (int k = 0; k < m; ++k)
    s.x[i] += s.f[k] * s.f[k];
}
