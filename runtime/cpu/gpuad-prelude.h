// Included by gpuad-cpucc before every CUDA file. Names that cannot be given a meaning on the CPU stop the build.
#pragma once

#undef __managed__
#define __managed__ gpuad_error_managed_variables_do_not_run_on_the_CPU

// What nvcc gives host code without a header of its own.
#if !defined(__CUDA_ARCH__)
#define GPUAD_HOST_EXTREMA(TYPE)                                                                                       \
  static inline __attribute__((host, unused)) TYPE min(TYPE a, TYPE b) { return b < a ? b : a; }                       \
  static inline __attribute__((host, unused)) TYPE max(TYPE a, TYPE b) { return a < b ? b : a; }
GPUAD_HOST_EXTREMA(int)
GPUAD_HOST_EXTREMA(unsigned)
GPUAD_HOST_EXTREMA(long)
GPUAD_HOST_EXTREMA(unsigned long)
GPUAD_HOST_EXTREMA(long long)
GPUAD_HOST_EXTREMA(unsigned long long)
GPUAD_HOST_EXTREMA(float)
GPUAD_HOST_EXTREMA(double)
#undef GPUAD_HOST_EXTREMA
#endif
