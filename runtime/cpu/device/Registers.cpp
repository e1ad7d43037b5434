/// \file
/// Special registers that are computed, address spaces, and what else is a plain function.

#include "../Abi.h"

#define GPUAD_DEVICE extern "C" __attribute__((always_inline))

extern "C" uint64_t gpuad_nanoseconds();

namespace {
inline uint32_t own() { return 1u << (gpuad_thread.linear & 31); }
} // namespace

GPUAD_DEVICE uint64_t gpuad_sreg_lanemask_eq() { return own(); }
GPUAD_DEVICE uint64_t gpuad_sreg_lanemask_lt() { return own() - 1; }
GPUAD_DEVICE uint64_t gpuad_sreg_lanemask_le() { return own() | (own() - 1); }
GPUAD_DEVICE uint64_t gpuad_sreg_lanemask_gt() { return uint32_t(~(own() | (own() - 1))); }
GPUAD_DEVICE uint64_t gpuad_sreg_lanemask_ge() { return uint32_t(~(own() - 1)); }
GPUAD_DEVICE uint64_t gpuad_sreg_laneid() { return gpuad_thread.linear & 31; }
GPUAD_DEVICE uint64_t gpuad_sreg_warpid() { return gpuad_thread.linear / 32; }
GPUAD_DEVICE uint64_t gpuad_sreg_nwarpid() { return 64; }
GPUAD_DEVICE uint64_t gpuad_sreg_smid() { return gpuad_thread.blockIdx[0] % 8; }
GPUAD_DEVICE uint64_t gpuad_sreg_nsmid() { return 8; }
GPUAD_DEVICE uint64_t gpuad_sreg_warpsize() { return 32; }
GPUAD_DEVICE uint64_t gpuad_sreg_clock64() { return gpuad_nanoseconds(); }
GPUAD_DEVICE uint64_t gpuad_sreg_clock() { return uint32_t(gpuad_nanoseconds()); }
GPUAD_DEVICE uint64_t gpuad_sreg_clock_hi() { return gpuad_nanoseconds() >> 32; }
GPUAD_DEVICE uint64_t gpuad_sreg_globaltimer() { return gpuad_nanoseconds(); }
GPUAD_DEVICE uint64_t gpuad_sreg_globaltimer_lo() { return uint32_t(gpuad_nanoseconds()); }
GPUAD_DEVICE uint64_t gpuad_sreg_globaltimer_hi() { return gpuad_nanoseconds() >> 32; }
GPUAD_DEVICE uint64_t gpuad_sreg_total_smem_size() { return gpuad_thread.dynamicSharedBytes; }
GPUAD_DEVICE uint64_t gpuad_sreg_reserved_smem_offset_1() { return reinterpret_cast<uint64_t>(gpuad_reserved_shared); }

GPUAD_DEVICE uint32_t gpuad_nvvm_isspacep_shared(const void *p) { return gpuad_is_space(p, gpuadShared); }
GPUAD_DEVICE uint32_t gpuad_nvvm_isspacep_shared_cluster(const void *p) { return gpuad_is_space(p, gpuadShared); }
GPUAD_DEVICE uint32_t gpuad_nvvm_isspacep_global(const void *p) { return gpuad_is_space(p, gpuadGlobal); }
GPUAD_DEVICE uint32_t gpuad_nvvm_isspacep_local(const void *p) { return gpuad_is_space(p, gpuadLocal); }
GPUAD_DEVICE uint32_t gpuad_nvvm_isspacep_const(const void *p) { return gpuad_is_space(p, gpuadConstant); }

/// Position of the n-th set bit from base, upwards or downwards; ~0 if there is none.
extern "C" uint32_t gpuad_nvvm_fns(uint32_t mask, uint32_t base, int32_t n) {
  int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
  if (n == 0)
    return mask >> (base & 31) & 1 ? base & 31 : ~0u;
  for (int at = int(base & 31); at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0)
      return uint32_t(at);
  return ~0u;
}

#define GPUAD_COPY(BYTES)                                                                                              \
  GPUAD_DEVICE void gpuad_nvvm_cp_async_ca_shared_global_##BYTES(void *to, const void *from) {                         \
    __builtin_memcpy(to, from, BYTES);                                                                                 \
  }                                                                                                                    \
  GPUAD_DEVICE void gpuad_nvvm_cp_async_ca_shared_global_##BYTES##_s(void *to, const void *from, uint32_t bytes) {     \
    __builtin_memset(to, 0, BYTES);                                                                                    \
    __builtin_memcpy(to, from, bytes);                                                                                 \
  }
GPUAD_COPY(4)
GPUAD_COPY(8)
GPUAD_COPY(16)
GPUAD_DEVICE void gpuad_nvvm_cp_async_cg_shared_global_16(void *to, const void *from) {
  __builtin_memcpy(to, from, 16);
}

// What classes with virtual functions refer to, and the C++ spellings of nan, which clang's headers declare only.
extern "C" void __cxa_pure_virtual() { gpuad_trap("a call of a pure virtual function"); }
extern "C" double _ZL3nanPKc(const char *) { return __builtin_nan(""); }
extern "C" float _ZL4nanfPKc(const char *) { return __builtin_nanf(""); }
