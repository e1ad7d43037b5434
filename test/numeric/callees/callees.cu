// Device functions: how they take their arguments, where they are called, and what they give back.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

__device__ float cube(float v) { return v * v * v; }

BOTH("(y)/(x)")
__global__ void by_value(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = cube(x[i]);
}

BOTH("(y)/(x)")
__global__ void called_twice(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = cube(x[i]) - 0.25f * cube(cube(x[i]) + 1.0f);
}

// Several returns.
__device__ double smooth(double v, double width) {
  if (v > width)
    return v - 0.5 * width;
  if (v < -width)
    return -v - 0.5 * width;
  return 0.5 * v * v / width;
}

BOTH("(y)/(x,width)")
__global__ void huber(int n, const double *x, double width, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = smooth(x[i], width) * smooth(2.0 * x[i], 0.25);
}

__device__ void scale_by(float *v, float factor) { *v = *v * factor; }

BOTH("(y)/(x,w)")
__global__ void through_pointer(int n, const float *x, const float *w, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t = x[i];
  scale_by(&t, w[i]);
  scale_by(&t, t);
  y[i] = t;
}

__device__ void rotate(double &a, double &b, double angle) {
  double c = cos(angle), s = sin(angle), old = a;
  a = c * old - s * b;
  b = s * old + c * b;
}

BOTH("(u,v)/(u,v,angle)")
__global__ void by_reference(int n, const double *angle, double *u, double *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = u[i], b = v[i];
  rotate(a, b, angle[i]);
  rotate(b, a, 0.5);
  u[i] = a;
  v[i] = b * a;
}

// On memory of the caller directly.
BOTH("(v)/(v)")
__global__ void on_global_memory(int n, float *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    scale_by(v + i, 1.5f);
}

BOTH("(y)/(x)")
__global__ void in_conditional(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t = x[i];
  if (t > 0.0f)
    t = cube(t);
  else
    scale_by(&t, 3.0f);
  if (i % 2)
    t = t + cube(x[i]);
  y[i] = t;
}

__device__ float row_sum(const float *row, int m) {
  float sum = 0.0f;
  for (int k = 0; k < m; ++k)
    sum += row[k] * row[k];
  return sum;
}

BOTH("(y)/(x)")
__global__ void loop_inside(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = sqrtf(row_sum(x + i * m, m)) * row_sum(x + i * m, 2);
}

BOTH("(y)/(x)")
__global__ void call_in_loop(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int k = 0; k < m; ++k)
    sum += smooth(x[i * m + k], 0.5);
  y[i] = sum;
}

struct pair_of {
  float first, second;
};

__device__ pair_of split(float v) {
  pair_of result;
  result.first = v * v;
  result.second = sinf(v);
  return result;
}
__device__ float join(pair_of p) { return p.first * p.second; }

BOTH("(y)/(x)")
__global__ void structs(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    pair_of p = split(x[i]);
    p.first += p.second;
    y[i] = join(p) + join(split(2.0f * x[i]));
  }
}

// A template and a default argument.
template <class T> __device__ T blend(T a, T b, T share = T(0.25)) { return a * share + b * (T(1) - share) * b; }

BOTH("(y)/(x)")
__global__ void templates(int n, const float *x, const double *shares, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = blend(x[i], 2.0f * x[i]) + float(blend<double>(x[i], 3.0, shares[i]));
}

struct quadratic {
  float a, b;
  __device__ float operator()(float v) const { return a * v * v + b * v; }
  __device__ void shift(float by) {
    a += by;
    b *= by;
  }
};

BOTH("(y)/(q,x)")
__global__ void functor(int n, quadratic q, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  quadratic own = q;
  own.shift(x[i]);
  y[i] = q(x[i]) * own(x[i]);
}

// Calls of calls, one of them for its side effect only.
__device__ float outer_call(float v, int *counter) {
  ++*counter;
  return cube(v) + cube(2.0f * v);
}

BOTH("(y)/(x)")
__global__ void nested_calls(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int calls = 0;
    float v = outer_call(x[i], &calls);
    y[i] = v * calls + outer_call(v * 0.125f, &calls);
  }
}

namespace shapes {
__host__ __device__ inline float area(float a, float b) { return a * b * 0.5f; }
} // namespace shapes

BOTH("(y)/(x)")
__global__ void in_namespace(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = shapes::area(x[i], shapes::area(x[i], x[i]));
}

// Lambdas that are only called: what they copy is what it was where they were written.
BOTH("(y)/(x,gain)")
__global__ void lambdas(int n, const float *x, float gain, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float scale = 2.0f;
  auto choose = [scale, n](float v, int which) {
    switch (which) {
    case 0:
      return v * v;
    case 1:
      return scale * v;
    default:
      return v / (1.0f + v * v);
    }
  };
  auto put = [&](int i) {
    if (i >= n)
      return;
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
      float v = choose(x[i], (i + k) % 3);
      sum += v * scale;
    }
    y[i] = i % 2 ? sum * gain : choose(sum, 0);
  };
  scale = 3.0f;
  put(i);
}

BOTH("(y)/(x)")
__global__ void generic_lambda(int n, const double *x, double *y) {
  auto square = [](auto v) { return v * v; };
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = square(x[i]) * square(3) + square(square(x[i]));
}

// Types that are declared in the kernel.
BOTH("(y)/(x)")
__global__ void local_types(int n, const float *x, float *y) {
  using real = float;
  struct pair {
    real u, v;
  };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    pair p{x[i], 2.0f * x[i]};
    p.v *= p.u;
    y[i] = p.u * p.v;
  }
}

// Fields of base classes among the initializers.
struct base_fields {
  float a, b;
};
struct derived_fields : base_fields {
  float c;
};
BOTH("(y)/(x)")
__global__ void base_initializers(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    derived_fields d = derived_fields{{x[i]}, 2.0f * x[i]}, e{{1.0f, x[i]}, 0.5f};
    y[i] = d.a * d.c + (d.b + 1.0f) * e.b * e.c;
  }
}

// Private members, of a class that lets derivatives in.
class spring {
  GPUAD_FRIEND;
  float stiffness, rest;

public:
  __host__ __device__ spring() : stiffness(1), rest(0) {}
  __device__ float force(float x) const { return stiffness * (x - rest) * rest; }
  __device__ void soften(float by) { stiffness *= by; }
};

BOTH("(y)/(s,x)")
__global__ void private_members(int n, const spring *s, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    spring own = s[i];
    own.soften(x[i]);
    y[i] = own.force(x[i]) + s[i].force(2.0f);
  }
}

// Parameters by value to which something active is assigned, though what is passed is not active.
__device__ double assigned(double a, const double *w) {
  a = 0.5 + w[0] * w[1];
  a *= sin(a);
  return a;
}
struct two_values {
  double first, second;
};
__device__ double assigned_field(two_values p, double v) {
  p.second = v * v;
  p.first += p.second;
  return p.first * p.second;
}
__device__ double by_way_of(double a, double v) {
  double kept = a;
  a = v;
  return a * a * kept;
}

BOTH("(y)/(w)")
__global__ void assigned_parameters(int n, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    two_values p = {0.3, 0.4};
    y[i] = assigned(0.3, w + i) + assigned_field(p, w[i]) + by_way_of(2.0, w[i + 1]);
  }
}

// Derivatives of a device function itself, called by hand.
GPUAD_ADJOINT("(return)/(v,w)")
GPUAD_TANGENT("(return)/(v,w)")
__device__ double gain(double v, double w) { return v * v * w + sin(w); }
