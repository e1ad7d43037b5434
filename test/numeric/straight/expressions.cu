// Straight code: every form of expression, access and parameter.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(out)/(u,w,gain)")
__global__ void blend(int n, float gain, const float *u, const float *w, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = gain * u[i] + (1.0f - gain) * w[i] - 0.25f * u[i] * w[i];
}

BOTH("(q)/(num,den)")
__global__ void quotient(int n, const double *num, const double *den, double *q) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n)
    return;
  const double d = den[i];
  q[i] = num[i] / d - d / (2.0 + num[i] * num[i]);
}

BOTH("(r)/(s)")
__global__ void one_over(int n, const float *s, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float h = 1.0f / s[i];
    r[i] = h * h - 3.0f * h;
  }
}

BOTH("(z)/(x,y)")
__global__ void math_single(int n, const float *x, const float *y, float *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = sinf(x[i]) * expf(-y[i]);
    float b = logf(x[i] + 1.0f) + sqrtf(y[i]);
    float c = tanhf(a) - powf(x[i], y[i]);
    z[i] = a * b + c + atan2f(x[i], y[i]) + rsqrtf(x[i]) + hypotf(x[i], 2.0f * y[i]);
  }
}

BOTH("(z)/(x,y)")
__global__ void math_double(int n, const double *x, const double *y, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double e = erf(x[i]) + cbrt(y[i]);
    double f = cosh(0.5 * x[i]) * asin(0.5 * y[i]);
    z[i] = log1p(e * e) + pow(1.0 + f * f, x[i]) + fmax(x[i] * 0.125, y[i] + 4.0);
  }
}

BOTH("(v)/(v)")
__global__ void in_place(int n, float *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  v[i] = v[i] * sinf(v[i]);
  v[i] += 0.5f * v[i] * v[i];
  v[i] *= 1.25f;
}

// One variable that is overwritten again and again; the reverse needs each of its values.
BOTH("(out)/(x)")
__global__ void reused_name(int n, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double t = x[i];
    t = t * t + 1.0;
    t = t * exp(-0.5 * t);
    t /= 2.0 + t;
    out[i] = t * x[i];
  }
}

// All compound assignments, and a value that is used by both outputs.
BOTH("(p,q)/(x,y)")
__global__ void compound(int n, const float *x, const float *y, float *p, float *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float t = x[i];
    t += y[i];
    t *= x[i];
    t -= 0.5f * y[i];
    t /= y[i] + 1.0f;
    p[i] = t * t;
    q[i] = -t + y[i];
  }
}

struct line {
  float slope, offset;
};

BOTH("(y)/(l,x)")
__global__ void by_value(int n, line l, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = l.slope * x[i] * x[i] + l.offset * x[i];
}

struct particle {
  float mass;
  int kind;
  float speed[2];
};

BOTH("(energy)/(p)")
__global__ void kinetic(int n, const particle *p, float *energy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const particle &one = p[i];
    float square = one.speed[0] * one.speed[0] + one.speed[1] * one.speed[1];
    energy[i] = 0.5f * one.mass * square * (one.kind + 1);
  }
}

BOTH("(p)/(p,force)")
__global__ void push(int n, particle *p, const float *force, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  particle *one = p + i;
  one->speed[0] += dt * force[2 * i] / one->mass;
  one->speed[1] += dt * force[2 * i + 1] * one->speed[0];
}

struct inner {
  double at[2];
};
struct outer {
  inner near, far;
  double weight;
};

BOTH("(y)/(o)")
__global__ void nested_struct(int n, const outer *o, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const outer &c = o[i];
    const inner *far = &c.far;
    y[i] = c.near.at[0] * c.weight * far->at[1] + c.near.at[1] / far->at[0];
  }
}

BOTH("(y)/(x)")
__global__ void vector_cast(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    float4 r;
    r.x = v.x * v.y;
    r.y = v.y * v.z;
    r.z = v.z + v.w * v.w;
    r.w = v.w - v.x;
    *reinterpret_cast<float4 *>(y + 4 * i) = r;
  }
}

