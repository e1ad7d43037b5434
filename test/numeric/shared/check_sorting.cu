// usage: check_sorting BLOCK ORDER
#include "sorting_grad.cu"
#define GPUAD_DUAL_SOURCE "sorting.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int threads = block_size();
  std::vector<int> keys(128);
  range apart; // numbers whose order no small change can change
  for (int i = 0; i < 128; ++i) {
    keys[i] = i * 37 % 101;
    apart.base.push_back(4 * (i * 29 % 128));
  }
  for (int n : {128, 100, 64, 7})
    GPUAD_CHECK(bitonic_block, (gpuad::launch{dim3(2), dim3(threads)}), plain(n), constant(keys), in<double>(n), out<double>(n));
  for (unsigned direction : {0u, 1u})
    GPUAD_CHECK(bitonic_pairs, (gpuad::launch{dim3(2), dim3(32)}), out<float>(128), out<float>(128), in<float>(128, apart),
                in<float>(128), plain(64u), plain(direction));
  for (int stride : {1, 8, 32})
    GPUAD_CHECK(bitonic_step, (gpuad::launch{dim3(4), dim3(32)}), constant(keys), through<double>(128), plain(stride), plain(64));
  for (int n : {1, 13, 64}) {
    const gpuad::launch one{dim3(1), dim3(std::max(n, threads))};
    GPUAD_CHECK(until_sorted, one, plain(n), constant(keys), in<double>(n), out<double>(n));
    for (int sweeps : {0, 1, 5})
      GPUAD_CHECK(relaxation, one, plain(n), plain(sweeps), in<double>(n), out<double>(n));
  }
  for (int n : {0, 1, 4}) {
    GPUAD_CHECK(hand_on, (gpuad::launch{dim3(3), dim3(threads / 2 * 2)}), plain(n), through<double>(3 * (threads / 2 * 2)));
    GPUAD_CHECK(colors, (gpuad::launch{dim3(2), dim3(threads)}), plain(17), plain(n), through<double>(2 * 19));
  }
  GPUAD_CHECK(hand_over, (gpuad::launch{dim3(3), dim3(threads / 2 * 2)}), through<double>(3 * (threads / 2 * 2)));
  return verdict();
}
