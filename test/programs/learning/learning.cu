// Pieces of neural networks: one thread for each element or row.
#include <cmath>
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

// GELU in its tanh form, over a grid-stride loop.
namespace gelu {

constexpr float root_2_over_pi = 0.7978845608f;

__device__ __forceinline__ float activate(float x) {
  float cube = 0.044715f * x * x * x;
  return 0.5f * x * (1.0f + tanhf(root_2_over_pi * (x + cube)));
}

GPUAD_ADJOINT("(out)/(inp,bias)")
GPUAD_TANGENT("(out)/(inp,bias)")
__global__ void forward(float* __restrict__ out, const float* __restrict__ inp, const float* __restrict__ bias,
                        int rows, int channels) {
  const int stride = gridDim.x * blockDim.x;
  for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < rows * channels; idx += stride) {
    const int c = idx % channels;
    out[idx] = activate(inp[idx] + bias[c]);
  }
}

} // namespace gelu

// LayerNorm, a row for each thread, with the statistics as outputs of their own.
namespace layernorm {

struct Moments {
  float mean, rstd;
};

__device__ Moments moments_of(const float* row, int channels, float eps) {
  float sum = 0.0f;
  for (int c = 0; c < channels; c++) {
    sum += row[c];
  }
  Moments m;
  m.mean = sum / channels;
  float var = 0.0f;
  for (int c = 0; c < channels; c++) {
    float shifted = row[c] - m.mean;
    var += shifted * shifted;
  }
  m.rstd = rsqrtf(var / channels + eps);
  return m;
}

GPUAD_ADJOINT("(out,mean,rstd)/(inp,weight,bias)")
GPUAD_TANGENT("(out,mean,rstd)/(inp,weight,bias)")
__global__ void forward(float* out, float* mean, float* rstd, const float* inp, const float* weight, const float* bias,
                        int rows, int channels) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float* x = inp + row * channels;
  Moments m = moments_of(x, channels, 1e-5f);
  float* y = out + row * channels;
  for (int c = 0; c < channels; c++) {
    float n = m.rstd * (x[c] - m.mean);
    y[c] = n * weight[c] + bias[c];
  }
  mean[row] = m.mean;
  rstd[row] = m.rstd;
}

} // namespace layernorm

// Cross-entropy of logits over the padded vocabulary, a row for each thread; the maximum is for the range only.
namespace cross_entropy {

GPUAD_ADJOINT("(losses)/(logits)")
GPUAD_TANGENT("(losses)/(logits)")
__global__ void forward(float* losses, const float* logits, const int* targets, int rows, int vocabulary, int padded,
                        float temperature) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = logits + (size_t)row * padded;
    const float scale = 1.0f / temperature;
    float maxval = -INFINITY;
    for (int v = 0; v < vocabulary; ++v)
      maxval = fmaxf(maxval, x[v] * scale);
    float denominator = 0.f;
    for (int v = 0; v < vocabulary; ++v)
      denominator += expf(x[v] * scale - maxval);
    const int target = targets[row];
    losses[row] = target < 0 ? 0.f : logf(denominator) + maxval - x[target] * scale;
  }
}

} // namespace cross_entropy

// Rotary embedding, in place, on pairs.
namespace rope {

GPUAD_ADJOINT("(q)/(q,freq)")
GPUAD_TANGENT("(q)/(q,freq)")
__global__ void rotate(float2* q, const float* freq, int positions, int heads, int half_dim) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= positions * heads * half_dim)
    return;
  int d = i % half_dim, t = i / (half_dim * heads);
  float s, c;
  sincosf(t * freq[d], &s, &c);
  float2 v = q[i];
  q[i] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

} // namespace rope

// The pointwise part of an LSTM cell: gates in one array, the cell state updated in place.
namespace lstm {

template <typename T> __device__ T sigmoid(T x) {
  return T(1) / (T(1) + exp(-x));
}

template <typename T>
GPUAD_ADJOINT("(h,c)/(gates,c,peephole)")
GPUAD_TANGENT("(h,c)/(gates,c,peephole)")
__global__ void cell(T* h, T* c, const T* gates, const T* peephole, int batch, int hidden) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= batch * hidden)
    return;
  const int b = k / hidden, j = k % hidden;
  const T* g = gates + b * 4 * hidden;
  const T old = c[k];
  const T in = sigmoid(g[j] + peephole[j] * old);
  const T forget = sigmoid(g[hidden + j] + peephole[hidden + j] * old);
  const T candidate = tanh(g[2 * hidden + j]);
  const T fresh = forget * old + in * candidate;
  const T out = sigmoid(g[3 * hidden + j] + peephole[2 * hidden + j] * fresh);
  c[k] = fresh;
  h[k] = out * tanh(fresh);
}

template __global__ void cell<double>(double*, double*, const double*, const double*, int, int);

} // namespace lstm

// Attention of one query row for each thread, over keys with a causal mask. The softmax is written with the row's
// maximum first, so that nothing is carried but sums.
namespace attention {

constexpr int D = 4;

struct Head {
  const float *q, *k, *v;
  int length;
  __device__ float score(int i, int j) const {
    float dot = 0;
#pragma unroll
    for (int d = 0; d < D; ++d)
      dot += q[i * D + d] * k[j * D + d];
    return dot * rsqrtf((float)D);
  }
};

GPUAD_ADJOINT("(out)/(head)") GPUAD_TANGENT("(out)/(head)")
__global__ void row(float* out, Head head) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= head.length)
    return;
  float top = head.score(i, 0);
  for (int j = 1; j <= i; ++j)
    top = fmaxf(top, head.score(i, j));
  float sum = 0, mix[D] = {};
  for (int j = 0; j <= i; ++j) {
    float p = __expf(head.score(i, j) - top);
    sum += p;
    for (int d = 0; d < D; ++d)
      mix[d] += p * head.v[j * D + d];
  }
  for (int d = 0; d < D; ++d)
    out[i * D + d] = mix[d] / sum;
}

} // namespace attention

// Focal loss of logits with the weight of the class, numerically safe on both sides.
namespace focal {

struct Loss {
  __host__ __device__ Loss(float a, float g) : alpha(a), gamma(g) {}

  __device__ float operator()(float logit, bool positive) const {
    const float z = positive ? logit : -logit;
    const float log_p = z > 0.0f ? -log1pf(expf(-z)) : z - log1pf(expf(z));
    const float weight = positive ? alpha : 1.0f - alpha;
    return -weight * powf(1.0f - expf(log_p), gamma) * log_p;
  }

  float alpha, gamma;
};

GPUAD_ADJOINT("(total)/(logits)")
GPUAD_TANGENT("(total)/(logits)")
__global__ void sum(float* total, const float* logits, const unsigned char* labels, int n, float alpha, float gamma) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  Loss loss(alpha, gamma);
  atomicAdd(total, loss(logits[i], labels[i] != 0) / n);
}

} // namespace focal
