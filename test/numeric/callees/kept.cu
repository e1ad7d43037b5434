// Device functions that are large and called from more than one place: they get adjoints of their own, or are put in
// place of the call where that would be wrong.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// A smooth function of many operations, so that what uses it is large. Its slope is less than one.
#define LONG(v)                                                                                                        \
  (0.2 * (v) / (1.0 + (v) * (v)) + 0.1 / (2.0 + (v) * (v)) - 0.1 * ((v) + 1.0) / (1.0 + ((v) + 1.0) * ((v) + 1.0)) +   \
   0.2 * sqrt(2.0 + (v) * (v)))

// Values in, one value out; global memory behind a pointer.
__device__ double mixed(double a, double b, const double *w) {
  double s = a * w[0] + LONG(a * b);
  double t = LONG(s) * w[1] - b;
  if (t > 0.5)
    t = t * s + w[2];
  else
    s = s - t * t * w[3];
  return LONG(s * t) + 0.25 * a * t;
}

BOTH("(y)/(x,w)")
__global__ void chained(int n, const double *x, const double *w, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double r = mixed(x[i], 0.5, w);
  double z = mixed(r, x[i], w + 1);
  y[i] = mixed(z, z, w) + r;
}

// The same callee in another kernel, under conditions, with another pattern.
BOTH("(y)/(x)")
__global__ void conditional(int n, const double *x, const double *w, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double r = x[i];
  if (r > 0)
    r = mixed(r, 0.25, w);
  else if (i % 3)
    r = mixed(0.75, r, w) * r;
  y[i] = r * (i % 2 ? mixed(r, r, w) : r);
}

// By value, the same for all threads.
BOTH("(y)/(a,b)")
__global__ void uniform(int n, double a, double b, const double *w, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = mixed(a, b * (1 + i % 2), w) + mixed(b, a, w);
}

// One array twice.
BOTH("(y)/(x)")
__global__ void one_array(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = mixed(x[i], x[i + 1], x + i) + mixed(x[i], 0.5, x + 2);
}

// Objects of the caller's, by reference and by pointer.
__device__ void pair_of(double a, double b, double &sum, double *difference) {
  double s = LONG(a * a + b), t = LONG(a - b);
  *difference = s * t + LONG(t);
  sum += s * LONG(s) - t;
}

BOTH("(y)/(x)")
__global__ void objects(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double sum = x[i], d, e;
  pair_of(x[i], 0.25, sum, &d);
  pair_of(d, sum, sum, &e); // what it reads by value is what it was before
  y[i] = sum * d + e;
}

// Both lead to one object: what is written last counts.
BOTH("(y)/(x)")
__global__ void one_object(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double a = x[i], b;
  pair_of(a, 0.5, a, &a);
  pair_of(a, a, a, &b);
  y[i] = a + b;
}

// An object read through a reference that is also written.
__device__ void read_and_written(const double &from, double &to) {
  to = LONG(from);
  to = to * from + LONG(to * 0.5);
  to = LONG(to) - from;
}

BOTH("(y)/(x)")
__global__ void aliased_objects(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double a = x[i], b = 0.25;
  read_and_written(a, b);
  read_and_written(b, b);
  read_and_written(b, a);
  y[i] = a * b;
}

// Of two results, one is used.
BOTH("(y)/(x)")
__global__ void half_used(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double a = 0, b, c = x[i], d = 1;
  pair_of(x[i], 0.5, a, &b);
  pair_of(c, b, d, &c);
  y[i] = d;
}

// Elements by reference: of a local array, and of global memory.
BOTH("(y,z)/(x,z)")
__global__ void elements(int n, const double *x, double *z, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double v[3] = {x[i], 0.5, 1.0};
  read_and_written(v[0], v[1]);
  read_and_written(v[1], v[i % 2]);
  read_and_written(v[i % 3], z[i]);
  y[i] = v[0] + 2 * v[1] - v[2] * z[i];
}

// Structs and vectors.
struct vec3 {
  double x, y, z;
};

