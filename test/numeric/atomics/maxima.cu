// Largest and smallest numbers of a block, by atomics on shared memory that all threads read behind a barrier.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

__device__ float max_by_loop(float *address, float val) {
  int *address_as_i = (int *)address;
  int old = *address_as_i, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_i, assumed, __float_as_int(fmaxf(val, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__device__ float max_by_sign(float *addr, float value) {
  float old;
  old = (value >= 0) ? __int_as_float(atomicMax((int *)addr, __float_as_int(value)))
                     : __uint_as_float(atomicMin((unsigned int *)addr, __float_as_uint(value)));
  return old;
}

__device__ void min_by_signbit(float *addr, float value) {
  if (!signbit(value))
    atomicMin((int *)addr, __float_as_int(value));
  else
    atomicMax((unsigned int *)addr, __float_as_uint(value));
}

__device__ double max_while(double *address, double val) {
  unsigned long long ret = __double_as_longlong(*address);
  while (val > __longlong_as_double(ret)) {
    unsigned long long old = ret;
    if ((ret = atomicCAS((unsigned long long *)address, old, __double_as_longlong(val))) == old)
      break;
  }
  return __longlong_as_double(ret);
}

__device__ void max_unless(double *const address, const double value) {
  unsigned long long *const bits = (unsigned long long *)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    if (__longlong_as_double(assumed) >= value)
      break;
    old = atomicCAS(bits, assumed, __double_as_longlong(value));
  } while (assumed != old);
}

__device__ float min_chosen(float *address, float val) {
  int *ptr = (int *)address;
  int old = *ptr, expected;
  do {
    expected = old;
    float current = __int_as_float(expected);
    float next = current < val ? current : val;
    old = atomicCAS(ptr, expected, __float_as_int(next));
  } while (expected != old);
  return __int_as_float(old);
}

BOTH("(y)/(x)")
__global__ void softmax_of_block(int n, const float *x, float *y) {
  __shared__ float top, total;
  if (threadIdx.x == 0) {
    top = -1e30f;
    total = 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    max_by_loop(&top, x[blockIdx.x * n + i]);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&total, expf(x[blockIdx.x * n + i] - top));
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = expf(x[blockIdx.x * n + i] - top) / total;
}

// One variable, over and over: what it was in each row is needed in reverse.
BOTH("(y)/(x)")
__global__ void by_largest_of_row(int rows, int n, const double *x, double *y) {
  __shared__ double top;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    if (threadIdx.x == 0)
      top = 0.25;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      max_while(&top, x[row * n + i] * x[row * n + i]);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      y[row * n + i] = x[row * n + i] / (top * top);
    __syncthreads();
  }
}

// The next one is set while others may still look at what was picked.
BOTH("(y)/(x)")
__global__ void largest_then_smallest(int n, const float *x, float *y) {
  __shared__ float end;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] - 5.25f : 0.f;
  if (threadIdx.x == 0)
    end = -30.f;
  __syncthreads();
  max_by_sign(&end, v);
  __syncthreads();
  float top = 0.f;
  if (threadIdx.x == 0) {
    top = end;
    end = 30.f;
  }
  __syncthreads();
  min_by_signbit(&end, v);
  __syncthreads();
  float bottom = end;
  if (i < n)
    y[i] = top * x[i] + bottom * bottom;
}

BOTH("(y)/(x)")
__global__ void of_each_line(int width, const double *x, double *y) {
  __shared__ double top[4];
  int line = threadIdx.y, at = (blockIdx.x * blockDim.y + line) * width;
  if (threadIdx.x == 0)
    top[line] = x[at];
  __syncthreads();
  for (int k = threadIdx.x; k < width; k += blockDim.x)
    max_unless(&top[line], x[at + k]);
  __syncthreads();
  for (int k = threadIdx.x; k < width; k += blockDim.x)
    y[at + k] = x[at + k] * top[line];
}

// Each thread offers to the bin of its number.
BOTH("(y)/(x)")
__global__ void of_bins(int n, const int *bin, const float *x, float *y) {
  __shared__ float low[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8)
    low[threadIdx.x] = 90.f;
  __syncthreads();
  if (i < n) {
    int b = bin[i];
    if (b >= 0)
      min_chosen(&low[b], x[i]);
  }
  __syncthreads();
  if (i < n)
    y[i] = x[i] * low[(i + 3) % 8];
}

BOTH("(y)/(x)")
__global__ void of_bins_in_a_loop(int n, const int *bin, const float *x, float *y) {
  __shared__ float top[8];
  for (int k = threadIdx.x; k < 8; k += blockDim.x)
    top[k] = 0.f;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = x[i];
    atomicMax((int *)&top[bin[i] & 7], __float_as_int(v * v));
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 8; k += blockDim.x)
    y[blockIdx.x * 8 + k] = top[k] * top[k] * (1 + blockIdx.x);
}

