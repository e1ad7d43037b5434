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
