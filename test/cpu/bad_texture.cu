// Refused: textures.
#include <cuda_runtime.h>
__global__ void k(cudaTextureObject_t t, float *out) { out[0] = tex1Dfetch<float>(t, 3); }
int main() {
  k<<<1, 1>>>(0, nullptr);
  return 0;
}
