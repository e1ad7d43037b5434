// float4 and its kin, with their make functions.
#ifndef GPUAD_STUB_VECTOR_TYPES_H
#define GPUAD_STUB_VECTOR_TYPES_H

#define GPUAD_STUB_VECTORS(T, NAME, A2, A4)                                                                            \
  struct NAME##1 {                                                                                                     \
    T x;                                                                                                               \
  };                                                                                                                   \
  struct __align__(A2) NAME##2 {                                                                                       \
    T x, y;                                                                                                            \
  };                                                                                                                   \
  struct NAME##3 {                                                                                                     \
    T x, y, z;                                                                                                         \
  };                                                                                                                   \
  struct __align__(A4) NAME##4 {                                                                                       \
    T x, y, z, w;                                                                                                      \
  };                                                                                                                   \
  static __inline__ __host__ __device__ NAME##1 make_##NAME##1(T x) {                                                  \
    return {x};                                                                                                        \
  }                                                                                                                    \
  static __inline__ __host__ __device__ NAME##2 make_##NAME##2(T x, T y) {                                             \
    return {x, y};                                                                                                     \
  }                                                                                                                    \
  static __inline__ __host__ __device__ NAME##3 make_##NAME##3(T x, T y, T z) {                                        \
    return {x, y, z};                                                                                                  \
  }                                                                                                                    \
  static __inline__ __host__ __device__ NAME##4 make_##NAME##4(T x, T y, T z, T w) {                                   \
    return {x, y, z, w};                                                                                               \
  }

GPUAD_STUB_VECTORS(signed char, char, 2, 4)
GPUAD_STUB_VECTORS(unsigned char, uchar, 2, 4)
GPUAD_STUB_VECTORS(short, short, 4, 8)
GPUAD_STUB_VECTORS(unsigned short, ushort, 4, 8)
GPUAD_STUB_VECTORS(int, int, 8, 16)
GPUAD_STUB_VECTORS(unsigned int, uint, 8, 16)
GPUAD_STUB_VECTORS(long, long, 16, 16)
GPUAD_STUB_VECTORS(unsigned long, ulong, 16, 16)
GPUAD_STUB_VECTORS(long long, longlong, 16, 16)
GPUAD_STUB_VECTORS(unsigned long long, ulonglong, 16, 16)
GPUAD_STUB_VECTORS(float, float, 8, 16)
GPUAD_STUB_VECTORS(double, double, 16, 16)
#undef GPUAD_STUB_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#endif
