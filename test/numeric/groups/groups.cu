// Objects of cooperative groups: blocks, tiles, their exchanges and reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <gpuad/gpuad.h>

#include <cfloat>

namespace cg = cooperative_groups;

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// A warp takes a row; its first thread has the sum.
BOTH("(y)/(x)") __global__ void row_norm(const double* x, double* y, int rows, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row < rows) {
    double sum = 0;
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      sum += x[row * columns + i] * x[row * columns + i];
    for (int step = warp.size() / 2; step > 0; step /= 2)
      sum += warp.shfl_down(sum, step);
    if (warp.thread_rank() == 0)
      y[row] = sqrt(sum);
  }
}

// Tiles of eight in tiles of sixteen; every thread needs the sum.
BOTH("(y)/(x)") __global__ void normalize_eights(const double* x, double* y, int n) {
  auto block = cg::this_thread_block();
  auto half = cg::tiled_partition<16>(block);
  auto tile = cg::tiled_partition<8>(half);
  int i = blockIdx.x * block.size() + block.thread_rank();
  double v = i < n ? x[i] : 1.0;
  double sum = v * v;
  for (int step = tile.size() / 2; step; step /= 2)
    sum += tile.shfl_xor(sum, step);
  double part = v / sqrt(sum) + half.shfl(v, (half.thread_rank() + 3) % 16) * tile.meta_group_rank();
  if (i < n)
    y[i] = part;
}

// Every way to exchange, with what lanes at the ends of a tile read.
BOTH("(y)/(x)") __global__ void all_exchanges(const double* x, double* y) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int i = blockIdx.x * block.num_threads() + block.thread_rank();
  double v = x[i];
  double up = tile.shfl_up(v * v, 3), down = tile.shfl_down(v, 5);
  double other = tile.shfl(v, (7 * tile.thread_rank()) & 15), first = tile.shfl(v, 2);
  y[i] = up * down + other * first + tile.shfl_xor(v, 6) * v;
}

// The sum of prefixes within a tile, by shifts.
BOTH("(y)/(x)") __global__ void prefix_sums(const double* x, double* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned rank = tile.thread_rank();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = x[i] * x[i];
  for (unsigned step = 1; step < 32; step *= 2) {
    double left = tile.shfl_up(sum, step);
    if (rank >= step)
      sum += left;
  }
  y[i] = sin(sum);
}

// A warp takes a row of logits.
BOTH("(out)/(x)") __global__ void softmax_of_warp(float* out, const float* x, int rows, int columns) {
  namespace groups = cooperative_groups;
  groups::thread_block block = groups::this_thread_block();
  groups::thread_block_tile<32> warp = groups::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row < rows) {
    const float* in = x + row * columns;
    float largest = -FLT_MAX;
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      largest = fmaxf(largest, in[i]);
    largest = groups::reduce(warp, largest, groups::greater<float>{});
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      sum += expf(in[i] - largest);
    sum = groups::reduce(warp, sum, groups::plus<float>{});
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      out[row * columns + i] = expf(in[i] - largest) / sum;
  }
}

// The largest and smallest of a tile of four, and of all in a block.
BOTH("(most,least,all)/(x)")
__global__ void extremes(const double* x, double* most, double* least, double* all, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<4>(block);
  int i = blockIdx.x * block.size() + block.thread_rank();
  double v = i < n ? x[i] * (1 + 0.0317 * tile.thread_rank()) : 0.0;
  double high = cg::reduce(tile, v, cg::greater<double>());
  double low = cg::reduce(tile, v, cg::less<double>());
  double weighed = cg::reduce(tile, v * tile.thread_rank(), cg::plus<double>());
  if (i < n)
    all[i] = weighed * high;
  if (tile.thread_rank() == 0 && i < n) {
    most[i / 4] = high * high;
    least[i / 4] = low;
  }
}

