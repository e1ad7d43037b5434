#include "beside.cuh"
#include "scale.cuh"

static_assert(sizeof(NAME) == 4, "the definition NAME holds a blank");

__global__ void scaled(int n, const float *x, float *y) {
  int i = beside();
  if (i < n)
    y[i] = scale(x[i]);
}
