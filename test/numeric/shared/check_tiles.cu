// usage: check_tiles BLOCK ORDER
#include "tiles_grad.cu"
#define GPUAD_DUAL_SOURCE "tiles.cu"
#include "harness.h"
using namespace numeric;
int main(int c, char **v) {
  start(c, v);
  for (auto [m, n, p] : {std::tuple(8, 8, 8), std::tuple(11, 5, 13), std::tuple(3, 17, 20), std::tuple(9, 9, 1)})
    GPUAD_CHECK(ragged_product, (gpuad::launch{dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)}), plain(m), plain(n),
                plain(p), in<double>(m * p), in<double>(p * n), out<double>(m * n));
  for (int n : {2, 16, 37})
    GPUAD_CHECK(bodies, (gpuad::launch{dim3((n + 31) / 32), dim3(32)}), plain(n), in<float2>(n, {-1, 1}),
                out<float2>(n));
  for (int n : {1, 8, 13, 35})
    GPUAD_CHECK(flash, (gpuad::launch{dim3((n + 15) / 16), dim3(16)}), plain(n), plain(0.5f), in<float>(4 * n, {-1, 1}),
                in<float>(4 * n, {-1, 1}), in<float>(4 * n), out<float>(4 * n));
  for (int k : {1, 4, 7}) {
    range numbers{0.5, 1};
    for (int i = 0; i < 2 * k * k; ++i)
      numbers.base.push_back(i % (k * k) % (k + 1) == 0 ? 8 : 0);
    GPUAD_CHECK(eliminate, (gpuad::launch{dim3(2), dim3(block_size() / 8)}), plain(k),
                through<double>(2 * k * k, numbers));
  }
  for (int rounds : {1, 3, 70}) {
    std::vector<int> place(block_size() * rounds);
    for (int i = 0; i < block_size() * rounds; ++i)
      place[i] = (i * 5 + i / block_size()) % block_size();
    GPUAD_CHECK(seen_by_some, (gpuad::launch{dim3(1), dim3(block_size())}), plain(rounds), constant(place),
                in<double>(block_size() * rounds), through<double>(block_size() * rounds));
  }
  return verdict();
}
