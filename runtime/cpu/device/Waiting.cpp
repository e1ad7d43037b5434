/// \file
/// Operations at which threads wait for one another, under the names that the retarget pass calls: gpuad_nvvm_ and the
/// name of the NVVM intrinsic.

#include "../Abi.h"

#define GPUAD_DEVICE extern "C" __attribute__((always_inline))

namespace {
inline uint32_t bits(float value) { return __builtin_bit_cast(uint32_t, value); }
inline float real(uint64_t value) { return __builtin_bit_cast(float, uint32_t(value)); }
/// How a pair {i32, i1} travels.
inline uint64_t pair(GpuadWarpResult result) { return uint32_t(result.value) | uint64_t(result.predicate) << 32; }
} // namespace

using Site = const GpuadSite *;

GPUAD_DEVICE void gpuad_poll_if(Site site, uint32_t condition) {
  if (condition && --gpuad_thread.pollBudget <= 0)
    gpuad_give_way(site);
}

// ---- barriers of a block

#define GPUAD_BARRIER(VARIANT)                                                                                         \
  GPUAD_DEVICE void gpuad_nvvm_barrier_cta_sync_##VARIANT##all(Site site, uint32_t id) {                               \
    gpuad_barrier(site, id, 0, gpuadBarrierPlain, 0);                                                                  \
  }                                                                                                                    \
  GPUAD_DEVICE void gpuad_nvvm_barrier_cta_sync_##VARIANT##count(Site site, uint32_t id, uint32_t count) {             \
    gpuad_barrier(site, id, count, gpuadBarrierPlain, 0);                                                              \
  }                                                                                                                    \
  GPUAD_DEVICE void gpuad_nvvm_barrier_cta_arrive_##VARIANT##count(Site site, uint32_t id, uint32_t count) {           \
    gpuad_barrier_arrive(site, id, count);                                                                             \
  }                                                                                                                    \
  GPUAD_DEVICE uint32_t gpuad_nvvm_barrier_cta_red_popc_##VARIANT##all(Site site, uint32_t id, uint32_t value) {       \
    return gpuad_barrier(site, id, 0, gpuadBarrierCount, value);                                                       \
  }                                                                                                                    \
  GPUAD_DEVICE uint32_t gpuad_nvvm_barrier_cta_red_and_##VARIANT##all(Site site, uint32_t id, uint32_t value) {        \
    return gpuad_barrier(site, id, 0, gpuadBarrierAnd, value);                                                         \
  }                                                                                                                    \
  GPUAD_DEVICE uint32_t gpuad_nvvm_barrier_cta_red_or_##VARIANT##all(Site site, uint32_t id, uint32_t value) {         \
    return gpuad_barrier(site, id, 0, gpuadBarrierOr, value);                                                          \
  }                                                                                                                    \
  GPUAD_DEVICE uint32_t gpuad_nvvm_barrier_cta_red_popc_##VARIANT##count(Site site, uint32_t id, uint32_t count,       \
                                                                         uint32_t value) {                             \
    return gpuad_barrier(site, id, count, gpuadBarrierCount, value);                                                   \
  }                                                                                                                    \
  GPUAD_DEVICE uint32_t gpuad_nvvm_barrier_cta_red_and_##VARIANT##count(Site site, uint32_t id, uint32_t count,        \
                                                                        uint32_t value) {                              \
    return gpuad_barrier(site, id, count, gpuadBarrierAnd, value);                                                     \
  }                                                                                                                    \
  GPUAD_DEVICE uint32_t gpuad_nvvm_barrier_cta_red_or_##VARIANT##count(Site site, uint32_t id, uint32_t count,         \
                                                                       uint32_t value) {                               \
    return gpuad_barrier(site, id, count, gpuadBarrierOr, value);                                                      \
  }
GPUAD_BARRIER()
GPUAD_BARRIER(aligned_)

// ---- a warp

GPUAD_DEVICE void gpuad_nvvm_bar_warp_sync(Site site, uint32_t mask) { gpuad_warp(site, gpuadWarpSync, mask, 0, 0, 0); }
GPUAD_DEVICE uint32_t gpuad_nvvm_activemask(Site site) { return gpuad_active_mask(site); }

