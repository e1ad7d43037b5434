// Particles and bodies: forces, steps, and scattering to grids.
#include <cmath>
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

// All-pairs gravity with softening, masses in w.
namespace nbody {

__device__ float3 interaction(float4 bi, float4 bj, float3 acc, float eps2) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float dist2 = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
  float inv = rsqrtf(dist2);
  float s = bj.w * inv * inv * inv;
  acc.x += r.x * s;
  acc.y += r.y * s;
  acc.z += r.z * s;
  return acc;
}

GPUAD_ADJOINT("(acc)/(bodies,softening)")
GPUAD_TANGENT("(acc)/(bodies,softening)")
__global__ void forces(float3* acc, const float4* bodies, int n, float softening) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 me = bodies[i];
  float3 a = {0.f, 0.f, 0.f};
  for (int j = 0; j < n; ++j)
    a = interaction(me, bodies[j], a, softening * softening);
  acc[i] = a;
}

} // namespace nbody

// Lennard-Jones over a neighbour list, cut off and shifted, in a periodic box. Newton's third law by atomics.
namespace lennard_jones {

struct Parameters {
  double epsilon, sigma;
};
struct Domain {
  double cutoff, box;
};

__device__ double wrap(double d, double box) {
  return d - box * rint(d / box);
}

__device__ bool pair(const double* a, const double* b, const Parameters& p, const Domain& domain, double (&force)[3],
                     double& energy) {
  double d[3], r2 = 0;
  for (int k = 0; k < 3; ++k) {
    d[k] = wrap(a[k] - b[k], domain.box);
    r2 += d[k] * d[k];
  }
  if (r2 > domain.cutoff * domain.cutoff)
    return false;
  const double s2 = p.sigma * p.sigma / r2, s6 = s2 * s2 * s2;
  const double c2 = p.sigma / domain.cutoff * (p.sigma / domain.cutoff), c6 = c2 * c2 * c2;
  energy = 4 * p.epsilon * (s6 * (s6 - 1) - c6 * (c6 - 1));
  const double scale = 24 * p.epsilon * s6 * (2 * s6 - 1) / r2;
  for (int k = 0; k < 3; ++k)
    force[k] = scale * d[k];
  return true;
}

GPUAD_ADJOINT("(force,energy)/(x,p)")
GPUAD_TANGENT("(force,energy)/(x,p)")
__global__ void compute(double* force, double* energy, const double* x, const int* first, const int* neighbour,
                        Parameters p, Domain domain, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double own = 0, f[3] = {0, 0, 0};
  for (int e = first[i]; e < first[i + 1]; ++e) {
    const int j = neighbour[e];
    double g[3], u;
    if (!pair(x + 3 * i, x + 3 * j, p, domain, g, u))
      continue;
    own += u;
    for (int k = 0; k < 3; ++k) {
      f[k] += g[k];
      atomicAdd(&force[3 * j + k], -g[k]);
    }
  }
  for (int k = 0; k < 3; ++k)
    atomicAdd(&force[3 * i + k], f[k]);
  energy[i] = own;
}

} // namespace lennard_jones

// A multipole expansion in two dimensions, evaluated by Horner's rule over a complex class template.
namespace multipole {

template <class T> class complex {
public:
  __device__ complex(T re = T(0), T im = T(0)) : r(re), i(im) {}
  __device__ T real() const { return r; }
  __device__ T imag() const { return i; }
  __device__ complex operator+(const complex& o) const { return {r + o.r, i + o.i}; }
  __device__ complex operator-(const complex& o) const { return {r - o.r, i - o.i}; }
  __device__ complex operator*(const complex& o) const { return {r * o.r - i * o.i, r * o.i + i * o.r}; }
  __device__ complex operator/(const complex& o) const {
    T d = T(1) / (o.r * o.r + o.i * o.i);
    return {(r * o.r + i * o.i) * d, (i * o.r - r * o.i) * d};
  }

  T r, i;
};

constexpr int Terms = 5;

GPUAD_ADJOINT("(potential)/(coefficients,center,z)")
GPUAD_TANGENT("(potential)/(coefficients,center,z)")
__global__ void evaluate(double* potential, const double2* coefficients, double2 center, const double2* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const complex<double> d = complex<double>(z[i].x, z[i].y) - complex<double>(center.x, center.y);
  const complex<double> w = complex<double>(1) / d;
  complex<double> sum;
#pragma unroll
  for (int k = Terms - 1; k > 0; --k)
    sum = (sum + complex<double>(coefficients[k].x, coefficients[k].y)) * w;
  potential[i] = coefficients[0].x * 0.5 * log(d.real() * d.real() + d.imag() * d.imag()) + sum.real();
}

} // namespace multipole

