// Included by gpuad-cpucc before every CUDA file. Names that cannot be given a meaning on the CPU stop the build.
#pragma once

#undef __managed__
#define __managed__ gpuad_error_managed_variables_do_not_run_on_the_CPU

// What nvcc gives host code without a header of its own.
#define GPUAD_HOST_EXTREMA(A, B, RESULT)                                                                               \
  static inline __attribute__((host, unused)) RESULT min(A a, B b) {                                                   \
    return static_cast<RESULT>(b) < static_cast<RESULT>(a) ? b : a;                                                    \
  }                                                                                                                    \
  static inline __attribute__((host, unused)) RESULT max(A a, B b) {                                                   \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b) ? b : a;                                                    \
  }
GPUAD_HOST_EXTREMA(int, int, int)
GPUAD_HOST_EXTREMA(unsigned, unsigned, unsigned)
GPUAD_HOST_EXTREMA(int, unsigned, unsigned)
GPUAD_HOST_EXTREMA(unsigned, int, unsigned)
GPUAD_HOST_EXTREMA(long, long, long)
GPUAD_HOST_EXTREMA(unsigned long, unsigned long, unsigned long)
GPUAD_HOST_EXTREMA(long, unsigned long, unsigned long)
GPUAD_HOST_EXTREMA(unsigned long, long, unsigned long)
GPUAD_HOST_EXTREMA(long long, long long, long long)
GPUAD_HOST_EXTREMA(unsigned long long, unsigned long long, unsigned long long)
GPUAD_HOST_EXTREMA(long long, unsigned long long, unsigned long long)
GPUAD_HOST_EXTREMA(unsigned long long, long long, unsigned long long)
GPUAD_HOST_EXTREMA(float, float, float)
GPUAD_HOST_EXTREMA(double, double, double)
GPUAD_HOST_EXTREMA(float, double, double)
GPUAD_HOST_EXTREMA(double, float, double)
#undef GPUAD_HOST_EXTREMA

// Stores with a cache hint, which clang's headers leave out. The hint means nothing here.
template <class T> struct gpuad_given {
  using type = T;
};
#define GPUAD_HINTED_STORE(NAME)                                                                                       \
  template <class T>                                                                                                   \
  static inline __attribute__((device, unused)) void NAME(T *place, typename gpuad_given<T>::type value) {             \
    *place = value;                                                                                                    \
  }
GPUAD_HINTED_STORE(__stwb)
GPUAD_HINTED_STORE(__stcg)
GPUAD_HINTED_STORE(__stcs)
GPUAD_HINTED_STORE(__stwt)
#undef GPUAD_HINTED_STORE
