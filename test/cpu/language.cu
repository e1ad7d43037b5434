// What programs use without a header of their own, and parts of the language that need help from the runtime.
#include "check.h"

#include <algorithm>
#include <vector>

struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual float area() const = 0;
};
struct square : shape {
  float edge;
  __device__ explicit square(float edge) : edge(edge) {}
  __device__ float area() const override { return edge * edge; }
};

__global__ void virtual_call(float *out, float edge) {
  shape *s = new square(edge);
  out[0] = s->area();
  delete s;
}
__global__ void no_numbers(float *out, double *wide) {
  out[0] = nanf("1");
  wide[0] = nan("");
}
__global__ void hints(float *out, float4 *wide) {
  __stcs(out, 1.0f);
  __stwt(out + 1, 2);
  __stcg(wide, make_float4(1, 2, 3, 4));
}
__global__ void extrema(int *out, int n) {
  out[0] = max(n, 3);
  out[1] = min(n, 3);
}

template <class T> T larger(T a, T b) {
  using std::max;
  return max(a, b);
}

int main(int argc, char **) {
  // max and min of host code, as nvcc has them
  CHECK(max(argc, 2) == 2 && min(2.0, 1.0 * argc) == 1 && max(size_t(argc), size_t(7)) == 7);
  CHECK(max(1.5f, 2.5f) == 2.5f && larger(1, 2) == 2 && std::max(1, argc) == 1);

  float *out = nullptr, result = 0;
  double *wide = nullptr, wide_result = 0;
  int *numbers = nullptr, n[2] = {};
  cudaMalloc(&out, sizeof(float));
  cudaMalloc(&wide, sizeof(double));
  cudaMalloc(&numbers, sizeof n);
  virtual_call<<<1, 1>>>(out, 3);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  CHECK(result == 9);
  no_numbers<<<1, 1>>>(out, wide);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpy(&wide_result, wide, sizeof wide_result, cudaMemcpyDeviceToHost);
  CHECK(result != result && wide_result != wide_result);
  float *hinted = nullptr, four[8] = {};
  cudaMalloc(&hinted, sizeof four);
  hints<<<1, 1>>>(hinted, reinterpret_cast<float4 *>(hinted + 4));
  cudaMemcpy(four, hinted, sizeof four, cudaMemcpyDeviceToHost);
  CHECK(four[0] == 1 && four[1] == 2 && four[4] == 1 && four[7] == 4);
  cudaFree(hinted);
  extrema<<<1, 1>>>(numbers, 5);
  cudaMemcpy(n, numbers, sizeof n, cudaMemcpyDeviceToHost);
  CHECK(n[0] == 5 && n[1] == 3);
  cudaFree(out);
  cudaFree(wide);
  cudaFree(numbers);
  return verdict();
}
