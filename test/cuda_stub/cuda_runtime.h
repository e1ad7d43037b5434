// A page of CUDA for tests of the front end: enough declarations to parse kernels and host code in both passes, in a
// twentieth of the time that the toolkit's headers take. Nothing here has a body worth running.
//
//   clang -x cuda -nocudainc -nocudalib -isystem test/cuda_stub -include cuda_runtime.h
#ifndef GPUAD_STUB_CUDA_RUNTIME_H
#define GPUAD_STUB_CUDA_RUNTIME_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

typedef __SIZE_TYPE__ size_t;

#include "stub_vector_types.h"

// threadIdx and its kin as Clang itself defines them.
#include <__clang_cuda_builtin_vars.h>

#include "stub_device_functions.h"
#include "stub_math.h"
#include "stub_runtime_api.h"

#endif
