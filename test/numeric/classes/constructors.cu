// Constructors: bodies, member initializers, delegation, base classes, members with initializers.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

struct vec3 {
  float x, y, z;
  __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ explicit vec3(float s) : vec3(s, s, s) {}
  __host__ __device__ float norm2() const { return x * x + y * y + z * z; }
};
__device__ vec3 operator*(float s, const vec3 &v) { return vec3(s * v.x, s * v.y, s * v.z); }
__device__ vec3 cross(const vec3 &a, const vec3 &b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

struct quat {
  float w;
  vec3 v;
  __host__ __device__ quat(float s, const vec3 &u) : w(s), v(u) {}
};

BOTH("(y)/(x)")
__global__ void no_default(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quat q(x[4 * i], vec3(x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]));
  vec3 u = q.w * cross(q.v, vec3(x[4 * i]));
  y[i] = u.norm2() * q.v.y;
}

// Polar coordinates are not what the constructor takes.
struct polar {
  float r, phi;
  __host__ __device__ polar(float x, float y) {
    r = sqrtf(x * x + y * y);
    phi = atan2f(y, x);
  }
  __host__ __device__ float area() const { return 0.5f * r * r * phi; }
};
__device__ polar turned(const polar &p, float by) {
  polar q = p;
  q.phi += by * q.r;
  return q;
}
BOTH("(y)/(x)")
__global__ void in_polar(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  polar p(x[2 * i], x[2 * i + 1]);
  polar q = turned(p, x[2 * i]);
  if (q.phi > 1.0f)
    q = turned(q, 0.5f);
  y[i] = q.area() + p.phi;
}

// A unit quaternion by default: its zero is not what the constructor makes.
struct spin {
  float w = 1, i = 0, j = 0;
  float gain;
  __host__ __device__ spin() : gain(2) {}
  __host__ __device__ spin(float a, float b) : i(a), j(b), gain(a * b) {}
};
__device__ spin product(const spin &a, const spin &b) {
  spin c;
  c.w = a.w * b.w - a.i * b.i - a.j * b.j;
  c.i = a.w * b.i + a.i * b.w;
  c.gain *= a.gain;
  return c;
}
BOTH("(y)/(x)")
__global__ void not_zero(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  spin total;
  for (int k = 0; k < 3; ++k) {
    spin s(x[i + k], x[i]);
    total = product(total, s);
    total.gain += s.gain * s.w;
  }
  y[i] = total.w * total.gain + total.i;
}

struct tuned {
  float scale = 2.5f;
  float shift = 0.25f;
};
struct shape {
  float mass;
  __host__ __device__ explicit shape(float m) : mass(m * m) {}
  __host__ __device__ float inertia() const { return mass * 0.5f; }
};
struct place {
  float at;
  __host__ __device__ place(float a) : at(a) {}
  __host__ __device__ float moved(float by) const { return at + by * at; }
};
struct ball : shape, place {
  float radius;
  tuned tune;
  __host__ __device__ ball(float m, float r, float a) : shape(m), place(a * r), radius(r) { tune.shift += m; }
  __host__ __device__ float energy() const { return inertia() * radius * tune.scale + moved(tune.shift) * at; }
};
__device__ float heavier(const shape &s) { return s.inertia() * 3; }
__device__ float further(const place &p) { return p.moved(2) * p.at; }
BOTH("(y)/(x)")
__global__ void two_bases(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ball b(x[i], x[i + 1], x[i + 2]);
  y[i] = b.energy() + heavier(b) + further(b);
}

// Private members, of a class that says so.
class huber {
public:
  __host__ __device__ explicit huber(float d = 1, float s = 1) : delta(d), scale(s) {}
  __host__ __device__ float operator()(float r) const {
    return fabsf(r) < delta ? 0.5f * r * r : linear(r);
  }

private:
  __host__ __device__ float linear(float r) const { return delta * (fabsf(r) - 0.5f * delta) * scale; }
  float delta, scale;
  GPUAD_FRIEND;
};
BOTH("(y)/(x,loss)")
__global__ void robust(float *y, const float *x, huber loss, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  huber twice(2.0f, x[i]);
  y[i] = loss(x[i]) * x[i] + twice(x[i] + 3.0f);
}
