// Barriers, warp operations, atomics, read-only loads, and the arithmetic intrinsics.
#ifndef GPUAD_STUB_DEVICE_FUNCTIONS_H
#define GPUAD_STUB_DEVICE_FUNCTIONS_H

__device__ void __syncthreads();
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __nanosleep(unsigned ns);
__device__ void __trap();
__device__ long long clock64();

__device__ unsigned __activemask();
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ unsigned __match_any_sync(unsigned mask, unsigned value);
__device__ int __reduce_add_sync(unsigned mask, int value);
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned value);

#define GPUAD_STUB_SHUFFLES(T)                                                                                         \
  __device__ T __shfl_sync(unsigned mask, T v, int lane, int width = 32);                                              \
  __device__ T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32);                                     \
  __device__ T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32);                                   \
  __device__ T __shfl_xor_sync(unsigned mask, T v, int lane_mask, int width = 32);
GPUAD_STUB_SHUFFLES(int)
GPUAD_STUB_SHUFFLES(unsigned)
GPUAD_STUB_SHUFFLES(long long)
GPUAD_STUB_SHUFFLES(unsigned long long)
GPUAD_STUB_SHUFFLES(float)
GPUAD_STUB_SHUFFLES(double)
#undef GPUAD_STUB_SHUFFLES

#define GPUAD_STUB_LOADS(T)                                                                                            \
  __device__ T __ldg(const T *p);                                                                                      \
  __device__ T __ldca(const T *p);                                                                                     \
  __device__ T __ldcg(const T *p);                                                                                     \
  __device__ T __ldcs(const T *p);                                                                                     \
  __device__ void __stcg(T *p, T v);                                                                                   \
  __device__ void __stcs(T *p, T v);
GPUAD_STUB_LOADS(int)
GPUAD_STUB_LOADS(unsigned)
GPUAD_STUB_LOADS(long long)
GPUAD_STUB_LOADS(float)
GPUAD_STUB_LOADS(float2)
GPUAD_STUB_LOADS(float4)
GPUAD_STUB_LOADS(double)
GPUAD_STUB_LOADS(double2)
GPUAD_STUB_LOADS(int2)
GPUAD_STUB_LOADS(int4)
#undef GPUAD_STUB_LOADS

#define GPUAD_STUB_ATOMICS(T)                                                                                          \
  __device__ T atomicAdd(T *p, T v);                                                                                   \
  __device__ T atomicAdd_block(T *p, T v);                                                                             \
  __device__ T atomicAdd_system(T *p, T v);                                                                            \
  __device__ T atomicExch(T *p, T v);
#define GPUAD_STUB_INTEGER_ATOMICS(T)                                                                                  \
  GPUAD_STUB_ATOMICS(T)                                                                                                \
  __device__ T atomicAnd(T *p, T v);                                                                                   \
  __device__ T atomicCAS(T *p, T compare, T v);                                                                        \
  __device__ T atomicMax(T *p, T v);                                                                                   \
  __device__ T atomicMin(T *p, T v);                                                                                   \
  __device__ T atomicOr(T *p, T v);                                                                                    \
  __device__ T atomicXor(T *p, T v);
GPUAD_STUB_ATOMICS(float)
GPUAD_STUB_ATOMICS(double)
GPUAD_STUB_INTEGER_ATOMICS(int)
GPUAD_STUB_INTEGER_ATOMICS(unsigned)
GPUAD_STUB_INTEGER_ATOMICS(unsigned long long)
__device__ int atomicSub(int *p, int v);
__device__ unsigned atomicSub(unsigned *p, unsigned v);
__device__ unsigned atomicInc(unsigned *p, unsigned v);
__device__ unsigned atomicDec(unsigned *p, unsigned v);
#undef GPUAD_STUB_INTEGER_ATOMICS
#undef GPUAD_STUB_ATOMICS

extern "C" {
__device__ float __cosf(float x);
__device__ float __expf(float x);
__device__ float __exp10f(float x);
__device__ float __fdividef(float x, float y);
__device__ float __log10f(float x);
__device__ float __log2f(float x);
__device__ float __logf(float x);
__device__ float __powf(float x, float y);
__device__ float __saturatef(float x);
__device__ float __sinf(float x);
__device__ void __sincosf(float x, float *s, float *c);
__device__ float __tanf(float x);
__device__ float __fadd_rn(float x, float y);
__device__ float __fdiv_rn(float x, float y);
__device__ float __fmaf_rn(float x, float y, float z);
__device__ float __fmul_rn(float x, float y);
__device__ float __frcp_rn(float x);
__device__ float __frsqrt_rn(float x);
__device__ float __fsqrt_rn(float x);
__device__ float __fsub_rn(float x, float y);
__device__ double __dadd_rn(double x, double y);
__device__ double __dmul_rn(double x, double y);
__device__ double __fma_rn(double x, double y, double z);
__device__ float __int_as_float(int x);
__device__ int __float_as_int(float x);
__device__ unsigned __float_as_uint(float x);
__device__ float __uint_as_float(unsigned x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
__device__ float __int2float_rn(int x);
__device__ int __float2int_rd(float x);
__device__ int __float2int_rn(float x);
__device__ int __float2int_rz(float x);
__device__ int __clz(int x);
__device__ int __ffs(int x);
__device__ int __popc(unsigned x);
__device__ int __mul24(int x, int y);
__device__ unsigned __brev(unsigned x);
__host__ __device__ int printf(const char *format, ...);
}

#define assert(condition) ((condition) ? void() : __builtin_trap())

#endif
