// Utilities of the standard library that move numbers about: swap, exchange, pairs, tuples, arrays, function objects,
// algorithms over ranges.
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/functional>
#include <cuda/std/numeric>
#include <cuda/std/span>
#include <cuda/std/__algorithm/transform.h>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

// Locals, elements of a local array, and what is moved or exchanged.
BOTH("(y)/(x)")
__global__ void swapped(int n, const double *x, double *y) {
  ELEMENT;
  double a = x[i], b = x[n - 1 - i] * 2, c[3] = {a, b, a * b};
  if (a > b) cuda::std::swap(a, b);
  for (int k = 0; k < 2; ++k)
    if (c[k] > c[k + 1]) cuda::std::swap(c[k], c[k + 1]);
  int p = 0, q = 2;
  cuda::std::swap(p, q);
  double old = cuda::std::exchange(a, b * b);
  double last = cuda::std::exchange(c[q], 1.5);
  y[i] = a * old + c[p] * c[1] + last * cuda::std::move(c[q]) + 2 * cuda::std::forward<double>(b);
}

// In memory: elements that their thread owns trade places.
BOTH("(y)/(y)")
__global__ void swapped_in_memory(int n, double *y) {
  ELEMENT;
  if (y[2 * i] > y[2 * i + 1] + 0.013) cuda::std::swap(y[2 * i], y[2 * i + 1]);
  y[2 * i] *= y[2 * i + 1];
}

// Bubble sort of values with keys.
BOTH("(y)/(x)")
__global__ void sorted(int n, const double *x, double *y) {
  ELEMENT;
  double value[4];
  int key[4];
  for (int k = 0; k < 4; ++k) {
    value[k] = x[(i + k) % n];
    key[k] = (7 * i + 3 * k) % 5;
  }
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3 - a; ++b)
      if (key[b] > key[b + 1]) {
        cuda::std::swap(key[b], key[b + 1]);
        cuda::std::swap(value[b], value[b + 1]);
      }
  y[i] = value[0] + 2 * value[1] * value[0] + 3 * value[2] - value[3] * value[3];
}

// Pairs, made in several ways, returned, taken apart, assigned, passed on.
__device__ cuda::std::pair<double, double> ordered(double a, double b) {
  return a < b ? cuda::std::make_pair(a, b) : cuda::std::pair<double, double>(b, a);
}
__device__ double spread(const cuda::std::pair<double, double> &p) { return p.second - p.first; }
__device__ void widen(cuda::std::pair<double, double> &p, double by) {
  p.first -= by;
  p.second *= by;
}
BOTH("(y)/(x)")
__global__ void pairs(int n, const double *x, double *y) {
  ELEMENT;
  auto p = ordered(x[i], x[n - 1 - i]);
  cuda::std::pair<double, int> q{x[i] * p.first, i};
  widen(p, q.first);
  auto r = p;
  r.second = r.second * spread(p) + q.second;
  cuda::std::swap(p.first, r.first);
  y[i] = p.first * r.second + r.first * cuda::std::get<1>(p) + spread({x[i], q.first});
}

// Tuples.
__device__ cuda::std::tuple<double, double, int> polar(double a, double b) {
  return cuda::std::make_tuple(sqrt(a * a + b * b), atan2(b, a), 3);
}
__device__ double sum(const cuda::std::tuple<double, float, int> &t) {
  return cuda::std::get<0>(t) * cuda::std::get<2>(t) + cuda::std::get<1>(t);
}
BOTH("(y)/(x)")
__global__ void tuples(int n, const double *x, double *y) {
  ELEMENT;
  cuda::std::tuple<double, int, double> t(x[i], i, x[n - 1 - i] * 2);
  cuda::std::get<0>(t) *= 1 + cuda::std::get<2>(t);
  double radius, angle;
  int whole;
  cuda::std::tie(radius, angle, whole) = polar(cuda::std::get<0>(t), x[i]);
  cuda::std::tie(radius, angle) = cuda::std::make_tuple(angle * whole, radius); // trade places
  auto u = t;
  u = cuda::std::make_tuple(radius, 2, angle);
  cuda::std::tuple<double, double, double> wider = t;
  y[i] = cuda::std::get<0>(u) * cuda::std::get<2>(u) + cuda::std::get<1>(wider) * cuda::std::get<2>(wider) +
         cuda::std::get<0>(t);
}

