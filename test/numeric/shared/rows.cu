// Programs with a row for each block or warp, whose last ones leave early.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}

// LayerNorm, a warp for each row.
BOTH("(out)/(in,weight,bias)")
__global__ void layer_norm(float *out, const float *in, const float *weight, const float *bias, int rows, int width) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows)
    return;
  const float *x = in + row * width;
  float sum = 0.0f;
  for (int i = lane; i < width; i += 32)
    sum += x[i];
  float mean = warp_sum(sum) / width;
  float square = 0.0f;
  for (int i = lane; i < width; i += 32) {
    float difference = x[i] - mean;
    square += difference * difference;
  }
  float scale = rsqrtf(warp_sum(square) / width + 1e-2f);
  for (int i = lane; i < width; i += 32)
    out[row * width + i] = scale * (x[i] - mean) * weight[i] + bias[i];
}

// Softmax, a block for each row, with the maximum found by halves.
BOTH("(out)/(in)")
__global__ void softmax(float *out, const float *in, int rows, int width) {
  __shared__ float part[64];
  int t = threadIdx.x, row = blockIdx.x;
  if (row >= rows)
    return;
  float most = -1e30f;
  for (int i = t; i < width; i += blockDim.x)
    most = fmaxf(most, in[row * width + i]);
  part[t] = most;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] = fmaxf(part[t], part[t + half]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = t; i < width; i += blockDim.x)
    sum += expf(in[row * width + i] - most);
  part[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  float total = part[0];
  for (int i = t; i < width; i += blockDim.x)
    out[row * width + i] = expf(in[row * width + i] - most) / total;
}

// A sparse matrix times a vector, a warp for each row.
BOTH("(y)/(value,x)")
__global__ void sparse_product(int rows, const int *begin, const int *column, const float *value, const float *x, float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    y[row] = sum;
}

// Attention of one head, tile by tile, with a running maximum.
BOTH("(out)/(query,key,value)")
__global__ void attention(int n, const float *query, const float *key, const float *value, float *out) {
  __shared__ float tile_key[16][4];
  __shared__ float tile_value[16][4];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  bool inside = i < n;
  float q[4], sum[4];
  for (int d = 0; d < 4; ++d) {
    q[d] = inside ? query[i * 4 + d] : 0.0f;
    sum[d] = 0.0f;
  }
  float most = -1e30f, total = 0.0f;
  for (int first = 0; first < n; first += 16) {
    for (int d = 0; d < 4; ++d) {
      tile_key[t][d] = first + t < n ? key[(first + t) * 4 + d] : 0.0f;
      tile_value[t][d] = first + t < n ? value[(first + t) * 4 + d] : 0.0f;
    }
    __syncthreads();
    for (int j = 0; j < 16 && first + j < n; ++j) {
      float score = 0.0f;
      for (int d = 0; d < 4; ++d)
        score += q[d] * tile_key[j][d];
      float higher = fmaxf(most, score), old = expf(most - higher), fresh = expf(score - higher);
      total = total * old + fresh;
      for (int d = 0; d < 4; ++d)
        sum[d] = sum[d] * old + fresh * tile_value[j][d];
      most = higher;
    }
    __syncthreads();
  }
  if (inside)
    for (int d = 0; d < 4; ++d)
      out[i * 4 + d] = sum[d] / total;
}

// A scan that starts again at every flag.
BOTH("(y)/(x)")
__global__ void segmented_scan(int n, const int *flag, const double *x, double *y) {
  __shared__ double sums[64];
  __shared__ int heads[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n)
    return;
  sums[t] = x[i] * x[i];
  heads[t] = flag[i];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    double sum = sums[t];
    int head = heads[t];
    if (t >= step && !head) {
      sum += sums[t - step];
      head |= heads[t - step];
    }
    __syncthreads();
    sums[t] = sum;
    heads[t] = head;
    __syncthreads();
  }
  y[i] = sums[t];
}