__device__ vec3 turn(vec3 v, const vec3 &axis, double angle) {
  double c = cos(angle), s = sin(angle);
  double d = (v.x * axis.x + v.y * axis.y + v.z * axis.z) * (1.0 - c);
  vec3 r;
  r.x = v.x * c + (axis.y * v.z - axis.z * v.y) * s + axis.x * d;
  r.y = v.y * c + (axis.z * v.x - axis.x * v.z) * s + axis.y * d;
  r.z = v.z * c + (axis.x * v.y - axis.y * v.x) * s + axis.z * d;
  double length = sqrt(1.0 + 0.25 * (r.x * r.x + r.y * r.y + r.z * r.z));
  r.x = r.x / length + LONG(r.y * d);
  r.y /= length;
  r.z /= length;
  return r;
}

BOTH("(y)/(x,a)")
__global__ void structs(int n, const vec3 *x, const double *a, vec3 *y) {
  int i = INDEX;
  if (i >= n)
    return;
  vec3 axis = {0.6, 0.0, 0.8};
  vec3 v = turn(x[i], axis, a[i]);
  axis.x = v.y * 0.25;
  vec3 w = turn(v, axis, a[i] * 0.5);
  y[i] = turn(w, v, 0.1);
}

__device__ float4 blend(float4 p, float2 q, float t) {
  float a = 0.25f * p.x * q.x + sinf(p.y * t) - cosf(q.y), b = p.z * p.w / (2.0f + a * a);
  float c = expf(-a * a) * b + sqrtf(1.0f + b * b) * t, d = 0.5f * a * b - c * q.x;
  float e = a * a / (1.0f + b * b) + b * c / (1.0f + c * c) - c * d / (2.0f + d * d) * t + 0.5f * (a - b) * (c + d);
  d += e / (1.0f + e * e) - 0.25f * t * e;
  return make_float4(0.25f * a * t + d, b * c - 0.5f * a, c * c / (2.0f + d * d), 0.5f * d + a * 0.5f);
}

BOTH("(y)/(x)")
__global__ void vectors(int n, const float4 *x, float4 *y) {
  int i = INDEX;
  if (i >= n)
    return;
  float4 v = blend(x[i], make_float2(0.5f, x[i].y), 0.75f);
  y[i] = blend(v, make_float2(v.x, v.w), x[i].z);
}

// Local arrays that nobody writes afterwards.
__device__ double polynomial(const double *c, double v) {
  double sum = c[0];
  for (int k = 1; k < 4; ++k)
    sum = LONG(sum * v) + c[k] * LONG(v);
  return LONG(sum) - 0.25 * sum;
}

BOTH("(y)/(x)")
__global__ void local_array(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double c[4];
  for (int k = 0; k < 4; ++k)
    c[k] = x[i] * (k + 1) - 0.5;
  double a = polynomial(c, 0.25);
  y[i] = polynomial(c, a) * a;
}

// Local arrays that are overwritten between calls, and in a loop.
BOTH("(y)/(x)")
__global__ void changing_array(int n, int m, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double c[4] = {x[i], 0.5, 0.25, 1.0};
  double a = polynomial(c, 0.25);
  c[1] = a * c[0];
  a += polynomial(c, 0.5);
  for (int k = 0; k < m; ++k) {
    double p = polynomial(c, a) * 0.1;
    c[k % 4] = LONG(p);
    a = a * 0.5 + c[(k + 1) % 4];
  }
  y[i] = a + polynomial(c, 0.125);
}

// An array that an iteration makes anew.
BOTH("(y)/(x)")
__global__ void fresh_array(int n, int m, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double a = 1;
  for (int k = 0; k < m; ++k) {
    double c[4];
    for (int j = 0; j < 4; ++j)
      c[j] = x[i * m + k] * j + a;
    double p = polynomial(c, 0.5) + polynomial(c, a);
    a = LONG(p);
  }
  y[i] = a;
}

// Shared memory, loaded once and loaded anew.
BOTH("(y)/(x)")
__global__ void shared_tile(int n, const double *x, double *y) {
  __shared__ double tile[128];
  int i = INDEX;
  tile[threadIdx.x] = i < n ? x[i] : 1.0;
  __syncthreads();
  int near = threadIdx.x + 4 < blockDim.x ? threadIdx.x : 0;
  if (i < n && blockDim.x > 4)
    y[i] = polynomial(tile + near, 0.5) * tile[threadIdx.x] + polynomial(tile, tile[threadIdx.x]);
  else if (i < n)
    y[i] = 2.0 * tile[threadIdx.x];
}

