// Stencils, transport and sparse matrices.
#include <cmath>
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

// Temperature of a chip: one step of an explicit scheme with clamped borders.
namespace hotspot {

GPUAD_ADJOINT("(next)/(temperature,power,cap,rx,ry,rz)")
GPUAD_TANGENT("(next)/(temperature,power,cap,rx,ry,rz)")
__global__ void step(float* next, const float* temperature, const float* power, int columns, int rows, float cap,
                     float rx, float ry, float rz, float dt) {
  const float ambient = 0.8f;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= columns || r >= rows)
    return;
  const int i = r * columns + c;
  const int N = r > 0 ? i - columns : i, S = r < rows - 1 ? i + columns : i;
  const int W = c > 0 ? i - 1 : i, E = c < columns - 1 ? i + 1 : i;
  const float here = temperature[i];
  const float vertical = (temperature[S] + temperature[N] - 2.f * here) / ry;
  const float horizontal = (temperature[E] + temperature[W] - 2.f * here) / rx;
  next[i] = here + dt / cap * (power[i] + vertical + horizontal + (ambient - here) / rz);
}

} // namespace hotspot

// The acoustic wave equation, fourth order in space, with a sponge and a source; the oldest field is overwritten.
namespace wave {

template <int Radius> struct Coefficients;
template <> struct Coefficients<2> {
  static __device__ constexpr double at(int k) {
    return k == 0 ? -5.0 / 2.0 : k == 1 ? 4.0 / 3.0 : -1.0 / 12.0;
  }
};

template <int Radius> __device__ double laplacian(const double* u, int i, int row) {
  double sum = 2 * Coefficients<Radius>::at(0) * u[i];
#pragma unroll
  for (int k = 1; k <= Radius; ++k)
    sum += Coefficients<Radius>::at(k) * (u[i - k] + u[i + k] + u[i - k * row] + u[i + k * row]);
  return sum;
}

template <int Radius> GPUAD_ADJOINT("(old)/(old,now,speed)") GPUAD_TANGENT("(old)/(old,now,speed)")
__global__ void step(double* __restrict__ old, const double* __restrict__ now, const double* __restrict__ speed,
                     int nx, int ny, double dt, double h, int source, double amplitude) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < Radius || y < Radius || x >= nx - Radius || y >= ny - Radius)
    return;
  const int i = y * nx + x;
  const int edge = min(min(x, nx - 1 - x), min(y, ny - 1 - y));
  const double damping = edge < 4 ? 0.02 * (4 - edge) * (4 - edge) : 0.0;
  const double c = speed[i] * dt / h;
  double value = (2.0 * now[i] - (1.0 - damping) * old[i] + c * c * laplacian<Radius>(now, i, nx)) / (1.0 + damping);
  if (i == source)
    value += amplitude * dt * dt * speed[i];
  old[i] = value;
}

template __global__ void step<2>(double*, const double*, const double*, int, int, double, double, int, double);

} // namespace wave

// Lattice Boltzmann, nine velocities: collide where the cell is fluid, bounce back where it is solid, pull streaming.
namespace lbm {

constexpr int Q = 9;
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float weight[Q] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                                1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

struct Lattice {
  int nx, ny;
  __device__ int cell(int x, int y) const { return ((y + ny) % ny) * nx + (x + nx) % nx; }
  __device__ int index(int q, int at) const { return q * nx * ny + at; }
};

GPUAD_ADJOINT("(out)/(in,omega)")
GPUAD_TANGENT("(out)/(in,omega)")
__global__ void step(float* __restrict__ out, const float* __restrict__ in, const unsigned char* solid, Lattice lattice,
                     float omega, float gravity) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= lattice.nx)
    return;
  const int here = lattice.cell(x, y);
  float f[Q];
  for (int q = 0; q < Q; ++q)
    f[q] = in[lattice.index(q, lattice.cell(x - cx[q], y - cy[q]))];
  if (solid[here]) {
    for (int q = 0; q < Q; ++q)
      out[lattice.index(q, here)] = f[opposite[q]];
    return;
  }
  float rho = 0.f, ux = 0.f, uy = 0.f;
  for (int q = 0; q < Q; ++q) {
    rho += f[q];
    ux += cx[q] * f[q];
    uy += cy[q] * f[q];
  }
  ux = ux / rho + gravity;
  uy /= rho;
  const float u2 = ux * ux + uy * uy;
  for (int q = 0; q < Q; ++q) {
    const float cu = 3.f * (cx[q] * ux + cy[q] * uy);
    const float equilibrium = weight[q] * rho * (1.f + cu + 0.5f * cu * cu - 1.5f * u2);
    out[lattice.index(q, here)] = f[q] - omega * (f[q] - equilibrium);
  }
}

} // namespace lbm

