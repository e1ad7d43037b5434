// Results of atomics on integers: slots that threads claim. Which thread gets which is another matter in every run, so each
// kernel says in `from` for whom it filled a slot.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// One slot for each thread.
BOTH("(out)/(x)")
__global__ void claim(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int slot = atomicAdd(count, 1);
  out[slot] = sin(x[i]) * x[i];
  from[slot] = i;
}

// Only for some, by a comparison of what is loaded.
BOTH("(out)/(x)")
__global__ void compact(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 1.0) {
    unsigned slot = atomicAdd((unsigned *)count, 1u);
    out[slot] = sin(x[i]) * x[i];
    from[slot] = i;
  }
}

// By a comparison that rounding may turn.
BOTH("(out)/(x)")
__global__ void compact_by_sum(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i] * x[i] + 0.25;
  if (v <= 1.25)
    return;
  int slot = atomicAdd(count, 1);
  out[slot] = sin(x[i]) * x[i];
  from[slot] = i;
}

__device__ int next_slot(int *count) {
  return atomicAdd(count, 1);
}

__device__ void append(double value, int i, double *out, int *count, int *from) {
  int slot = next_slot(count);
  out[slot] = value;
  from[slot] = i;
}

// In a loop with the stride of the grid, by way of functions.
BOTH("(out)/(x)")
__global__ void strided(int n, const double *x, double *out, int *count, int *from) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] > 0.75)
      append(sin(x[i]) * x[i], i, out, count, from);
}

// A number of rounds that an argument gives, all of which claim.
BOTH("(out)/(x)")
__global__ void rounds(int n, int per, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < per; ++k) {
    int e = i * per + k;
    int slot = atomicAdd(count, 1);
    if (e < n) {
      out[slot] = sin(x[e]) * x[e];
      from[slot] = e;
    }
  }
}

// Work that threads fetch as they come to an end with what they had.
BOTH("(out)/(x)")
__global__ void queue(int n, const double *x, double *out, int *count, int *from) {
  int i;
  while ((i = atomicAdd(count, 1)) < n) {
    out[n - 1 - i] = sin(x[i]) * x[i];
    from[n - 1 - i] = i;
  }
}

// First in the block, then a place for the whole block.
BOTH("(out)/(x)")
__global__ void by_block(int n, const double *x, double *out, int *count, int *from) {
  __shared__ int inside, base;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    inside = 0;
  __syncthreads();
  bool takes = i < n && x[i] > 1.0;
  int mine = 0;
  if (takes)
    mine = atomicAdd(&inside, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    base = atomicAdd(count, inside);
  __syncthreads();
  if (takes) {
    out[base + mine] = sin(x[i]) * x[i];
    from[base + mine] = i;
  }
}

// One lane claims for its warp.
BOTH("(out)/(x)")
__global__ void by_warp(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool takes = i < n && x[i] > 1.0;
  unsigned who = __ballot_sync(0xffffffffu, takes);
  int first = 0;
  if (lane == 0)
    first = atomicAdd(count, __popc(who));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (takes) {
    int slot = first + __popc(who & ((1u << lane) - 1u));
    out[slot] = sin(x[i]) * x[i];
    from[slot] = i;
  }
}

// The same, with a choice that rounding may turn: which lanes take part is kept with the slot.
BOTH("(out)/(x)")
__global__ void by_warp_and_sum(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, half = 0;
  double v = i < n ? x[i] * x[i] + 0.125 : 0.0;
  bool takes = v > 1.25;
  if (v > 1.5)
    half = 1;
  unsigned who = __ballot_sync(0xffffffffu, takes);
  int first = 0;
  if (lane == 0)
    first = atomicAdd(count, 2 * __popc(who));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (takes) {
    int slot = first + 2 * __popc(who & ((1u << lane) - 1u)) + half;
    out[slot] = sin(x[i]) * x[i];
    from[slot] = i;
  }
}

// A loop that rounding may end, and a list for each of two kinds.
BOTH("(out)/(x)")
__global__ void until_small(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  int last = -1;
  while (v * v > 0.5) {
    last = atomicAdd(count, 1);
    v = 0.5 * v;
  }
  if (last >= 0) {
    out[last] = sin(x[i]) * x[i];
    from[last] = i;
  }
}

// A result that nobody looks at is not kept.
BOTH("(out)/(x)")
__global__ void unread(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int before = atomicAdd(count, 1);
  out[i] = sin(x[i]) * x[i];
  from[i] = i;
}

// A list of the block, in shared memory: of indices, or of the values themselves. Other threads take them from there.
BOTH("(out)/(x)")
__global__ void by_list_of_indices(int n, const double *x, double *out, int *count, int *from) {
  __shared__ int inside, list[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0)
    inside = 0;
  __syncthreads();
  if (i < n && x[i] > 0.9)
    list[atomicAdd(&inside, 1)] = i;
  __syncthreads();
  if (t < inside) {
    int j = list[t];
    out[i] = sin(x[j]) * x[j];
    from[i] = j;
  }
}

BOTH("(out)/(x)")
__global__ void by_list_of_values(int n, const double *x, double *out, int *count, int *from) {
  __shared__ int inside, whose[64];
  __shared__ double list[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0)
    inside = 0;
  __syncthreads();
  if (i < n && x[i] > 0.9) {
    int slot = atomicAdd(&inside, 1);
    list[slot] = sin(x[i]);
    whose[slot] = i;
  }
  __syncthreads();
  if (t < inside) {
    int j = whose[t];
    out[i] = list[t] * x[j];
    from[i] = j;
  }
}

// The same list in each round.
BOTH("(out)/(x)")
__global__ void by_lists_of_rounds(int n, const double *x, double *out, int *count, int *from) {
  __shared__ int inside, whose[64];
  __shared__ double list[64];
  int t = threadIdx.x;
  for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    if (t == 0)
      inside = 0;
    __syncthreads();
    int i = first + t;
    if (i < n && x[i] > 0.9) {
      int slot = atomicAdd(&inside, 1);
      list[slot] = sin(x[i]);
      whose[slot] = i;
    }
    __syncthreads();
    if (t < inside) {
      int j = whose[t];
      out[i] = list[t] * x[j];
      from[i] = j;
    }
    __syncthreads();
  }
}

// Lanes with equal keys: the first of them adds for all, and claims a slot for each.
BOTH("(out)/(x)")
__global__ void by_equal_lanes(int n, const double *x, double *out, int *count, int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int key = i < n ? int(x[i] * 4) : -1;
  unsigned equal = __match_any_sync(0xffffffffu, key);
  int leader = __ffs(equal) - 1, first = 0;
  if (lane == leader && key >= 0)
    first = atomicAdd(count, __popc(equal));
  first = __shfl_sync(0xffffffffu, first, leader);
  if (key >= 0) {
    int slot = first + __popc(equal & ((1u << lane) - 1u));
    out[slot] = sin(x[i]) * x[i];
    from[slot] = i;
  }
}