BOTH("(y)/(x)")
__global__ void shared_tiles(int n, int m, const double *x, double *y) {
  __shared__ double tile[128];
  int i = INDEX;
  double sum = 0;
  for (int k = 0; k < m; ++k) {
    tile[threadIdx.x] = i < n ? x[i * m + k] : 1.0;
    __syncthreads();
    if (blockDim.x > 4)
      sum += polynomial(tile, 0.25 * sum) + polynomial(tile + 1, 0.5);
    __syncthreads();
  }
  if (i < n)
    y[i] = sum;
}

// Memory that the kernel has written.
BOTH("(y)/(x)")
__global__ void own_output(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  y[i] = LONG(x[i]);
  y[i] = mixed(x[i], y[i], x) + y[i];
  y[i] = polynomial(x, y[i]) + polynomial(x, 0.5 * y[i]);
}

// Three deep; the innermost is shared by two.
__device__ double inner(double v, const double *w) { return LONG(v * w[0]) + LONG(v + w[1]) * v; }
__device__ double middle(double v, const double *w) {
  double a = inner(v, w), b = inner(a * 0.5, w + 1);
  return LONG(a * b) - inner(b, w) * v;
}
__device__ double outer(double v, double u, const double *w) {
  double a = middle(v, w);
  if (a > u)
    return middle(a - u, w + 1) * u;
  double b = middle(u * v, w);
  return inner(b, w) + LONG(b);
}

BOTH("(y)/(x,w)")
__global__ void nested(int n, const double *x, const double *w, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = outer(x[i], 0.5, w) + outer(x[i] * x[i], x[i], w + 1);
}

// In loops that record, and in the condition of one.
BOTH("(y)/(x,w)")
__global__ void recorded(int n, int m, const double *x, const double *w, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double state = x[i * m], speed = 0.5;
  for (int k = 0; k < m; ++k) {
    state = mixed(state, x[i * m + k], w);
    double d;
    pair_of(state, 0.5, speed, &d);
    if (k % 2)
      state = mixed(speed, 0.5 * d, w) * 0.5;
    speed = speed * 0.25;
  }
  y[i] = state * speed;
}

BOTH("(y)/(x,w)")
__global__ void while_loop(int n, const double *x, const double *w, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double state = x[i];
  int count = 0;
  while (mixed(state, 0.5, w) > -1.0 && count < 3 + i % 4) {
    state = state * 0.75 + mixed(state, state, w) * 0.125;
    ++count;
  }
  y[i] = state;
}

// Exits, loops with a constant bound, and loops that only add, in the callee.
__device__ double exits(double v, const double *x, int m) {
  if (v > 1.5)
    return LONG(v);
  double sum = 0;
  for (int k = 0; k < m; ++k)
    sum += LONG(v * x[k]);
  double p = sum;
  for (int k = 0; k < 3; ++k) {
    p = LONG(p) + v;
    if (p > 2.0)
      break;
  }
  if (p < 0.25)
    return p * sum;
  return p + sum;
}

BOTH("(y)/(x)")
__global__ void early_exits(int n, int m, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = exits(x[i], x, m) + exits(2.0 * x[i], x + i, m) * exits(0.125, x, 2);
}

// A callee that would have to record.
__device__ double records(double v, int m) {
  for (int k = 0; k < m; ++k)
    v = LONG(v) + LONG(v * 0.5);
  return v;
}

BOTH("(y)/(x)")
__global__ void callee_records(int n, int m, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = records(x[i], m) * records(x[i] * 0.5, m + 1);
}

// Namespaces, templates with two instances, methods and operators.
namespace physics {
namespace {
template <class T, int K> __device__ T energy(T a, T b) {
  T s = T(LONG(a)) * b, t = T(LONG(b)) - a * K;
  return 0.25 * s * t + T(LONG(s - t)) * a;
}
} // namespace

struct charge {
  double q, r;
  __device__ double field(double at) const {
    double d = LONG(at - r);
    return q / (1.0 + d * d) * LONG(q * d) + 0.25 * LONG(d);
  }
  __device__ void move(double by) {
    r += 0.25 * by * LONG(q);
    q = q * LONG(r) + LONG(by) - LONG(r * 0.5);
  }
  __device__ charge operator*(const charge &other) const {
    charge made;
    made.q = q * LONG(other.q) + r;
    made.r = r * LONG(other.r + q) - other.q;
    return made;
  }
};

__device__ charge operator-(const charge &a, double b) {
  charge made{LONG(a.q - b), LONG(a.r * b) + 0.5 * LONG(a.q)};
  return made;
}
} // namespace physics

