#define N 6
#define T double
#define size 3
#define index(k) ((k) % size)
// Macros in front of the runtime's include, derivatives that are called before their primal is defined, and functions
// that return objects and references.
#include <gpuad/gpuad.h>

GPUAD_ADJOINT("(y)/(x,a)") GPUAD_TANGENT("(y)/(x)") __global__ void scale(int n, T a, const T *x, T *y);

struct gains {
  T k, w[size];
  int unit;

  GPUAD_ADJOINT("(return)/(self,x)") GPUAD_TANGENT("(return)/(self,x)")
  __device__ T at(T x) const { return k * x + w[0] * x * x; }
  GPUAD_ADJOINT("(return)/(self)") GPUAD_TANGENT("(return)/(self)")
  __device__ const T &operator[](int i) const { return w[index(i)]; }
  GPUAD_ADJOINT("") GPUAD_TANGENT("") __device__ gains &operator+=(const gains &other) {
    k += 2.0 * other.k; // not what a sum of derivatives would be
    w[1] *= other.w[1];
    return *this;
  }
  GPUAD_ADJOINT("") GPUAD_TANGENT("") __device__ gains operator-() const { return {-k, {-w[0], -w[1], -w[2]}, unit}; }
  GPUAD_ADJOINT("(return)/(x)") __device__ static T half(T x) { return x / 2; }
};

GPUAD_ADJOINT("(return)/(a,b,t)")
GPUAD_TANGENT("(return)/(a,b,t)")
__device__ gains choose(const gains &a, gains b, T t) {
  if (t > 1.0)
    return a;
  b.k *= t;
  b.w[index(b.unit)] *= b.k;
  return b;
}

// What the derivatives of methods and functions give, from code behind their class.
__global__ void adjoints(const gains *a, const gains *b, const T *t, const gains *seed, gains *a_bar, gains *b_bar,
                         T *t_bar) {
  gains mine = *a, sum = *seed;
  at_adjoint(*a, a_bar + 0, *t, t_bar + 0, 1.5);
  index_adjoint(*a, a_bar + 1, 4, 2.5);
  assign_add_adjoint(mine, &sum, *b, b_bar + 0, *seed);
  a_bar[2] = sum;
  neg_adjoint(*a, a_bar + 3, *seed);
  choose_adjoint(*a, a_bar + 4, *b, b_bar + 1, *t, t_bar + 1, *seed);
  half_adjoint(*t, t_bar + 2, 3.0);
}
__global__ void scale(int n, T a, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] * x[i] + x[index(i)];
}
