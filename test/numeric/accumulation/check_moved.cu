// usage: check_moved BLOCK ORDER
#include "moved_grad.cu"
#define GPUAD_DUAL_SOURCE "moved.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int threads = block_size();
  for (auto [w, h] : {std::pair(13, 6), std::pair(1, 4), std::pair(2, 1)}) {
    const int size = w * h;
    const gpuad::launch tiles{dim3((w + threads - 1) / threads, (h + 1) / 2), dim3(threads, 2)}, deep{tiles.grid, dim3(threads, 2, 2)};
    GPUAD_CHECK(remainders, tiles, plain(w), plain(h), in<double>(4 * size), out<double>(2 * size));
    // In a launch of more dimensions than the kernel looks at, several threads add the same.
    for (const gpuad::launch &where : {tiles, deep}) {
      GPUAD_CHECK(choices, where, plain(w), plain(h), in<double>(3 * size), through<double>(1));
      GPUAD_CHECK(corrections, where, plain(w), plain(h), in<double>(2 * size), through<double>(1));
      GPUAD_CHECK(layers, where, plain(w), plain(h), in<double>(4 * size), through<double>(1));
      GPUAD_CHECK(clamped, where, plain(w), plain(h), in<double>(2 * size), through<double>(1));
      GPUAD_CHECK(too_thin, where, plain(w), plain(h), in<double>(2 * size), through<double>(1));
    }
    GPUAD_CHECK(numbered, cover(3 * size), plain(w), plain(h), plain(3), in<double>(6 * size), through<double>(1));
  }
  GPUAD_CHECK(too_wide, (gpuad::launch{dim3(1, 2), dim3(16, 2)}), plain(13), plain(4), plain(7), in<double>(28), through<double>(1));
  for (int step : {1, 5, 30})
    GPUAD_CHECK(other_remainders, cover(13), plain(13), plain(step), in<double>(60, {0.5, 1.5}), through<double>(1));
  return verdict();
}