// Arrays: indexed at run time, over all, whole copies, in a struct, passed and returned.
struct Cell {
  cuda::std::array<double, 3> value;
  int kind;
};
__device__ cuda::std::array<double, 3> scaled(cuda::std::array<double, 3> v, double by) {
  for (double &one : v) one *= by;
  return v;
}
__device__ double dot(const cuda::std::array<double, 3> &a, const cuda::std::array<double, 3> &b) {
  double s = 0;
  for (size_t k = 0; k < a.size(); ++k) s += a[k] * b[k];
  return s;
}
BOTH("(y)/(x)")
__global__ void arrays(int n, const double *x, double *y) {
  ELEMENT;
  cuda::std::array<double, 3> v = {x[i], x[n - 1 - i], 0.5};
  v[i % 3] = v[(i + 1) % 3] * 2 + v.back();
  auto w = scaled(v, x[i]);
  Cell cell = {w, i % 2};
  cell.value[cell.kind] += v.front();
  double s = dot(cell.value, v);
  for (double one : w) s += one * one;
  const double *p = w.data();
  y[i] = s + p[1] * cuda::std::get<2>(w);
}

// Arrays of arrays in memory.
BOTH("(y)/(x)")
__global__ void arrays_in_memory(int n, const cuda::std::array<double, 3> *x, cuda::std::array<double, 2> *y) {
  ELEMENT;
  cuda::std::array<double, 3> v = x[i];
  y[i][0] = v[0] * v[1] + x[n - 1 - i][2];
  y[i][1] = dot(x[i], v);
}

// Function objects and algorithms.
template <class F> __device__ double fold(F f, const double *x, int m) {
  double s = x[0];
  for (int k = 1; k < m; ++k) s = f(s, x[k]);
  return s;
}
BOTH("(y)/(x)")
__global__ void functions(int n, const double *x, double *y) {
  ELEMENT;
  double s = fold(cuda::std::plus<double>(), x, 1 + i % 4) * fold(cuda::std::multiplies<>{}, x + i, 1);
  s += cuda::std::minus<double>{}(x[i], 2 * s) + cuda::std::negate<>{}(x[i] * x[i]);
  double row[3] = {x[i], x[n - 1 - i], s};
  y[i] = cuda::std::accumulate(row, row + 3, double(0)) * cuda::std::inner_product(x, x + i % 3, x + i, double(1));
}

// The largest of a list, which is chosen by the elements of another one.
BOTH("(y)/(x)")
__global__ void lists(int n, const double *x, double *y) {
  ELEMENT;
  y[i] = cuda::std::max({x[i] * x[i], x[n - 1 - i], double(0.3)}) * cuda::std::min({x[i], x[0] + 0.1});
}

// Spans: as parameters, over all elements, of a length that the run knows.
__device__ double total(cuda::std::span<const double> s) {
  double sum = 0;
  for (double v : s) sum += v * v;
  return sum;
}
BOTH("(y)/(x)")
__global__ void spans(int n, const double *x, double *y) {
  ELEMENT;
  cuda::std::span<const double> row(x + i / 2, 1 + i % 3);
  y[i] = total(row) * row[row.size() - 1] + row.front() * row.back();
}

// A lambda that an algorithm calls for each element.
BOTH("(y)/(x)")
__global__ void transformed(int n, const double *x, double *y) {
  ELEMENT;
  double w[3], scale = x[n - 1 - i];
  cuda::std::transform(x + i / 2, x + i / 2 + 3, w, [=](double v) { return v * v * scale; });
  y[i] = cuda::std::reduce(w, w + 3) * w[1];
}
