// Refused: managed memory.
#include <cuda_runtime.h>
int main() {
  int *p = nullptr;
  return cudaMallocManaged(&p, 4) != cudaSuccess;
}
