// Finance, small dense algebra, differential equations.
#include <cmath>
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

// European options in closed form.
namespace black_scholes {

__device__ inline float normal_cdf(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
  const float rsqrt2pi = 0.39894228040143267793994605993438f;
  float k = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = rsqrt2pi * __expf(-0.5f * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
  if (d > 0)
    cnd = 1.0f - cnd;
  return cnd;
}

__device__ inline void body(float& call, float& put, float s, float x, float t, float r, float v) {
  float sqrt_t, d1, d2, cnd1, cnd2, exp_rt;
  sqrt_t = __fdividef(1.0f, rsqrtf(t));
  d1 = __fdividef(__logf(s / x) + (r + 0.5f * v * v) * t, v * sqrt_t);
  d2 = d1 - v * sqrt_t;
  cnd1 = normal_cdf(d1);
  cnd2 = normal_cdf(d2);
  exp_rt = __expf(-r * t);
  call = s * cnd1 - x * exp_rt * cnd2;
  put = x * exp_rt * (1.0f - cnd2) - s * (1.0f - cnd1);
}

GPUAD_ADJOINT("(call,put)/(price,strike,years,riskfree,volatility)")
GPUAD_TANGENT("(call,put)/(price,strike,years,riskfree,volatility)")
__launch_bounds__(128) __global__ void options(float2* __restrict call, float2* __restrict put,
                                               float2* __restrict price, float2* __restrict strike,
                                               float2* __restrict years, float riskfree, float volatility, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n / 2) {
    float call1, call2, put1, put2;
    body(call1, put1, price[i].x, strike[i].x, years[i].x, riskfree, volatility);
    body(call2, put2, price[i].y, strike[i].y, years[i].y, riskfree, volatility);
    call[i] = make_float2(call1, call2);
    put[i] = make_float2(put1, put2);
  }
}

} // namespace black_scholes

// An arithmetic Asian option over paths whose normal numbers are given: the path is kept as the logarithm.
namespace asian {

struct Market {
  double spot, rate, volatility, dividend;
};

GPUAD_ADJOINT("(payoff)/(market,strike)")
GPUAD_TANGENT("(payoff)/(market,strike)")
__global__ void paths(double* payoff, const double* normals, Market market, double strike, int count, int steps,
                      double dt) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count)
    return;
  const double drift = (market.rate - market.dividend - 0.5 * market.volatility * market.volatility) * dt;
  const double diffusion = market.volatility * sqrt(dt);
  double log_price = log(market.spot), mean = 0;
  for (int k = 0; k < steps; ++k) {
    log_price += drift + diffusion * normals[k * count + p];
    mean += exp(log_price);
  }
  mean /= steps;
  payoff[p] = exp(-market.rate * dt * steps) * fmax(mean - strike, 0.0);
}

} // namespace asian

// The rotation next to a 3x3 matrix by Newton's iteration on (A + A^-T) / 2, unrolled four times.
namespace polar {

struct mat3 {
  double a[9];
  __device__ double& operator()(int i, int j) { return a[3 * i + j]; }
  __device__ double operator()(int i, int j) const { return a[3 * i + j]; }
};

__device__ mat3 cofactor(const mat3& m) {
  mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c(i, j) = m(i1, j1) * m(i2, j2) - m(i1, j2) * m(i2, j1);
    }
  return c;
}

__device__ mat3 iterate(const mat3& m) {
  const mat3 c = cofactor(m);
  const double det = m(0, 0) * c(0, 0) + m(0, 1) * c(0, 1) + m(0, 2) * c(0, 2);
  mat3 next;
  for (int k = 0; k < 9; ++k)
    next.a[k] = 0.5 * (m.a[k] + c.a[k] / det);
  return next;
}

GPUAD_ADJOINT("(rotation)/(matrix)") GPUAD_TANGENT("(rotation)/(matrix)")
__global__ void rotation(mat3* rotation, const mat3* matrix, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  mat3 m = matrix[i];
  for (int step = 0; step < 5; ++step)
    m = iterate(m);
  rotation[i] = m;
}

} // namespace polar