// Granular contact: Hertz normal force with damping and a Coulomb limit on the tangential one.
namespace contact {

__device__ __forceinline__ float clampf(float x, float lo, float hi) {
  return fminf(fmaxf(x, lo), hi);
}

GPUAD_ADJOINT("(fn,ft)/(gap,speed,slip,stiffness,friction)")
GPUAD_TANGENT("(fn,ft)/(gap,speed,slip,stiffness,friction)")
__global__ void hertz(float* fn, float* ft, const float* gap, const float* speed, const float* slip, float stiffness,
                      float friction, float damping, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float depth = -gap[i];
    if (depth <= 0.f) {
      fn[i] = 0.f;
      ft[i] = 0.f;
      continue;
    }
    const float root = sqrtf(depth);
    const float normal = fmaxf(0.f, stiffness * depth * root - damping * root * speed[i]);
    const float limit = friction * normal;
    fn[i] = normal;
    ft[i] = -clampf(0.4f * stiffness * root * slip[i], -limit, limit);
  }
}

} // namespace contact

// Material point method: quadratic B-spline weights, mass and momentum scattered to a 2D grid.
namespace mpm {

struct Weights {
  float w[3];
  __device__ explicit Weights(float fx) {
    w[0] = 0.5f * (1.5f - fx) * (1.5f - fx);
    w[1] = 0.75f - (fx - 1.0f) * (fx - 1.0f);
    w[2] = 0.5f * (fx - 0.5f) * (fx - 0.5f);
  }
};

GPUAD_ADJOINT("(grid)/(x,v,affine)") GPUAD_TANGENT("(grid)/(x,v,affine)")
__global__ void to_grid(float* grid, const float2* x, const float2* v, const float4* affine, int n, int side, float h,
                        float mass) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n)
    return;
  const float inv_h = 1 / h;
  const float gx = x[p].x * inv_h, gy = x[p].y * inv_h;
  const int bx = static_cast<int>(gx - 0.5f), by = static_cast<int>(gy - 0.5f);
  const Weights wx(gx - bx), wy(gy - by);
  const float4 c = affine[p];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const float dx = (bx + i) * h - x[p].x, dy = (by + j) * h - x[p].y;
      const float weight = mass * wx.w[i] * wy.w[j];
      float* cell = grid + 3 * ((by + j) * side + bx + i);
      atomicAdd(cell, weight);
      atomicAdd(cell + 1, weight * (v[p].x + c.x * dx + c.y * dy));
      atomicAdd(cell + 2, weight * (v[p].y + c.z * dx + c.w * dy));
    }
}

} // namespace mpm

// One step of a rigid body: a quaternion class with operators, semi-implicit Euler with the gyroscopic term.
namespace rigid_body {

struct vec3 {
  float x, y, z;
  __host__ __device__ vec3() : x(0), y(0), z(0) {}
  __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ vec3& operator+=(const vec3& o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
};
__host__ __device__ inline vec3 operator+(vec3 a, const vec3& b) {
  return a += b;
}
__host__ __device__ inline vec3 operator-(const vec3& a, const vec3& b) {
  return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__host__ __device__ inline vec3 operator*(float s, const vec3& v) {
  return vec3(s * v.x, s * v.y, s * v.z);
}
__host__ __device__ inline vec3 operator*(const vec3& a, const vec3& b) {
  return vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}
__host__ __device__ inline float dot(const vec3& a, const vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ inline vec3 cross(const vec3& a, const vec3& b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

struct quat {
  float w;
  vec3 v;
  __host__ __device__ quat(float s, const vec3& u) : w(s), v(u) {}
  __host__ __device__ quat operator*(const quat& o) const {
    return quat(w * o.w - dot(v, o.v), w * o.v + o.w * v + cross(v, o.v));
  }
  __host__ __device__ quat conjugate() const { return quat(w, -1.0f * v); }
  __host__ __device__ quat normalized() const {
    float s = 1.0f / sqrtf(w * w + dot(v, v));
    return quat(s * w, s * v);
  }
  __host__ __device__ vec3 rotate(const vec3& p) const { return (*this * quat(0, p) * conjugate()).v; }
};

struct Body {
  vec3 position, velocity, spin;
  float4 orientation;
  float mass;
  vec3 inertia;
};

GPUAD_ADJOINT("(bodies)/(bodies,force,torque)")
GPUAD_TANGENT("(bodies)/(bodies,force,torque)")
__global__ void step(Body* bodies, const vec3* force, const vec3* torque, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body b = bodies[i];
  b.velocity += (dt / b.mass) * force[i];
  b.position += dt * b.velocity;
  quat q(b.orientation.w, vec3(b.orientation.x, b.orientation.y, b.orientation.z));
  vec3 local = q.conjugate().rotate(b.spin);
  vec3 momentum = b.inertia * local;
  vec3 rate = q.conjugate().rotate(torque[i]) - cross(local, momentum);
  local += dt * vec3(rate.x / b.inertia.x, rate.y / b.inertia.y, rate.z / b.inertia.z);
  b.spin = q.rotate(local);
  quat turn = quat(0, 0.5f * dt * b.spin) * q;
  quat next = quat(q.w + turn.w, q.v + turn.v).normalized();
  b.orientation = make_float4(next.v.x, next.v.y, next.v.z, next.w);
  bodies[i] = b;
}

} // namespace rigid_body
