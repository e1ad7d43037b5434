// usage: check_loaded BLOCK ORDER
#include "loaded_grad.cu"
#define GPUAD_DUAL_SOURCE "loaded.cu"
#include "harness.h"
#include "small_stack.h"

using namespace numeric;

/// With so many slots and no more.
template <class Kernel> void fits(const char *name, Kernel kernel, int n, int steps, size_t slots) {
  array<double> x(std::vector<double>(n, 0.7)), x_bar(n, 0), y(n, 0), y_bar(n, 1);
  gpuad::stack stack = gpuad::stack::allocate(dim3(2), dim3((n + 1) / 2), slots, 8);
  kernel<<<2, (n + 1) / 2>>>(n, steps, x, x_bar, y, y_bar, stack);
  expect(name, gpuad::synchronize().ok() && stack.needed() == 0);
  stack.free();
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  for (int steps : {0, 1, 7})
    GPUAD_CHECK(rates, cover(n), plain(n), plain(steps), plain(20), in<double>(n), in<double>(20), out<double>(n));
  GPUAD_CHECK(walk, cover(n), plain(n), plain(23), in<double>(n), out<double>(n));
  GPUAD_CHECK(in_arms, cover(n), plain(n), plain(31), in<float>(n), out<float>(n));
  GPUAD_CHECK(smoothed, cover(n), plain(n), plain(9), in<double>(n), out<double>(n));
  GPUAD_CHECK(exchanged, cover(n), plain(n), plain(5), in<double>(n, {0.5, 1.5}), out<double>(n));
  GPUAD_CHECK(short_walk, cover(n), plain(n), in<float>(n), out<float>(n));
  fits("walk", walk_adjoint, n, 23, 23);
  small_stack::check("exchanged", exchanged_adjoint, cover(n), plain(n), plain(5), in<double>(n, {0.5, 1.5}),
                     out<double>(n));
  return verdict();
}