// Nineteen velocities in three dimensions, two relaxation rates, periodic: every population lies in a field of its own.
namespace lbm3 {

// number, velocity, the opposite one, weight
#define VELOCITIES(V)                                                                                                  \
  V(0, 0, 0, 0, 0, 1. / 3)                                                                                             \
  V(1, 1, 0, 0, 2, 1. / 18) V(2, -1, 0, 0, 1, 1. / 18) V(3, 0, 1, 0, 4, 1. / 18) V(4, 0, -1, 0, 3, 1. / 18)            \
  V(5, 0, 0, 1, 6, 1. / 18) V(6, 0, 0, -1, 5, 1. / 18) V(7, 1, 1, 0, 8, 1. / 36) V(8, -1, -1, 0, 7, 1. / 36)           \
  V(9, 1, 0, 1, 10, 1. / 36) V(10, -1, 0, -1, 9, 1. / 36) V(11, 0, 1, 1, 12, 1. / 36) V(12, 0, -1, -1, 11, 1. / 36)    \
  V(13, 1, -1, 0, 14, 1. / 36) V(14, -1, 1, 0, 13, 1. / 36) V(15, 1, 0, -1, 16, 1. / 36) V(16, -1, 0, 1, 15, 1. / 36)  \
  V(17, 0, 1, -1, 18, 1. / 36) V(18, 0, -1, 1, 17, 1. / 36)

__device__ inline int round_trip(int at, int by, int extent) {
  return (at - by + extent) % extent;
}

GPUAD_ADJOINT("(out)/(in,plus,minus)")
GPUAD_TANGENT("(out)/(in,plus,minus)")
__global__ void step(int nx, int ny, int nz, double plus, double minus, const double* __restrict__ in,
                     double* __restrict__ out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
  const long cells = (long)nx * ny * nz, here = ((long)z * ny + y) * nx + x;
  double f[19], equilibrium[19];
#define PULL(k, cx, cy, cz, opposite, w)                                                                               \
  f[k] = in[k * cells + ((long)round_trip(z, cz, nz) * ny + round_trip(y, cy, ny)) * nx + round_trip(x, cx, nx)];
  VELOCITIES(PULL)
  double rho = 0, u = 0, v = 0, w = 0;
#define MOMENTS(k, cx, cy, cz, opposite, weight)                                                                       \
  rho += f[k];                                                                                                         \
  u += cx * f[k];                                                                                                      \
  v += cy * f[k];                                                                                                      \
  w += cz * f[k];
  VELOCITIES(MOMENTS)
  u /= rho;
  v /= rho;
  w /= rho;
  const double square = 1.5 * (u * u + v * v + w * w);
#define EQUILIBRIUM(k, cx, cy, cz, opposite, weight)                                                                   \
  {                                                                                                                    \
    const double along = 3 * (cx * u + cy * v + cz * w);                                                               \
    equilibrium[k] = weight * rho * (1 + along + 0.5 * along * along - square);                                        \
  }
  VELOCITIES(EQUILIBRIUM)
#define RELAX(k, cx, cy, cz, opposite, weight)                                                                         \
  out[k * cells + here] =                                                                                              \
      f[k] - 0.5 * plus * (f[k] + f[opposite] - equilibrium[k] - equilibrium[opposite]) -                              \
      0.5 * minus * (f[k] - f[opposite] - equilibrium[k] + equilibrium[opposite]);
  VELOCITIES(RELAX)
}

} // namespace lbm3