// Never set back: what a round finds, it shares with those before.
BOTH("(y)/(x)")
__global__ void largest_so_far(int rounds, const double *x, double *y) {
  __shared__ double top;
  int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    top = 0.;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    double v = x[round * threads + i];
    max_while(&top, v * v);
    __syncthreads();
    y[round * threads + i] = v * top;
    __syncthreads();
  }
}

// Offers at the end of an iteration, which the next one sees.
BOTH("(y)/(x)")
__global__ void of_the_round_before(int rounds, const double *x, double *y) {
  __shared__ double top[2];
  int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 2)
    top[threadIdx.x] = 1.;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    double v = x[round * threads + i];
    y[round * threads + i] = v * top[round % 2];
    max_unless(&top[(round + 1) % 2], v * v);
  }
}

// A barrier that the block comes to only sometimes.
BOTH("(y)/(x)")
__global__ void barrier_in_an_arm(int n, bool normalise, const float *x, float *y) {
  __shared__ float top;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    top = 0.f;
  __syncthreads();
  float v = i < n ? x[i] : 0.f;
  atomicMax((int *)&top, __float_as_int(v * v + 1.f));
  float scale = 1.f;
  if (normalise) {
    __syncthreads();
    scale = 1.f / top;
  }
  if (i < n)
    y[i] = scale * v;
}

// Of each warp, one lane offers what the warp found.
BOTH("(y)/(x)")
__global__ void of_warps(int n, const float *x, float *y) {
  __shared__ float top;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    top = -1e30f;
  __syncthreads();
  float v = i < n ? x[i] : -1e30f;
  for (int offset = 16; offset > 0; offset /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
  if (threadIdx.x % 32 == 0)
    max_by_sign(&top, v);
  __syncthreads();
  if (i < n)
    y[i] = x[i] * x[i] / top;
}

BOTH("(y)/(x)")
__global__ void largest_of_block(int n, const float *x, float *y) {
  __shared__ float top;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    top = 0.f;
  __syncthreads();
  if (i < n)
    max_by_loop(&top, x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = top * top;
}

// Two maxima in dynamic shared memory, behind a tile.
BOTH("(y)/(x)")
__global__ void in_dynamic_memory(int n, const float *x, float *y) {
  extern __shared__ float buffer[];
  float *top = buffer + blockDim.x;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  buffer[t] = i < n ? x[i] : 0.f;
  if (t < 2)
    top[t] = 0.f;
  __syncthreads();
  if (i < n)
    max_by_sign(&top[t & 1], buffer[t] * buffer[t]);
  __syncthreads();
  if (i < n)
    y[i] = buffer[t] / (1.f + top[0] * top[1]);
}

struct moments {
  float top, sum;
};

BOTH("(y)/(x)")
__global__ void in_a_struct(int n, const float *x, float *y) {
  __shared__ moments s;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) {
    s.top = -1e30f;
    s.sum = 0.f;
  }
  __syncthreads();
  if (i < n)
    max_by_sign(&s.top, x[i]);
  __syncthreads();
  if (i < n)
    atomicAdd(&s.sum, expf(x[i] - s.top));
  __syncthreads();
  if (i < n)
    y[i] = expf(x[i] - s.top) / s.sum;
}

BOTH("(y)/(x)")
__global__ void behind_a_return(int n, const int *key, const float *x, float *y) {
  __shared__ float top;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    top = 0.f;
  __syncthreads();
  if (i >= n)
    return;
  max_by_sign(&top, x[i] * (key[i] + 3));
  __syncthreads();
  y[i] = x[i] * top;
}

// Worked out again, what is offered may be rounded in another way.
BOTH("(y)/(x)")
__global__ void of_rounded_numbers(int rows, int n, const float *x, float *y) {
  __shared__ float top[2];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    if (threadIdx.x < 2)
      top[threadIdx.x] = 0.f;
    __syncthreads();
    float mine = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      float v = x[row * n + i];
      mine = fmaxf(mine, v * v * 0.25f + v);
    }
    if (row % 5 != 2)
      max_by_loop(&top[threadIdx.x % 2], mine * mine + mine);
    __syncthreads();
    float first = top[0], second = top[1];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      y[row * n + i] = x[row * n + i] * second + first;
    __syncthreads();
  }
}

BOTH("(y)/(x)")
__global__ void of_one_rounded_number(int n, const float *x, float *y) {
  __shared__ float top;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    top = 0.f;
  __syncthreads();
  if (i < n)
    max_by_loop(&top, expf(x[i] * 0.25f) + x[i] * x[i]);
  __syncthreads();
  if (i < n)
    y[i] = x[i] * top;
}

BOTH("(y)/(x)")
__global__ void of_rounded_numbers_in_a_loop(int n, const float *x, float *y) {
  __shared__ float top;
  if (threadIdx.x == 0)
    top = 0.f;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (i % 5 != 2)
      max_by_loop(&top, expf(x[i] * 0.25f) + x[i] * x[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = x[i] * top;
}
