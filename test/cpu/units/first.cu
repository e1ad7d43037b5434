// Device code in two units: a function, a variable and a constant of the other one, a template in both, a static in each.
#include "../check.h"
#include "shared.h"

static __device__ int mine = 1;

__global__ void use(float *out) {
  out[threadIdx.x] = half_of(float(threadIdx.x)) * factor + mine;
  atomicAdd(&calls, 1);
}

int main() {
  device_array<float> out(32), other(32);
  use<<<1, 32>>>(out);
  CHECK_NEAR(out.get()[10], 5 * 3 + 1, 0);
  int count = 0;
  OK(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  CHECK(count == 32);
  launch_other(other, 32);
  CHECK_NEAR(other.get()[4], 2, 0);
  in_both<<<1, 32>>>(out.data);
  CHECK_NEAR(out.get()[0], 31, 0);
  return verdict();
}
