// Functions whose derivatives are written by hand.
#include <gpuad/gpuad.h>
#include <gpuad/runtime.cuh>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return

// The root of x^3 + x = c, by an iteration whose derivative nobody wants.
__host__ __device__ inline double root(double c) {
  double x = c;
  while (fabs(x * x * x + x - c) > 1e-15 * (1 + fabs(c)))
    x -= (x * x * x + x - c) / (3 * x * x + 1);
  return x;
}
GPUAD_DERIVATIVE_OF(root)
__host__ __device__ inline gpuad::dual<double> root_tangent(double c, double c_dot) {
  double x = root(c);
  return {x, c_dot / (3 * x * x + 1)};
}
GPUAD_DERIVATIVE_OF(root)
__host__ __device__ inline void root_adjoint(double c, double *c_bar, double return_bar) {
  double x = root(c);
  *c_bar += return_bar / (3 * x * x + 1);
}
BOTH("(y)/(x)")
__global__ void roots(double *y, const double *x, int n) {
  INDEX;
  y[i] = root(x[i] * x[i]) * x[i] + root(2.0);
}
BOTH("(y)/(x)")
__global__ void roots_in_a_loop(double *y, const double *x, int steps, int n) {
  INDEX;
  double v = x[i];
  for (int k = 0; k < steps; ++k)
    v = root(v + x[i]) * 1.25;
  y[i] = v;
}

// Memory that is read, a struct that is given back, overloads, a namespace, an integer and a constant among the
// parameters.
namespace sums {
struct pair {
  double sum, square;
};
__device__ double weigh(const double *w, double x, int count, double scale);
__device__ pair weigh(const double *w, int count);
GPUAD_DERIVATIVE_OF(weigh(const double *, int))
__device__ void weigh_adjoint(const double *w, double *w_bar, int count, pair return_bar) {
  if (!w_bar)
    return;
  for (int k = 0; k < count; ++k)
    gpuad::add_any_space(&w_bar[k], return_bar.sum + 2 * w[k] * return_bar.square);
}
GPUAD_DERIVATIVE_OF(weigh)
__device__ gpuad::dual<double> weigh_tangent(const double *w, const double *w_dot, double x, double x_dot, int count,
                                             double scale) {
  double sum = 0, dot = 0;
  for (int k = 0; k < count; ++k) {
    sum += scale * w[k] * x;
    dot += scale * (w[k] * x_dot + (w_dot ? w_dot[k] * x : 0));
  }
  return {sum, dot};
}
GPUAD_DERIVATIVE_OF(weigh)
__device__ void weigh_adjoint(const double *w, double *w_bar, double x, double *x_bar, int count, double scale,
                              double return_bar) {
  for (int k = 0; k < count; ++k) {
    *x_bar += scale * w[k] * return_bar;
    if (w_bar)
      gpuad::add_any_space(&w_bar[k], scale * x * return_bar);
  }
}
__device__ double weigh(const double *w, double x, int count, double scale) {
  double sum = 0;
  for (int k = 0; k < count; ++k)
    sum += scale * w[k] * x;
  return sum;
}
__device__ pair weigh(const double *w, int count) {
  pair all = {0, 0};
  for (int k = 0; k < count; ++k) {
    all.sum += w[k];
    all.square += w[k] * w[k];
  }
  return all;
}
} // namespace sums
BOTH("(y)/(x,w)")
__global__ void weighed(double *y, const double *x, const double *w, int n) {
  INDEX;
  sums::pair p = sums::weigh(w, 3);
  y[i] = sums::weigh(w, x[i], 3, 0.5) * p.square + sums::weigh(w + 1, x[i] * x[i], 2, 2.0) - p.sum;
}
BOTH("(y)/(x)")
__global__ void weighed_by_constants(double *y, const double *x, const double *w, int n) {
  INDEX;
  y[i] = sums::weigh(w, x[i] * x[i], 3, 0.5);
}
BOTH("(y)/(w)")
__global__ void weighed_constant(double *y, const double *x, const double *w, int n) {
  INDEX;
  y[i] = sums::weigh(w, x[i], 3, 0.5);
}

// An object that is overwritten, one that is only given out, and one that only one of them needs.
__device__ void kick(double &v, const double &h, double *energy) {
  v = v * h + sin(v);
  *energy = v * v;
}
GPUAD_DERIVATIVE_OF(kick)
__device__ void kick_tangent(double &v, double &v_dot, const double &h, const double &h_dot, double *energy,
                             double *energy_dot) {
  v_dot = v_dot * h + v * h_dot + cos(v) * v_dot;
  v = v * h + sin(v);
  *energy_dot = 2 * v * v_dot;
  *energy = v * v;
}
GPUAD_DERIVATIVE_OF(kick)
__device__ void kick_adjoint(double &v, double *v_bar, const double &h, double *h_bar, double *energy,
                             double *energy_bar) {
  double after = v * h + sin(v), seed = *v_bar + 2 * after * *energy_bar;
  *energy_bar = 0;
  *h_bar += v * seed;
  *v_bar = (h + cos(v)) * seed;
}
BOTH("(y)/(x,h)")
__global__ void kicked(double *y, const double *x, double h, int steps, int n) {
  INDEX;
  double v = x[i], sum = 0;
  for (int k = 0; k < steps; ++k) {
    double energy;
    kick(v, h, &energy);
    sum += energy;
  }
  kick(v, 0.25, &sum);
  double apart[2]; // no derivative flows into it
  kick(v, 0.5, apart + 1);
  y[i] = apart[1] > 1000 ? -v : v + sum;
}

// Only one mode has one: three times too large, so that it shows.
__device__ double marked(double x) {
  return x * x;
}
GPUAD_DERIVATIVE_OF(marked)
__device__ void marked_adjoint(double x, double *x_bar, double return_bar) {
  *x_bar += 6 * x * return_bar;
}
__device__ double plainly(double x) {
  return marked(x) + 1;
}
BOTH("(y)/(x)")
__global__ void shows(double *y, const double *x, int n) {
  INDEX;
  y[i] = plainly(x[i]);
}
