// The math functions, in their C spellings, as C++ overloads, and in namespace std.
#ifndef GPUAD_STUB_MATH_H
#define GPUAD_STUB_MATH_H

// NAME(double), NAMEf(float), overload NAME(float); all of them in std too.
#define GPUAD_STUB_MATH(NAME, D)                                                                                       \
  extern "C" __host__ __device__ double NAME D(double);                                                                \
  extern "C" __host__ __device__ float NAME##f D(float);                                                               \
  __host__ __device__ float NAME D(float);                                                                             \
  namespace std {                                                                                                      \
  using ::NAME;                                                                                                        \
  using ::NAME##f;                                                                                                     \
  }
#define GPUAD_STUB_D1(T) (T x) noexcept
#define GPUAD_STUB_D2(T) (T x, T y) noexcept
#define GPUAD_STUB_D3(T) (T x, T y, T z) noexcept

GPUAD_STUB_MATH(acos, GPUAD_STUB_D1)
GPUAD_STUB_MATH(acosh, GPUAD_STUB_D1)
GPUAD_STUB_MATH(asin, GPUAD_STUB_D1)
GPUAD_STUB_MATH(asinh, GPUAD_STUB_D1)
GPUAD_STUB_MATH(atan, GPUAD_STUB_D1)
GPUAD_STUB_MATH(atan2, GPUAD_STUB_D2)
GPUAD_STUB_MATH(atanh, GPUAD_STUB_D1)
GPUAD_STUB_MATH(cbrt, GPUAD_STUB_D1)
GPUAD_STUB_MATH(ceil, GPUAD_STUB_D1)
GPUAD_STUB_MATH(copysign, GPUAD_STUB_D2)
GPUAD_STUB_MATH(cos, GPUAD_STUB_D1)
GPUAD_STUB_MATH(cosh, GPUAD_STUB_D1)
GPUAD_STUB_MATH(erf, GPUAD_STUB_D1)
GPUAD_STUB_MATH(erfc, GPUAD_STUB_D1)
GPUAD_STUB_MATH(exp, GPUAD_STUB_D1)
GPUAD_STUB_MATH(exp2, GPUAD_STUB_D1)
GPUAD_STUB_MATH(expm1, GPUAD_STUB_D1)
GPUAD_STUB_MATH(fabs, GPUAD_STUB_D1)
GPUAD_STUB_MATH(fdim, GPUAD_STUB_D2)
GPUAD_STUB_MATH(floor, GPUAD_STUB_D1)
GPUAD_STUB_MATH(fma, GPUAD_STUB_D3)
GPUAD_STUB_MATH(fmax, GPUAD_STUB_D2)
GPUAD_STUB_MATH(fmin, GPUAD_STUB_D2)
GPUAD_STUB_MATH(fmod, GPUAD_STUB_D2)
GPUAD_STUB_MATH(hypot, GPUAD_STUB_D2)
GPUAD_STUB_MATH(lgamma, GPUAD_STUB_D1)
GPUAD_STUB_MATH(log, GPUAD_STUB_D1)
GPUAD_STUB_MATH(log10, GPUAD_STUB_D1)
GPUAD_STUB_MATH(log1p, GPUAD_STUB_D1)
GPUAD_STUB_MATH(log2, GPUAD_STUB_D1)
GPUAD_STUB_MATH(nearbyint, GPUAD_STUB_D1)
GPUAD_STUB_MATH(pow, GPUAD_STUB_D2)
GPUAD_STUB_MATH(rint, GPUAD_STUB_D1)
GPUAD_STUB_MATH(round, GPUAD_STUB_D1)
GPUAD_STUB_MATH(sin, GPUAD_STUB_D1)
GPUAD_STUB_MATH(sinh, GPUAD_STUB_D1)
GPUAD_STUB_MATH(sqrt, GPUAD_STUB_D1)
GPUAD_STUB_MATH(tan, GPUAD_STUB_D1)
GPUAD_STUB_MATH(tanh, GPUAD_STUB_D1)
GPUAD_STUB_MATH(tgamma, GPUAD_STUB_D1)
GPUAD_STUB_MATH(trunc, GPUAD_STUB_D1)

// CUDA's additions.
GPUAD_STUB_MATH(cospi, GPUAD_STUB_D1)
GPUAD_STUB_MATH(erfcinv, GPUAD_STUB_D1)
GPUAD_STUB_MATH(erfinv, GPUAD_STUB_D1)
GPUAD_STUB_MATH(exp10, GPUAD_STUB_D1)
GPUAD_STUB_MATH(normcdf, GPUAD_STUB_D1)
GPUAD_STUB_MATH(rcbrt, GPUAD_STUB_D1)
GPUAD_STUB_MATH(rsqrt, GPUAD_STUB_D1)
GPUAD_STUB_MATH(sinpi, GPUAD_STUB_D1)
#undef GPUAD_STUB_MATH
#undef GPUAD_STUB_D1
#undef GPUAD_STUB_D2
#undef GPUAD_STUB_D3

extern "C" __host__ __device__ void sincos(double x, double *s, double *c) noexcept;
extern "C" __host__ __device__ void sincosf(float x, float *s, float *c) noexcept;
extern "C" __host__ __device__ int abs(int x) noexcept;
__host__ __device__ float abs(float x) noexcept;
__host__ __device__ double abs(double x) noexcept;
__host__ __device__ float pow(float x, int n) noexcept;
__host__ __device__ double pow(double x, int n) noexcept;
__host__ __device__ bool isfinite(float x) noexcept;
__host__ __device__ bool isfinite(double x) noexcept;
__host__ __device__ bool isinf(float x) noexcept;
__host__ __device__ bool isinf(double x) noexcept;
__host__ __device__ bool isnan(float x) noexcept;
__host__ __device__ bool isnan(double x) noexcept;

namespace std {
using ::abs;
using ::isfinite;
using ::isinf;
using ::isnan;
} // namespace std

#define GPUAD_STUB_MINMAX(T)                                                                                           \
  __host__ __device__ T min(T a, T b) noexcept;                                                                        \
  __host__ __device__ T max(T a, T b) noexcept;
GPUAD_STUB_MINMAX(int)
GPUAD_STUB_MINMAX(unsigned)
GPUAD_STUB_MINMAX(long)
GPUAD_STUB_MINMAX(unsigned long)
GPUAD_STUB_MINMAX(long long)
GPUAD_STUB_MINMAX(unsigned long long)
GPUAD_STUB_MINMAX(float)
GPUAD_STUB_MINMAX(double)
#undef GPUAD_STUB_MINMAX

#define M_PI 3.14159265358979323846
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))

#endif