// y = alpha A x + beta y with A in compressed rows.
namespace spmv {

template <class Index, class T> struct Csr {
  const Index* offsets;
  const Index* columns;
  T* values;
  Index rows;
};

template <class Index, class T>
GPUAD_ADJOINT("(y)/(a,x,y,alpha,beta)")
GPUAD_TANGENT("(y)/(a,x,y,alpha,beta)")
__global__ void multiply(Csr<Index, T> a, const T* x, T* y, T alpha, T beta) {
  for (Index row = blockIdx.x * blockDim.x + threadIdx.x; row < a.rows; row += gridDim.x * blockDim.x) {
    T sum{};
    for (Index k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
      sum += a.values[k] * x[a.columns[k]];
    y[row] = alpha * sum + beta * y[row];
  }
}

template __global__ void multiply<int, double>(Csr<int, double>, const double*, double*, double, double);

} // namespace spmv

// Shallow water: a Rusanov flux on every face, added to both cells.
namespace shallow_water {

struct State {
  float h, hu, hv;
};

__host__ __device__ inline State operator+(const State& a, const State& b) {
  return {a.h + b.h, a.hu + b.hu, a.hv + b.hv};
}
__host__ __device__ inline State operator-(const State& a, const State& b) {
  return {a.h - b.h, a.hu - b.hu, a.hv - b.hv};
}
__host__ __device__ inline State operator*(float s, const State& a) {
  return {s * a.h, s * a.hu, s * a.hv};
}

struct Gravity {
  float g;
  __device__ State flux(const State& s) const {
    const float u = s.hu / s.h;
    return {s.hu, s.hu * u + 0.5f * g * s.h * s.h, s.hv * u};
  }
  __device__ float speed(const State& s) const { return fabsf(s.hu / s.h) + sqrtf(g * s.h); }
};

GPUAD_ADJOINT("(change)/(cells,law)")
GPUAD_TANGENT("(change)/(cells,law)")
__global__ void fluxes(State* change, const State* cells, Gravity law, int n, float ratio) {
  const int face = blockIdx.x * blockDim.x + threadIdx.x;
  if (face + 1 >= n)
    return;
  const State left = cells[face], right = cells[face + 1];
  const float a = fmaxf(law.speed(left), law.speed(right));
  const State f = 0.5f * (law.flux(left) + law.flux(right)) - 0.5f * a * (right - left);
  atomicAdd(&change[face].h, -ratio * f.h);
  atomicAdd(&change[face].hu, -ratio * f.hu);
  atomicAdd(&change[face].hv, -ratio * f.hv);
  atomicAdd(&change[face + 1].h, ratio * f.h);
  atomicAdd(&change[face + 1].hu, ratio * f.hu);
  atomicAdd(&change[face + 1].hv, ratio * f.hv);
}

} // namespace shallow_water

// Advection with a limiter that is chosen by a functor.
namespace advection {

struct Minmod {
  __device__ double operator()(double a, double b) const {
    if (a * b <= 0)
      return 0;
    return fabs(a) < fabs(b) ? a : b;
  }
};
struct VanLeer {
  __device__ double operator()(double a, double b) const { return a * b > 0 ? 2 * a * b / (a + b) : 0.0; }
};

template <class Limiter> __device__ double face_value(const double* q, int i, double c, Limiter limit) {
  const double slope = limit(q[i] - q[i - 1], q[i + 1] - q[i]);
  return q[i] + 0.5 * (1 - c) * slope;
}

template <class Limiter> GPUAD_ADJOINT("(out)/(q,courant)") GPUAD_TANGENT("(out)/(q,courant)")
__global__ void step(double* out, const double* q, double courant, int n, Limiter limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 1) {
    if (i < n)
      out[i] = q[i];
    return;
  }
  out[i] = q[i] - courant * (face_value(q, i, courant, limit) - face_value(q, i - 1, courant, limit));
}

template __global__ void step<Minmod>(double*, const double*, double, int, Minmod);
template __global__ void step<VanLeer>(double*, const double*, double, int, VanLeer);

} // namespace advection

// Edge-preserving diffusion of an image; the direction is looped over with a lambda.
namespace diffusion {

GPUAD_ADJOINT("(out)/(image,kappa)")
GPUAD_TANGENT("(out)/(image,kappa)")
__global__ void perona_malik(float* out, const float* image, int width, int height, float kappa, float rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  auto pixel = [=](int u, int v) {
    u = u < 0 ? 0 : u >= width ? width - 1 : u;
    v = v < 0 ? 0 : v >= height ? height - 1 : v;
    return image[v * width + u];
  };
  const float here = pixel(x, y);
  const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  float sum = 0.f;
  for (const auto& s : steps) {
    const float gradient = pixel(x + s[0], y + s[1]) - here;
    const float ratio = gradient / kappa;
    sum += gradient / (1.f + ratio * ratio);
  }
  out[y * width + x] = here + rate * sum;
}

} // namespace diffusion