// Lotka-Volterra by the classical method of Runge and Kutta, with a struct of state and a right side as a functor.
namespace runge_kutta {

struct State {
  double prey, hunter;
};
__device__ State operator+(State a, State b) {
  return State{a.prey + b.prey, a.hunter + b.hunter};
}
__device__ State operator*(double s, State a) {
  return State{s * a.prey, s * a.hunter};
}

struct LotkaVolterra {
  double alpha, beta, gamma, delta;
  __device__ State operator()(State s) const {
    return {alpha * s.prey - beta * s.prey * s.hunter, delta * s.prey * s.hunter - gamma * s.hunter};
  }
};

template <class Rhs> __device__ State step(const Rhs& f, State y, double h) {
  const State k1 = f(y), k2 = f(y + 0.5 * h * k1), k3 = f(y + 0.5 * h * k2), k4 = f(y + h * k3);
  return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

GPUAD_ADJOINT("(y)/(y,rates)")
GPUAD_TANGENT("(y)/(y,rates)")
__global__ void integrate(State* y, const LotkaVolterra* rates, int n, int steps, double h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const LotkaVolterra f = rates[i];
  State s = y[i];
  for (int k = 0; k < steps; ++k)
    s = step(f, s, h);
  y[i] = s;
}

} // namespace runge_kutta

// Gates of the Hodgkin-Huxley model by the exponential Euler step.
namespace neuron {

struct Rates {
  float alpha, beta;
};

__device__ float vtrap(float x, float y) {
  return fabsf(x / y) < 1e-4f ? y * (1.f - x / y / 2.f) : x / (expf(x / y) - 1.f);
}

template <char Gate> __device__ Rates rates_of(float v) {
  if constexpr (Gate == 'm')
    return {0.1f * vtrap(-(v + 40.f), 10.f), 4.f * expf(-(v + 65.f) / 18.f)};
  else if constexpr (Gate == 'h')
    return {0.07f * expf(-(v + 65.f) / 20.f), 1.f / (expf(-(v + 35.f) / 10.f) + 1.f)};
  else
    return {0.01f * vtrap(-(v + 55.f), 10.f), 0.125f * expf(-(v + 65.f) / 80.f)};
}

template <char Gate> __device__ float advance(float gate, float v, float dt) {
  const Rates r = rates_of<Gate>(v);
  const float sum = r.alpha + r.beta, target = r.alpha / sum;
  return target + (gate - target) * expf(-dt * sum);
}

GPUAD_ADJOINT("(v,m,h,n)/(v,m,h,n,current)")
GPUAD_TANGENT("(v,m,h,n)/(v,m,h,n,current)")
__global__ void step(float* v, float* m, float* h, float* n, const float* current, int cells, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  const float volt = 20.f * v[i] - 65.f; // stored around one
  m[i] = advance<'m'>(m[i], volt, dt);
  h[i] = advance<'h'>(h[i], volt, dt);
  n[i] = advance<'n'>(n[i], volt, dt);
  const float sodium = 1.2f * m[i] * m[i] * m[i] * h[i] * (volt - 50.f);
  const float potassium = 0.36f * powf(n[i], 4.f) * (volt + 77.f);
  const float leak = 0.003f * (volt + 54.387f);
  v[i] = (volt + dt * (current[i] - sodium - potassium - leak) + 65.f) / 20.f;
}

} // namespace neuron

// Eigenvalues of symmetric 3x3 matrices in closed form, and the strain invariants that come with them.
namespace eigen {

GPUAD_ADJOINT("(values)/(matrices)")
GPUAD_TANGENT("(values)/(matrices)")
__global__ void symmetric3(double3* values, const double* matrices, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *m = matrices + 6 * i, xx = m[0], yy = m[1], zz = m[2], xy = m[3], xz = m[4], yz = m[5];
  const double p1 = xy * xy + xz * xz + yz * yz;
  const double q = (xx + yy + zz) / 3;
  if (p1 == 0) {
    values[i] = make_double3(xx, yy, zz);
    return;
  }
  const double dx = xx - q, dy = yy - q, dz = zz - q;
  const double p = sqrt((dx * dx + dy * dy + dz * dz + 2 * p1) / 6);
  const double bx = dx / p, by = dy / p, bz = dz / p, bxy = xy / p, bxz = xz / p, byz = yz / p;
  const double det = bx * (by * bz - byz * byz) - bxy * (bxy * bz - byz * bxz) + bxz * (bxy * byz - by * bxz);
  const double r = fmin(1.0, fmax(-1.0, det / 2));
  const double phi = acos(r) / 3;
  double3 e;
  e.x = q + 2 * p * cos(phi);
  e.z = q + 2 * p * cos(phi + 2.0943951023931953);
  e.y = 3 * q - e.x - e.z;
  values[i] = e;
}

} // namespace eigen

// Linear systems of three unknowns by Gaussian elimination in place, unrolled by templates.
namespace solve3 {

template <int K> __device__ __forceinline__ void eliminate(double (&a)[3][4]) {
  const double inverse = 1.0 / a[K][K];
#pragma unroll
  for (int r = K + 1; r < 3; ++r) {
    const double factor = a[r][K] * inverse;
#pragma unroll
    for (int c = K; c < 4; ++c)
      a[r][c] -= factor * a[K][c];
  }
}

GPUAD_ADJOINT("(x)/(system)") GPUAD_TANGENT("(x)/(system)")
__global__ void solve(double* x, const double* system, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[3][4];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      a[r][c] = system[12 * i + 4 * r + c] + (r == c ? 3.0 : 0.0);
  eliminate<0>(a);
  eliminate<1>(a);
  const double z = a[2][3] / a[2][2];
  const double y = (a[1][3] - a[1][2] * z) / a[1][1];
  x[3 * i] = (a[0][3] - a[0][1] * y - a[0][2] * z) / a[0][0];
  x[3 * i + 1] = y;
  x[3 * i + 2] = z;
}

} // namespace solve3

// Moments of Gauss-Legendre quadrature over elements, through a table in constant memory and functors.
namespace quadrature {

__constant__ double nodes[3] = {-0.77459666924148338, 0.0, 0.77459666924148338};
__constant__ double weights[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};

template <class F> __device__ double integrate(double a, double b, F f) {
  const double half = 0.5 * (b - a), mid = 0.5 * (a + b);
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += weights[k] * f(mid + half * nodes[k]);
  return half * sum;
}

struct Hat { // the linear function that is one at `peak` and zero at `foot`, under the force
  double peak, foot;
  __device__ double operator()(double x) const { return sin(x) * (x - foot) / (peak - foot); }
};
struct Energy {
  double modulus, strain;
  __device__ double operator()(double x) const { return 0.5 * modulus * (1 + x * x) * strain * strain; }
};

GPUAD_ADJOINT("(load,energy)/(mesh,u,modulus)")
GPUAD_TANGENT("(load,energy)/(mesh,u,modulus)")
__global__ void assemble(double* load, double* energy, const double* mesh, const double* u, double modulus,
                         int elements) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= elements)
    return;
  const double left = mesh[e], right = mesh[e + 1];
  load[2 * e] = integrate(left, right, Hat{left, right});
  load[2 * e + 1] = integrate(left, right, Hat{right, left});
  energy[e] = integrate(left, right, Energy{modulus, (u[e + 1] - u[e]) / (right - left)});
}

} // namespace quadrature