#define GPUAD_SHUFFLE(NAME, KIND)                                                                                      \
  GPUAD_DEVICE uint32_t gpuad_nvvm_shfl_sync_##NAME##_i32(Site site, uint32_t mask, uint32_t value, uint32_t b,        \
                                                          uint32_t c) {                                                \
    return uint32_t(gpuad_warp(site, KIND, mask, value, b, c).value);                                                  \
  }                                                                                                                    \
  GPUAD_DEVICE float gpuad_nvvm_shfl_sync_##NAME##_f32(Site site, uint32_t mask, float value, uint32_t b,              \
                                                       uint32_t c) {                                                   \
    return real(gpuad_warp(site, KIND, mask, bits(value), b, c).value);                                                \
  }                                                                                                                    \
  GPUAD_DEVICE uint64_t gpuad_nvvm_shfl_sync_##NAME##_i32p(Site site, uint32_t mask, uint32_t value, uint32_t b,       \
                                                           uint32_t c) {                                               \
    return pair(gpuad_warp(site, KIND, mask, value, b, c));                                                            \
  }                                                                                                                    \
  GPUAD_DEVICE uint64_t gpuad_nvvm_shfl_sync_##NAME##_f32p(Site site, uint32_t mask, float value, uint32_t b,          \
                                                           uint32_t c) {                                               \
    return pair(gpuad_warp(site, KIND, mask, bits(value), b, c));                                                      \
  }
GPUAD_SHUFFLE(idx, gpuadShuffleIndex)
GPUAD_SHUFFLE(up, gpuadShuffleUp)
GPUAD_SHUFFLE(down, gpuadShuffleDown)
GPUAD_SHUFFLE(bfly, gpuadShuffleXor)

#define GPUAD_VOTE(NAME, KIND)                                                                                         \
  GPUAD_DEVICE uint32_t gpuad_nvvm_vote_##NAME##_sync(Site site, uint32_t mask, uint32_t value) {                      \
    return uint32_t(gpuad_warp(site, KIND, mask, value, 0, 0).value);                                                  \
  }
GPUAD_VOTE(all, gpuadVoteAll)
GPUAD_VOTE(any, gpuadVoteAny)
GPUAD_VOTE(uni, gpuadVoteUniform)
GPUAD_VOTE(ballot, gpuadVoteBallot)

#define GPUAD_REDUCE(NAME, KIND)                                                                                       \
  GPUAD_DEVICE uint32_t gpuad_nvvm_redux_sync_##NAME(Site site, uint32_t value, uint32_t mask) {                       \
    return uint32_t(gpuad_warp(site, KIND, mask, value, 0, 0).value);                                                  \
  }
GPUAD_REDUCE(add, gpuadReduceAdd)
GPUAD_REDUCE(min, gpuadReduceMin)
GPUAD_REDUCE(max, gpuadReduceMax)
GPUAD_REDUCE(umin, gpuadReduceUnsignedMin)
GPUAD_REDUCE(umax, gpuadReduceUnsignedMax)
GPUAD_REDUCE(and, gpuadReduceAnd)
GPUAD_REDUCE(or, gpuadReduceOr)
GPUAD_REDUCE(xor, gpuadReduceXor)

GPUAD_DEVICE uint32_t gpuad_nvvm_match_any_sync_i32(Site site, uint32_t mask, uint32_t value) {
  return uint32_t(gpuad_warp(site, gpuadMatchAny, mask, value, 0, 0).value);
}
GPUAD_DEVICE uint32_t gpuad_nvvm_match_any_sync_i64(Site site, uint32_t mask, uint64_t value) {
  return uint32_t(gpuad_warp(site, gpuadMatchAny, mask, value, 0, 0).value);
}
GPUAD_DEVICE uint64_t gpuad_nvvm_match_all_sync_i32p(Site site, uint32_t mask, uint32_t value) {
  return pair(gpuad_warp(site, gpuadMatchAll, mask, value, 0, 0));
}
GPUAD_DEVICE uint64_t gpuad_nvvm_match_all_sync_i64p(Site site, uint32_t mask, uint64_t value) {
  return pair(gpuad_warp(site, gpuadMatchAll, mask, value, 0, 0));
}

GPUAD_DEVICE void gpuad_nvvm_nanosleep(Site site, uint32_t) { gpuad_give_way(site); }
GPUAD_DEVICE void gpuad_nvvm_exit() { gpuad_exit_thread(); }
