// Refused: clusters of blocks.
#include <cuda_runtime.h>
__global__ void k(unsigned *out) {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  out[0] = r;
}
int main() {
  k<<<1, 1>>>(nullptr);
  return 0;
}
