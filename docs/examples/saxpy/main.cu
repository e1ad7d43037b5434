// Runs the adjoint of saxpy and compares it with difference quotients of the primal.
//
// The quantity of interest is J = sum of w[i] * y[i] after y = a * x + y. Its derivatives by a and x come from one run of the
// adjoint, with w as the seed.
#include <cmath>
#include <cstdio>
#include <gpuad/runtime.cuh>
#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y);
void launch_saxpy_adjoint(const gpuad::launch &where, int n, float a, float *a_bar, const float *x, float *x_bar, float *y,
                          float *y_bar);

static const int n = 1000;
static const gpuad::launch where{dim3((n + 255) / 256), dim3(256)};

static float *to_device(const std::vector<float> &values) {
  float *copy = nullptr;
  cudaMalloc(&copy, values.size() * sizeof(float));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return copy;
}

static std::vector<float> to_host(const float *values, std::size_t count) {
  std::vector<float> copy(count);
  cudaMemcpy(copy.data(), values, count * sizeof(float), cudaMemcpyDeviceToHost);
  return copy;
}

static double run_primal(float a, const std::vector<float> &x, const std::vector<float> &y, const std::vector<float> &w) {
  float *d_x = to_device(x), *d_y = to_device(y);
  saxpy<<<where.grid, where.block>>>(n, a, d_x, d_y);
  std::vector<float> result = to_host(d_y, n);
  cudaFree(d_x);
  cudaFree(d_y);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(w[i]) * result[i];
  return sum;
}

static bool compare(const char *name, double adjoint, double difference) {
  bool equal = std::fabs(adjoint - difference) <= 1e-3 * (1 + std::fabs(difference));
  std::printf("  dJ/d%-6s adjoint %12.6f   difference %12.6f   %s\n", name, adjoint, difference, equal ? "ok" : "WRONG");
  return equal;
}

int main() {
  const float a = 0.75f;
  std::vector<float> x(n), y(n), w(n);
  for (int i = 0; i < n; ++i) {
    x[i] = std::sin(0.1f * i);
    y[i] = std::cos(0.2f * i);
    w[i] = 1.0f / (1 + i % 7);
  }

  float *d_x = to_device(x), *d_y = to_device(y), *d_y_bar = to_device(w);
  float *d_x_bar = to_device(std::vector<float>(n, 0.0f)), *d_a_bar = to_device({0.0f});
  launch_saxpy_adjoint(where, n, a, d_a_bar, d_x, d_x_bar, d_y, d_y_bar);
  gpuad::status status = gpuad::synchronize();
  if (!status.ok()) {
    std::printf("%s\n", status.message().c_str());
    return 1;
  }
  float a_bar = to_host(d_a_bar, 1)[0];
  std::vector<float> x_bar = to_host(d_x_bar, n);
  for (float *p : {d_x, d_y, d_y_bar, d_x_bar, d_a_bar})
    cudaFree(p);

  // J is linear in each of them, so a large step has no truncation error.
  bool ok = compare("a", a_bar, run_primal(a + 0.5f, x, y, w) - run_primal(a - 0.5f, x, y, w));
  for (int i : {0, 1, 499, 999}) {
    std::vector<float> up = x, down = x;
    up[i] += 8;
    down[i] -= 8;
    char name[16];
    std::snprintf(name, sizeof name, "x[%d]", i);
    ok &= compare(name, x_bar[i], (run_primal(a, up, y, w) - run_primal(a, down, y, w)) / 16);
  }
  gpuad::release();
  std::printf(ok ? "The gradient is right.\n" : "The gradient is WRONG.\n");
  return ok ? 0 : 1;
}
