// usage: check_decisions BLOCK ORDER
// The kernels' fabsf counts its calls: as many as the primal makes are honest, later ones round up. What the adjoint gives must be
// what it gives when all are honest.
constexpr int n = 45, m = 5;
#include "rounded_later.h"

#define fabsf(v) rounded_up_later(v)
#include "decisions_grad.cu"
#undef fabsf
#include "harness.h"

using namespace numeric;

int block = 32;

/// 1, 2 or 4, and one larger: halves and ceilings are exact.
std::vector<float> inputs() {
  std::vector<float> values(n * m);
  for (int e = 0; e < n * m; ++e)
    values[e] = float(1 << (e * 7 + 2 * (e / m)) % 3);
  return values;
}

gpuad::launch shape() {
  gpuad::launch where;
  where.grid = dim3((n + block - 1) / block);
  where.block = dim3(block);
  return where;
}

/// `primal` runs it on the array, `adjoint` adds into the array's shadow.
template <class Primal, class Adjoint> void check(const char *name, const Primal &primal, const Adjoint &adjoint) {
  const std::vector<int> always(n, 1 << 30);
  std::vector<int> first(n);
  {
    allow(always);
    array<float> x(inputs());
    primal(x);
    expect(name, gpuad::synchronize().ok());
    cudaMemcpyFromSymbol(first.data(), calls, n * sizeof(int));
  }
  std::vector<float> got[2];
  for (int run = 0; run < 2; ++run) {
    allow(run == 0 ? always : first);
    std::vector<float> seeds(n * m);
    for (int e = 0; e < n * m; ++e)
      seeds[e] = 1 + 0.25f * (e % m);
    array<float> x(inputs()), x_bar(seeds);
    adjoint(x, x_bar);
    gpuad::status status = gpuad::synchronize();
    if (!status.ok())
      std::printf("%s: %s\n", name, status.message().c_str());
    expect(name, status.ok());
    x.expect_untouched(name);
    got[run] = x_bar.host();
  }
  bool differs = false;
  for (int e = 0; e < n * m; ++e) {
    expect_near(name, e, got[1][e], got[0][e], 1e-5);
    differs |= got[0][e] != 1 + 0.25f * (e % m);
  }

  expect(name, differs);
}

#define IN_PLACE(KERNEL)                                                                                               \
  check(#KERNEL, [](array<float> &x) { KERNEL<<<shape().grid, shape().block>>>(n, m, x); },                            \
        [](array<float> &x, array<float> &x_bar) { launch_##KERNEL##_adjoint(shape(), n, m, x, x_bar); })
#define INTO_Y(KERNEL)                                                                                                 \
  check(#KERNEL,                                                                                                       \
        [](array<float> &x) {                                                                                          \
          array<float> y(n, 0);                                                                                        \
          KERNEL<<<shape().grid, shape().block>>>(n, m, x, y);                                                         \
          cudaDeviceSynchronize();                                                                                     \
        },                                                                                                             \
        [](array<float> &x, array<float> &x_bar) {                                                                     \
          array<float> y(n, 0), y_bar(n, 1);                                                                           \
          launch_##KERNEL##_adjoint(shape(), n, m, x, x_bar, y, y_bar);                                                \
          cudaDeviceSynchronize();                                                                                     \
        })

int main(int count, char **arguments) {
  start(count, arguments);
  block = std::atoi(arguments[1]);
  IN_PLACE(once);
  IN_PLACE(in_loop);
  IN_PLACE(in_two_loops);
  IN_PLACE(short_nest);
  IN_PLACE(wound_back);
  IN_PLACE(rounded_bound);
  IN_PLACE(first_bound);
  IN_PLACE(loop_in_branch);
  IN_PLACE(third_level_in_place);
  INTO_Y(third_level);
  INTO_Y(four_levels);
  check("rounded_place",
        [](array<float> &x) {
          array<float> w(inputs());
          rounded_place<<<shape().grid, shape().block>>>(n, m, w, x);
          cudaDeviceSynchronize();
        },
        [](array<float> &x, array<float> &x_bar) {
          array<float> w(inputs()), w_bar(n * m, 0);
          launch_rounded_place_adjoint(shape(), n, m, w, w_bar, x, x_bar);
          cudaDeviceSynchronize();
        });
  return verdict();
}
