// Memory and locals that are read before anything was written to them, one a run; and their legal neighbours.
#include <gpuad/runtime.cuh>

#include <cstdio>
#include <cstring>

struct triple {
  float x, y, z;
};

__device__ __noinline__ void fill(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = i;
}
__device__ __noinline__ float sum(const float *p) {
  return p[0] + p[1] + p[2] + p[3];
}

__global__ void variable(float *out, int n) {
  float v;
  if (n > 3)
    v = 1;
  out[0] = v + 1;
}
__global__ void whole_number(float *out, int n) {
  int v;
  if (n > 3)
    v = 1;
  out[0] = float(v + n);
}
__global__ void array(float *out, int n) {
  float a[4];
  for (int i = 0; i < n; ++i)
    a[i] = i;
  out[0] = a[3];
}
__global__ void by_pointer(float *out, int n) {
  float a[4];
  fill(a, n);
  out[0] = sum(a);
}
__global__ void member(float *out, int n) {
  triple v;
  v.x = n;
  if (n > 3)
    v.y = 2;
  triple copy = v;
  out[0] = copy.y;
}
__global__ void kept(float *out, float *fresh, int n) { // to save and to put back is no use
  float one = gpuad::save(fresh);
  fresh[0] = 5;
  out[0] = fresh[0];
  gpuad::restore(fresh, one);
  auto *place = reinterpret_cast<triple *>(fresh + 4);
  triple three = gpuad::save(place);
  *place = {1, 2, 3};
  out[1] = place->y;
  gpuad::restore(place, three);
  if (n == 3)
    out[2] = fresh[0];
  if (n == 2)
    out[2] = place->y;
}
__global__ void unused(float *out, int n) { // carried about, never used
  float v, w;
  triple t;
  t.x = 1;
  if (n > 3)
    v = 1, w = 2;
  triple copy = t;
  float either = n > 3 ? v : 0;
  if (n > 3)
    either += w;
  out[0] = either + copy.x;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "legal";
  auto is = [&](const char *n) { return !std::strcmp(name, n); };
  float *out = nullptr, *fresh = nullptr;
  cudaMalloc(&out, 64);
  cudaMalloc(&fresh, 64);
  int n = is("legal") ? 4 : 3;
  if (n == 4 || is("variable"))
    variable<<<1, 1>>>(out, n);
  if (n == 4 || is("whole-number"))
    whole_number<<<1, 1>>>(out, n);
  if (n == 4 || is("array"))
    array<<<1, 1>>>(out, n);
  if (n == 4 || is("by-pointer"))
    by_pointer<<<1, 1>>>(out, n);
  if (n == 4 || is("member"))
    member<<<1, 1>>>(out, n);
  if (n == 4 || is("put-back"))
    kept<<<1, 1>>>(out, fresh, n);
  if (is("put-back-struct"))
    kept<<<1, 1>>>(out, fresh, n - 1);
  if (n == 4)
    unused<<<1, 1>>>(out, 3);
  std::printf("%s: %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(out);
  cudaFree(fresh);
  return 0;
}