// A block takes a row; warps meet in shared memory.
BOTH("(out)/(x)") __global__ void softmax_of_block(float* out, const float* x, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ float highs[32];
  __shared__ float sums[32];
  int warps = warp.meta_group_size(), id = warp.meta_group_rank(), lane = warp.thread_rank();
  const float* in = x + blockIdx.x * columns;
  float high = -FLT_MAX, sum = 0.0f;
  for (int i = block.thread_rank(); i < columns; i += block.size()) {
    float v = in[i], before = high;
    high = fmaxf(high, v);
    sum *= expf(before - high);
    sum += expf(v - high);
  }
  float of_warp = cg::reduce(warp, high, cg::greater<float>{});
  sum *= expf(high - of_warp);
  float sum_of_warp = cg::reduce(warp, sum, cg::plus<float>{});
  if (lane == 0) {
    highs[id] = of_warp;
    sums[id] = sum_of_warp;
  }
  block.sync();
  float h = lane < warps ? highs[lane] : -FLT_MAX;
  float of_block = cg::reduce(warp, h, cg::greater<float>{});
  float part = lane < warps ? sums[lane] * expf(h - of_block) : 0.0f;
  float total = cg::reduce(warp, part, cg::plus<float>{});
  for (int i = block.thread_rank(); i < columns; i += block.size())
    out[blockIdx.x * columns + i] = expf(in[i] - of_block) / total;
}

// Barriers in all their spellings.
BOTH("(y)/(x)") __global__ void barriers(const double* x, double* y) {
  __shared__ double s[64], t[64], u[64];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_group some = cg::tiled_partition(block, 32);
  auto tile = cg::tiled_partition<32>(block);
  int me = block.thread_rank(), base = blockIdx.x * block.size(), n = block.size();
  s[me] = x[base + me] * x[base + me];
  block.sync();
  t[me] = s[(me + 1) % n] * s[me];
  cg::sync(block);
  u[me] = t[(me + 5) % n] + t[me];
  tile.sync();
  double v = u[me ^ 1];
  some.sync();
  cg::sync(tile);
  y[base + me] = v * u[me];
}

// What one thread of a warp stores another one loads, with a barrier of the warp between.
BOTH("(y)/(x)") __global__ void neighbours_in_warp(const double* x, double* y) {
  __shared__ double s[64];
  unsigned me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  s[me] = x[i] * x[i];
  __syncwarp();
  double mine = s[me], other = s[me ^ 1];
  __syncwarp();
  y[i] = mine * other;
}

// Votes choose, and are not differentiated.
BOTH("(y)/(x)") __global__ void votes(const double* x, double* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  unsigned large = tile.ballot(v > 0.9);
  double scale = tile.any(v > 1.2) ? 2.0 : 1.0;
  if (tile.all(v > 0.3))
    scale *= 3.0;
  y[i] = v * v * scale * __popc(large);
}

// Every round needs what the one before it gave: it is recorded.
BOTH("(y)/(x)") __global__ void rounds(const double* x, double* y, int times) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  for (int k = 0; k < times; ++k) {
    double mean = cg::reduce(warp, v * v, cg::plus<double>()) / 32;
    v = v / sqrt(mean + 0.5) + 0.25 * warp.shfl_xor(v, 1);
  }
  y[i] = v;
}

// LayerNorm with a warp for a row; its mean and scale are results as well.
BOTH("(out,mean,rstd)/(in,weight,bias)")
__global__ void layernorm_of_warp(float* out, float* mean, float* rstd, const float* in, const float* weight,
                                  const float* bias, int rows, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row < rows) {
    const float* x = in + row * columns;
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      sum += x[i];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float m = sum / columns;
    if (warp.thread_rank() == 0)
      __stcs(mean + row, m);
    sum = 0.0f;
    for (int i = warp.thread_rank(); i < columns; i += warp.size()) {
      float difference = x[i] - m;
      sum += difference * difference;
    }
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float s = rsqrtf(sum / columns + 1e-5f);
    if (warp.thread_rank() == 0)
      __stcs(rstd + row, s);
    float* o = out + row * columns;
    for (int c = warp.thread_rank(); c < columns; c += warp.size())
      __stcs(o + c, s * (__ldcs(x + c) - m) * weight[c] + bias[c]);
  }
}

// Warps that have no row leave before the others reduce.
BOTH("(y)/(x)") __global__ void leave_early(const double* x, double* y, int rows, int columns) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows)
    return;
  double sum = 0;
  for (int i = warp.thread_rank(); i < columns; i += warp.size())
    sum += x[row * columns + i] * x[row * columns + i];
  sum = cg::reduce(warp, sum, cg::plus<double>());
  for (int i = warp.thread_rank(); i < columns; i += warp.size())
    y[row * columns + i] = x[row * columns + i] / sum;
}

