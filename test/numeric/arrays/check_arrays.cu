// usage: check_arrays BLOCK ORDER
#include "arrays_grad.cu"
#define GPUAD_DUAL_SOURCE "arrays.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(mix_rows, cover(n), plain(n), plain(3), in<float>(3 * n), in<float>(12), out<float>(4 * n));
  GPUAD_CHECK(euler_steps, cover(n), plain(n), plain(70), plain(0.01), value<double>(), in<double>(3 * n), out<double>(3 * n));
  GPUAD_CHECK(runge_kutta, cover(n), plain(n), plain(9), plain(0.02), value<double>(), in<double>(3 * n), out<double>(3 * n));
  GPUAD_CHECK(solve_in_place, cover(n), plain(n), in<double>(9 * n), in<double>(3 * n), out<double>(3 * n));
  GPUAD_CHECK(in_arms, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(sort_and_weigh, cover(n), plain(n), in<float>(5 * n, {0.5, 1.25}), out<float>(n));
  GPUAD_CHECK(moving_window, cover(n), plain(n), plain(11), in<double>(n), out<double>(n));
  GPUAD_CHECK(histogram_of_thread, cover(n), plain(n), plain(5), in<float>(5 * n), out<float>(n));
  GPUAD_CHECK(from_roots, cover(n), plain(n), in<double>(4 * n), in<double>(n), out<double>(n));
  return verdict();
}
