// Refused: instructions that have no meaning on the CPU, named with their line.
#include <cuda_runtime.h>
__global__ void k(unsigned *out) {
  unsigned r;
  asm volatile("elect.sync _|p, %0;" : "=r"(r));
  out[0] = r;
}
int main() {
  k<<<1, 1>>>(nullptr);
  return 0;
}