// A maximum of what lanes exchange: the tangent chooses, and the exchange is of all lanes.
BOTH("(y,m)/(x)") __global__ void maximum_by_exchange(const double* x, double* y, double* m, int columns) {
  const double* row = x + blockIdx.x * columns;
  double most = -INFINITY;
  for (int k = threadIdx.x; k < columns; k += 32)
    most = fmax(most, row[k]);
  for (int lanes = 16; lanes; lanes >>= 1)
    most = fmax(most, __shfl_xor_sync(0xffffffff, most, lanes));
  double sum = 0;
  for (int k = threadIdx.x; k < columns; k += 32)
    sum += exp(row[k] - most);
  for (int lanes = 16; lanes; lanes >>= 1)
    sum += __shfl_xor_sync(0xffffffff, sum, lanes);
  double own = row[threadIdx.x % columns] + (threadIdx.x % 2 ? 2 : 0);
  double low = fmin(own, __shfl_down_sync(0xffffffff, own, 1));
  for (int k = threadIdx.x; k < columns; k += 32)
    y[blockIdx.x * columns + k] = exp(row[k] - most) / sum + (k == threadIdx.x ? low : 0);
  if (threadIdx.x == 0)
    m[blockIdx.x] = most;
}

struct Scaling {
  float Scale;
  float Offset;
};
__device__ Scaling scaling_of(cg::thread_block_tile<32> &warp, int idx, const float *inp, int V, int P) {
  const float *x = inp + idx * P;
  float thread_maxval = -INFINITY, thread_sumval = 0.0f;
  for (int i = V + threadIdx.x - blockDim.x; i >= 0; i -= blockDim.x) {
    float v = x[i];
    float old_maxval = thread_maxval;
    thread_maxval = fmaxf(thread_maxval, v);
    thread_sumval *= expf((old_maxval - thread_maxval));
    thread_sumval += expf(v - thread_maxval);
  }
  __shared__ float shared_maxval[32];
  __shared__ float shared_sumval[32];
  int num_warps = blockDim.x / 32, warp_id = threadIdx.x / 32, lane_id = threadIdx.x % 32;
  float warp_maxval = cg::reduce(warp, thread_maxval, cg::greater<float>{});
  if (lane_id == 0) {
    shared_maxval[warp_id] = warp_maxval;
  }
  __syncthreads();
  warp_maxval = (lane_id < num_warps) ? shared_maxval[lane_id] : -FLT_MAX;
  float block_maxval = cg::reduce(warp, warp_maxval, cg::greater<float>{});
  thread_sumval *= expf(thread_maxval - block_maxval);
  float warp_sumval = cg::reduce(warp, thread_sumval, cg::plus<float>{});
  if (lane_id == 0) {
    shared_sumval[warp_id] = warp_sumval;
  }
  __syncthreads();
  warp_sumval = (lane_id < num_warps) ? shared_sumval[lane_id] : 0.0f;
  float block_sumval = cg::reduce(warp, warp_sumval, cg::plus<float>{});
  return Scaling{1.0f / block_sumval, block_maxval};
}
// Cross entropy of a row and its gradient, which overwrites the logits behind the barriers of the softmax.
GPUAD_ADJOINT("(logits,losses)/(logits,dlosses)")
GPUAD_TANGENT("(logits,losses)/(logits,dlosses)") __global__
    void classifier(float *logits, float *losses, const float *dlosses, const int *targets, int B, int T, int V,
                    int P) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int idx = blockIdx.x;
  int ix = targets[idx];
  Scaling sp = scaling_of(warp, idx, logits, V, P);
  if (threadIdx.x == 0) {
    float prob = expf(logits[idx * P + ix] - sp.Offset) * sp.Scale;
    losses[idx] = -logf(prob);
  }
  __syncthreads();
  float dloss = dlosses != NULL ? dlosses[idx] : 1.0f / (B * T);
  const float *logits_vec = logits + idx * P;
  for (int i = threadIdx.x; i < V; i += blockDim.x) {
    float v = __ldcs(&logits_vec[i]);
    float prob = expf(v - sp.Offset) * sp.Scale;
    float indicator = (i == ix) ? 1.0f : 0.0f;
    logits[idx * P + i] = (prob - indicator) * dloss;
  }
}

// A maximum with what a tile reduces: the tangent of the reduction is a function of the runtime, and of all lanes.
BOTH("(y)/(x)") __global__ void maximum_of_reduced(const double* x, double* y) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  double v = x[threadIdx.x];
  double most = fmax(v + (threadIdx.x % 3), cg::reduce(warp, v * v, cg::greater<double>()));
  y[threadIdx.x] = fmin(most, v + 2.5) * v;
}
