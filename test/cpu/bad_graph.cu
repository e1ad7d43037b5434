// Refused: graphs.
#include <cuda_runtime.h>
int main() {
  cudaGraph_t graph;
  return cudaGraphCreate(&graph, 0) != cudaSuccess;
}