BOTH("(y)/(x)")
__global__ void instances(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n) {
    double a = physics::energy<double, 1>(x[i], 0.5) + physics::energy<double, 1>(0.25, x[i]);
    y[i] = a * physics::energy<double, 2>(x[i], a) + physics::energy<double, 2>(x[i], x[i]);
  }
}

BOTH("(y)/(x,c)")
__global__ void methods(int n, const double *x, physics::charge c, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  physics::charge own = c;
  own.move(x[i]);
  double f = own.field(x[i]) + c.field(0.5);
  own.move(f);
  physics::charge both = own * c;
  both = both * own - f;
  both = both - own.q;
  y[i] = both.field(f) + both.r;
}

// A value that is not taken: its derivative is infinite there.
__device__ double rooted(double v) {
  double s = sqrt(v) + LONG(v);
  return s / (v + 1.0) + LONG(s * 0.5) + 1.0 / (s + 1.0) - LONG(v + s) * LONG(v - s);
}

BOTH("(y)/(x)")
__global__ void not_taken(int n, const double *x, double *y) {
  int i = INDEX;
  if (i >= n)
    return;
  double v = x[i] > 0 ? x[i] : 0.0;
  double r = rooted(v * 0.0 + (i % 2 ? v : 0.0)), s = rooted(v + 1.0);
  y[i] = i % 2 && x[i] > 0 ? r * s : x[i] * s;
}

// Which thread it is.
__device__ double by_thread(double v) {
  double u = v * (1 + threadIdx.x % 3) + LONG(v * 0.5);
  return LONG(u) * v + LONG(u - v) - LONG(u * v) * LONG(u + v) + LONG(u * u);
}

BOTH("(y)/(a,x)")
__global__ void thread_index(int n, double a, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = by_thread(a) * by_thread(x[i]);
}

// Constant memory, and a callee that is given nothing active once.
__constant__ double factors[4] = {0.5, 0.25, 1.0, 0.75};

__device__ double with_constants(double v, int k) {
  double u = v * factors[k % 4], w = factors[(k + 1) % 4] - v;
  return LONG(u) + LONG(w) * v - LONG(u * w) * LONG(u - w);
}

BOTH("(y)/(x)")
__global__ void constants(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = with_constants(x[i], i) * with_constants(0.5, 1) + with_constants(x[i] * x[i], 2);
}

// Functions that call themselves, and each other.
__device__ double power_of(double v, int n) {
  if (n <= 0)
    return 1.0;
  return v * power_of(v * 0.75, n - 1) + LONG(v);
}
__device__ double odd_part(double v, const double *w, int n);
__device__ double even_part(double v, const double *w, int n) {
  return n <= 0 ? v * w[0] : odd_part(sin(v), w, n - 1) + v * w[n % 3];
}
__device__ double odd_part(double v, const double *w, int n) { return n <= 0 ? v : even_part(v * v, w, n - 1) * v; }

BOTH("(y)/(x)")
__global__ void recursive(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = power_of(x[i], i % 5) + even_part(x[i], x, i % 4);
}

// Accesses of the caller and of a callee to one array.
BOTH("(y)/(x)")
__global__ void caller_and_callee(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = x[i] * x[i] + polynomial(x, x[i]) + polynomial(x + (n - 4), 0.5);
}

// A requested function that kernels call as well.
GPUAD_ADJOINT("(return)/(v)")
GPUAD_TANGENT("(return)/(v)")
__device__ double asked_for(double v) { return LONG(v) + LONG(v * v) * LONG(v + 1.0) - LONG(0.5 * v); }

BOTH("(y)/(x)")
__global__ void asked_for_inside(int n, const double *x, double *y) {
  int i = INDEX;
  if (i < n)
    y[i] = asked_for(x[i]) * asked_for(0.5 * x[i]) - asked_for(x[i] + 1.0);
}