BOTH("(c)/(a,b)")
__global__ void vector_types(int n, const float2 *a, const float2 *b, float2 *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 u = a[i], w = b[i];
    c[i] = make_float2(u.x * w.x - u.y * w.y, u.x * w.y + u.y * w.x);
  }
}

BOTH("(c)/(a)")
__global__ void vector_double(int n, const double2 *a, double2 *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double2 u = a[i];
    u.x *= u.y;
    c[i].x = u.x;
    c[i].y = u.x * u.y;
  }
}

BOTH("(y)/(x,k)")
__global__ void through_cache(int n, const float *__restrict__ x, const float *__restrict__ k, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __ldg(x + i) * __ldg(&k[i]) + fmaf(x[i], 0.5f, k[i] * k[i]);
}

BOTH("(y)/(a,b,c)")
__global__ void fused(int n, const double *a, const double *b, const double *c, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = fma(a[i], b[i], c[i]) * fma(-b[i], c[i], 1.0);
}

template <class T> struct matrix_view {
  T *data;
  int columns;
  __host__ __device__ T &operator()(int row, int column) const { return data[row * columns + column]; }
};

BOTH("(to)/(from)")
__global__ void view_read_write(int rows, matrix_view<const float> from, matrix_view<float> to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    to(i, 0) = from(i, 1) * from(i, 2);
    to(i, 1) = from(i, 0) + sinf(from(i, 2));
    to(i, 2) = from(i, 0) * from(i, 0);
  }
}

BOTH("(m)/(m)")
__global__ void view_in_place(int rows, matrix_view<double> m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    m(i, 0) *= m(i, 1);
    m(i, 1) += m(i, 0) * m(i, 0);
  }
}

// Mixed precision: the derivative goes through the conversions.
BOTH("(y)/(x,d)")
__global__ void mixed(int n, const float *x, const double *d, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double t = x[i] * d[i];
    y[i] = float(t * t) + x[i] * float(d[i]);
  }
}

// Pointers that walk, offsets into rows, and an address that is taken.
BOTH("(y)/(x)")
__global__ void walking(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *row = x + 3 * i;
  float *to = &y[2 * i];
  float first = *row++;
  float second = *row;
  row += 1;
  *to = first * second;
  to[1] = second * row[0];
}

// Swapped in place by way of a temporary.
BOTH("(a,b)/(a,b)")
__global__ void rotate_pair(int n, float angle, float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float c = cosf(angle), s = sinf(angle), old = a[i];
    a[i] = c * old - s * b[i];
    b[i] = s * old + c * b[i];
  }
}

// Written twice: the first value never reaches the caller.
BOTH("(y)/(x)")
__global__ void dead_store(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i] * x[i];
    y[i] = 3.0f * x[i] + y[i] * x[i];
    if (i % 2)
      y[i] = x[i];
  }
}

// Results that come through pointers, in every form of call.
BOTH("(y,whole)/(x,p)")
__global__ void parts_of_numbers(int n, const double *x, const double *p, double *y, double *whole) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double inside;
  int exponent, quotient;
  const double fraction = modf(x[i] * p[i], &inside);
  double mantissa = frexp(x[i] * 5, &exponent);
  double rest = std::remquo(x[i], p[i], &quotient);
  y[i] = fraction * 3 + mantissa * x[i] + rest * rest * quotient + std::ldexp(x[i], exponent) + inside;
  mantissa = 2.0 * modf(p[i] * 7, &whole[i]);
  y[i] += mantissa * mantissa * whole[i] + scalbn(p[i], 3) + logb(x[i]);
}

BOTH("(s,c,t)/(x)")
__global__ void sines_through_pointers(int n, const float *x, float *s, float *c, float *t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  sincosf(x[i], &s[i], c + i);
  float u = x[i], v;
  sincospif(u, &u, &v); // the argument is overwritten
  float pair[2];
  __sincosf(u * v, pair, pair + 1);
  t[i] = u * pair[0] + v * pair[1];
}
