// What orders accesses: one kernel a run, named by the argument. Those before "faults" are legal and must stay silent
// in every thread order; the others are races and must be reported in every order.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int lock = 0, ready = 0;
__device__ unsigned arrived = 0;

__device__ bool take(int *l) {
  return atomicCAS(l, 0, 1) == 0;
}
__device__ void leave(int *l) {
  atomicExch(l, 0);
}

// ---- legal

__global__ void cas_loop(float *p) { // the read that it begins with may be stale
  int *place = reinterpret_cast<int *>(p), old = *place, assumed = 0;
  do {
    assumed = old;
    old = atomicCAS(place, assumed, __float_as_int(__int_as_float(assumed) + 1));
  } while (old != assumed);
}
__global__ void lock_across_blocks(float *p) {
  for (bool done = false; !done;)
    if (take(&lock)) {
      __threadfence();
      p[0] += 1;
      __threadfence();
      leave(&lock);
      done = true;
    }
}
__global__ void lock_in_block(float *out) {
  __shared__ int own;
  __shared__ float sum;
  if (threadIdx.x == 0)
    own = 0, sum = 0;
  __syncthreads();
  for (bool done = false; !done;)
    if (take(&own)) {
      __threadfence_block();
      sum += 1;
      __threadfence_block();
      leave(&own);
      done = true;
    }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
__global__ void last_block(const float *x, float *partial,
                           float *out) { // all threads write, all of the last block read
  __shared__ bool isLast;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    isLast = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!isLast)
    return;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
    sum += partial[i];
  partial[threadIdx.x] = out[threadIdx.x] = sum;
}
__global__ void flag(float *p) {
  if (threadIdx.x > 0)
    return;
  volatile int *raised = &ready;
  if (blockIdx.x == 0) {
    p[0] = 3;
    __threadfence();
    *raised = 1;
  } else {
    while (*raised == 0) {
    }
    __threadfence();
    p[1] = p[0];
  }
}
__global__ void grid_barrier(float *p, unsigned *count) {
  float v = p[0] + p[1];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0)
    p[blockIdx.x] = v;
}
__global__ void some_lanes(float *out, int flip) {
  __shared__ float s[32];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 16) {
    __syncwarp(0xffff);
    out[threadIdx.x] = s[threadIdx.x ^ flip];
  }
}
__global__ void half_of_the_threads(float *out, int flip) {
  __shared__ float s[128];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  out[threadIdx.x] = s[threadIdx.x ^ flip];
}
__global__ void bytes(char *p, bool overlap) {
  if (threadIdx.x < 4)
    p[threadIdx.x] = 1;
  else if (overlap && threadIdx.x == 4)
    p[1] = 2;
}

__global__ void who_is_first(unsigned *place) {
  unsigned turn = atomicAdd(&arrived, 1u);
  if (turn == 0)
    *place = threadIdx.x;
}

// ---- races

__global__ void lock_without_fence(float *p) {
  for (bool done = false; !done;)
    if (take(&lock)) {
      p[0] += 1;
      leave(&lock);
      done = true;
    }
}
__global__ void fence_for_barrier(float *out, const float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __threadfence_block();
  if (threadIdx.x == 40)
    out[0] = s[10];
  if (threadIdx.x == 10)
    out[1] = s[40];
}
__global__ void add_then_read(float *p, float *out) {
  atomicAdd(p, 1.0f);
  out[threadIdx.x] = *p;
}
__global__ void clear_then_add(float *p) { // the barrier is of one block
  if (blockIdx.x == 0 && threadIdx.x == 0)
    p[0] = 0;
  __syncthreads();
  atomicAdd(p, 1.0f);
}

__global__ void same_value(double *p, const double *x, bool differs) { // all lanes know the sum, and write it
  __shared__ double sum;
  double mine = x[0] + (differs && threadIdx.x == 5 ? 1e-300 : 0.0); // the lower half of the bits alone
  sum = mine;
  __syncthreads();
  if (threadIdx.x < 2)
    p[threadIdx.x] = sum;
}
__global__ void far_blocks(float *p) { // their numbers differ only above 16 bits
  if (blockIdx.x % 65536 == 3)
    p[0] += 1;
}

static float *a, *b, *c;

static bool launch(const char *name) {
  auto is = [&](const char *n) { return !std::strcmp(name, n); };
  if (is("cas-loop"))
    cas_loop<<<4, 64>>>(a);
  else if (is("lock-across-blocks"))
    lock_across_blocks<<<4, 64>>>(a);
  else if (is("lock-in-block"))
    lock_in_block<<<2, 64>>>(a);
  else if (is("last-block"))
    last_block<<<8, 64>>>(a, b, c);
  else if (is("flag"))
    flag<<<2, 32>>>(a);
  else if (is("grid-barrier"))
    grid_barrier<<<2, 64>>>(a, reinterpret_cast<unsigned *>(b));
  else if (is("some-lanes"))
    some_lanes<<<1, 32>>>(a, 15);
  else if (is("half-of-the-threads"))
    half_of_the_threads<<<1, 128>>>(a, 63);
  else if (is("bytes"))
    bytes<<<1, 8>>>(reinterpret_cast<char *>(a), false);
  else if (is("order-from-main")) { // main may choose the order, though the checks were set up before it
    setenv("GPUAD_CPU_ORDER", "descending", 1);
    unsigned first = 0, *place = reinterpret_cast<unsigned *>(a);
    who_is_first<<<1, 8>>>(place);
    cudaMemcpy(&first, place, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("first is %u\n", first);
  } else if (is("lock-without-fence"))
    lock_without_fence<<<2, 4>>>(a);
  else if (is("fence-for-barrier"))
    fence_for_barrier<<<1, 64>>>(a, b);
  else if (is("add-then-read"))
    add_then_read<<<1, 2>>>(a, b);
  else if (is("clear-then-add"))
    clear_then_add<<<2, 2>>>(a);
  else if (is("far-blocks"))
    far_blocks<<<65540, 1>>>(a);
  else if (is("other-lanes"))
    some_lanes<<<1, 32>>>(a, 31);
  else if (is("other-half"))
    half_of_the_threads<<<1, 128>>>(a, 127);
  else if (is("same-value"))
    same_value<<<1, 8>>>(reinterpret_cast<double *>(a), reinterpret_cast<double *>(b), false);
  else if (is("other-value"))
    same_value<<<1, 8>>>(reinterpret_cast<double *>(a), reinterpret_cast<double *>(b), true);
  else if (is("same-byte"))
    bytes<<<1, 8>>>(reinterpret_cast<char *>(a), true);
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  for (float **p : {&a, &b, &c}) {
    cudaMalloc(p, 4096);
    cudaMemset(*p, 0, 4096);
  }
  bool known = launch(argc > 1 ? argv[1] : "");
  std::printf("%s: %s\n", known ? argv[1] : "no kernel of this name", cudaGetErrorName(cudaDeviceSynchronize()));
  for (float *p : {a, b, c})
    cudaFree(p);
  return !known;
}
