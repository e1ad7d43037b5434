// One seeded fault a run, named by the argument, and their legal neighbours, which must stay silent.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include <cuda_fp16.h>

__constant__ float constant_value = 1;
__device__ float *published;
__device__ unsigned arrived = 0;

__global__ void private_atomic(float *out) {
  float local[2] = {0, 0};
  float *p = out[0] > 100 ? out : local;
  atomicAdd(p, 1.0f);
  out[1] = local[0];
}
__global__ void store_at(float *p, int i) {
  p[i] = 1;
}
__global__ void load_at(const float *p, int i, float *out) {
  out[0] = p[i];
}
__global__ void static_shared(float *out, int i) {
  __shared__ float s[8];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[i];
}
__device__ __noinline__ float element(const float *p, int i) {
  return p[i];
}
__global__ void neighbour(float *out, int i) { // behind one array lies another
  __shared__ float first[8], second[64];
  first[threadIdx.x] = second[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = element(first, i) + element(second, 3);
}
__global__ void dynamic_shared(float *out, int i) {
  extern __shared__ float d[];
  d[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = d[i];
}
__global__ void local_array(float *out, int i) {
  float a[4] = {1, 2, 3, 4};
  for (int k = 0; k < 4; ++k)
    a[k] += out[k];
  out[0] = a[i];
}
struct two_arrays {
  float first[4], second[4];
};
__global__ void member_array(two_arrays *p, int i) {
  p->first[i] = 1;
} // inside the allocation all the same
__global__ void overflow(int *out, int n) {
  out[0] = n + 1;
}
__global__ void foreign_stack(float *out) {
  float own[2] = {1, 2};
  if (threadIdx.x == 0)
    published = own;
  __syncthreads();
  if (threadIdx.x == 1)
    out[0] = published[1];
  __syncthreads();
  out[1] = own[out[0] > 0];
}
__global__ void misaligned(char *p, float *out) {
  out[0] = *reinterpret_cast<float *>(p + 2);
}
// The class promises more than the widest access needs, and lies where that does not hold.
struct alignas(32) wide_class {
  float first, second;
};
__global__ void wide_class_in_words(char *p) {
  reinterpret_cast<wide_class *>(p + 16)->first = 1;
}
__global__ void unwritten_shared(float *out) {
  __shared__ float s[8];
  if (threadIdx.x > 0)
    s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void constant_write() {
  float *p = &constant_value;
  *const_cast<float *>(p) = 2;
}
__global__ void same_place(float *p) {
  p[0] += 1;
}
__global__ void across_blocks(float *p) {
  p[threadIdx.x] += 1;
}
__global__ void missing_barrier(float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void within_warp(float *out, bool sync) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  if (sync)
    __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void many_readers(float *p, float *out) { // A reads, B reads, C writes
  if (threadIdx.x == 33)
    p[0] = 5;
  else
    out[threadIdx.x] = p[0];
}
__global__ void two_barriers(float *out) {
  if (threadIdx.x % 2)
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void not_in_mask(int *out) {
  out[threadIdx.x] = __shfl_sync(threadIdx.x == 5 ? 1u << 6 : ~(1u << 5), 1, 0);
}

__global__ void half_at_barrier(float *out) { // the others wait for them in a shuffle
  if (threadIdx.x < 16)
    __syncthreads();
  else
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1.0f, 0);
}
__global__ void lane_elsewhere(int *out) { // lane 0 meets nobody
  out[threadIdx.x] = threadIdx.x == 0 ? int(__ballot_sync(0xffffffffu, 1)) : __any_sync(0xffffffffu, 1);
}

__global__ void disjoint(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void halves(__half *p) {
  p[threadIdx.x] = __float2half(1.0f);
}
__global__ void early_exit(float *out, int n) {
  __shared__ float s[64];
  if (int(threadIdx.x) >= n)
    return;
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}
__global__ void last_block(const float *x, float *partial, float *total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    isLast = atomicAdd(&arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    float sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += partial[i];
    total[0] = sum;
    arrived = 0;
  }
}
__global__ void atomics(float *p) {
  atomicAdd(&p[threadIdx.x % 2], 1.0f);
}

struct memory {
  float *a = nullptr, *b = nullptr;
  memory() {
    cudaMalloc(&a, 64 * sizeof(float));
    cudaMalloc(&b, 64 * sizeof(float));
    cudaMemset(a, 0, 64 * sizeof(float));
    cudaMemset(b, 0, 64 * sizeof(float));
  }
  ~memory() {
    cudaDeviceReset(); // after a fault nothing can be freed
  }
};

static void legal(memory &m) {
  for (int i = 0; i < 3; ++i)
    disjoint<<<2, 32>>>(m.a);
  halves<<<1, 64>>>(reinterpret_cast<__half *>(m.b));
  early_exit<<<1, 64>>>(m.a, 40);
  last_block<<<8, 32>>>(m.a, m.b, m.a + 32);
  last_block<<<8, 32>>>(m.a, m.b, m.a + 32);
  within_warp<<<1, 32>>>(m.a, true);
  atomics<<<4, 64>>>(m.a);
  wide_class_in_words<<<1, 1>>>(reinterpret_cast<char *>(m.a));
  across_blocks<<<1, 32>>>(m.a);
  static_shared<<<1, 8>>>(m.a, 3);
  neighbour<<<1, 8>>>(m.a, 7);
  dynamic_shared<<<1, 8, 32>>>(m.a, 3);
  local_array<<<1, 1>>>(m.a, 3);
  member_array<<<1, 1>>>(reinterpret_cast<two_arrays *>(m.a), 3);
  overflow<<<1, 1>>>(reinterpret_cast<int *>(m.a), 0x7ffffffe);
}

static void fault(const char *name, memory &m) {
  float host[4] = {0, 1, 2, 3}, *fresh = nullptr;
  auto is = [&](const char *n) { return !std::strcmp(name, n); };
  if (is("private-atomic"))
    private_atomic<<<1, 1>>>(m.a);
  else if (is("above"))
    store_at<<<1, 1>>>(m.a, 64);
  else if (is("below"))
    load_at<<<1, 1>>>(m.a, -1, m.b);
  else if (is("freed")) {
    cudaMalloc(&fresh, 16);
    cudaFree(fresh);
    store_at<<<1, 1>>>(fresh, 0);
  } else if (is("static-shared"))
    static_shared<<<1, 8>>>(m.a, 8);
  else if (is("neighbour"))
    neighbour<<<1, 8>>>(m.a, 8);
  else if (is("half-at-barrier"))
    half_at_barrier<<<1, 32>>>(m.a);
  else if (is("lane-elsewhere"))
    lane_elsewhere<<<1, 32>>>(reinterpret_cast<int *>(m.a));
  else if (is("dynamic-shared"))
    dynamic_shared<<<1, 8, 32>>>(m.a, 8);
  else if (is("local"))
    local_array<<<1, 1>>>(m.a, 4);
  else if (is("member-array"))
    member_array<<<1, 1>>>(reinterpret_cast<two_arrays *>(m.a), 5);
  else if (is("overflow"))
    overflow<<<1, 1>>>(reinterpret_cast<int *>(m.a), 0x7fffffff);
  else if (is("foreign-stack"))
    foreign_stack<<<1, 2>>>(m.a);
  else if (is("misaligned"))
    misaligned<<<1, 1>>>(reinterpret_cast<char *>(m.a), m.b);
  else if (is("unwritten-global")) {
    cudaMalloc(&fresh, 16);
    load_at<<<1, 1>>>(fresh, 1, m.b);
    cudaDeviceSynchronize();
    cudaFree(fresh);
  } else if (is("unwritten-shared"))
    unwritten_shared<<<1, 8>>>(m.a);
  else if (is("constant-write"))
    constant_write<<<1, 1>>>();
  else if (is("host-pointer"))
    store_at<<<1, 1>>>(host, 1);
  else if (is("device-pointer"))
    std::printf("%g\n", m.a[1]);
  else if (is("same-place"))
    same_place<<<1, 2>>>(m.a);
  else if (is("across-blocks"))
    across_blocks<<<2, 8>>>(m.a);
  else if (is("missing-barrier"))
    missing_barrier<<<1, 64>>>(m.a);
  else if (is("within-warp"))
    within_warp<<<1, 32>>>(m.a, false);
  else if (is("many-readers"))
    many_readers<<<1, 34>>>(m.a, m.b);
  else if (is("two-barriers"))
    two_barriers<<<1, 8>>>(m.a);
  else if (is("not-in-mask"))
    not_in_mask<<<1, 32>>>(reinterpret_cast<int *>(m.a));
  else if (is("copy-kind"))
    std::printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(host, m.a, 16, cudaMemcpyHostToDevice)));
  else if (is("copy-range"))
    std::printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(m.a + 62, m.b, 12, cudaMemcpyDeviceToDevice)));
  else
    std::printf("no fault of this name\n");
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "legal";
  if (!std::strcmp(name, "leak")) {
    float *never = nullptr;
    cudaMalloc(&never, 48);
    return 0;
  }
  memory m;
  if (!std::strcmp(name, "legal"))
    legal(m);
  else
    fault(name, m);
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %s, then %s\n", name, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
  return 0;
}
