// Indices that are moved round in their range: as many threads come to an element as without, which is one. And close ones, which
// leave some elements to several threads.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Four directions, a plane for each, pulled over periodic borders that are written in three ways.
BOTH("(out)/(in)")
__global__ void remainders(int w, int h, const double *__restrict__ in, double *__restrict__ out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int size = w * h, e = (x + 1) % w, west = (x + w - 1) % w, n = (y + 1) % h, s = (y - 1 + h) % h;
  const double a = in[y * w + west], b = in[size + y * w + e], c = in[2 * size + s * w + x], d = in[3 * size + n * w + west];
  out[y * w + x] = a * b + sin(c) * d;
  out[size + y * w + x] = a * c * d;
}

BOTH("(sum)/(in)")
__global__ void choices(int w, int h, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int size = w * h, e = x == w - 1 ? 0 : x + 1, west = x > 0 ? x - 1 : w - 1, n = y + 1 >= h ? 0 : y + 1;
  const double a = in[y * w + west], b = in[size + y * w + e], c = in[2 * size + n * w + x];
  atomicAdd(sum, a * b * c);
}

BOTH("(sum)/(in)")
__global__ void corrections(int w, int h, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int right = x + 1, left = x - 1;
  if (right < 0)
    right += w;
  if (right >= w)
    right -= w;
  if (left < 0)
    left += w;
  const double a = in[y * w + right], b = in[w * h + y * w + left];
  atomicAdd(sum, a * a * b);
}

// One number for each cell of three dimensions, which is taken apart.
BOTH("(sum)/(in)")
__global__ void numbered(int w, int h, int d, const double *in, double *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h * d)
    return;
  const int x = i % w, y = i / w % h, z = i / (w * h), e = (x + 1) % w, n = (y + h - 1) % h;
  const double a = in[(z * h + y) * w + e], b = in[w * h * d + (z * h + n) * w + x];
  atomicAdd(sum, a * a * b);
}

// Planes in a loop, and an index behind its condition.
BOTH("(sum)/(in)")
__global__ void layers(int w, int h, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int to = x - 2;
  for (int k = 0; k < 3; ++k) {
    const double a = in[(k * h + y) * w + (x + 1) % w];
    atomicAdd(sum, a * a);
  }
  if (to >= 0 && to < w)
    atomicAdd(sum, in[(3 * h + y) * w + to] * x);
}

// Clamped: the first and the last thread of a row read one element.
BOTH("(sum)/(in)")
__global__ void clamped(int w, int h, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int e = x + 1 < w ? x + 1 : w - 1, west = x > 1 ? x - 1 : w - 1;
  atomicAdd(sum, in[y * w + e] * in[w * h + y * w + west]);
}

// The range is not what it is taken modulo, and planes that are too small.
BOTH("(sum)/(in)")
__global__ void too_wide(int w, int h, int ring, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  atomicAdd(sum, in[y * ring + (x + 1) % ring] * x);
}

BOTH("(sum)/(in)")
__global__ void too_thin(int w, int h, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int size = w * (h - 1);
  atomicAdd(sum, in[y * w + (x + 1) % w] * in[size + y * w + x]);
}

// The remainder of a number that may be negative; a step that is not one in either direction.
BOTH("(sum)/(in)")
__global__ void other_remainders(int w, int step, const double *in, double *sum) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w)
    return;
  const int back = x >= step ? x - step : x - step + w;
  atomicAdd(sum, in[w + (x - step) % w] * in[3 * w + back]);
}
