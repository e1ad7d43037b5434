// usage: check_barriers BLOCK ORDER
#include "barriers_grad.cu"
#include "harness.h"
#include "small_stack.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 43, m = 5;
  std::vector<int> rounds(n);
  for (int b = 0; b < n; ++b)
    rounds[b] = (5 * b + 2) % 7;
#define CHECK(KERNEL, ...)                                                                                             \
  GPUAD_CHECK(KERNEL, cover(n), __VA_ARGS__);                                                                          \
  small_stack::check(#KERNEL, KERNEL##_adjoint, cover(n), __VA_ARGS__)
  CHECK(decay_between, plain(n), in<double>(n), out<double>(n));
  CHECK(decay_inside_sum_of_tile, plain(n), plain(m), in<double>(n), out<double>(n));
  CHECK(rounds_by_block, plain(n), constant(rounds), in<double>(n), out<double>(n));
  CHECK(decay_in_rounds, plain(n), plain(m), in<double>(n), out<double>(n));
  return verdict();
}
