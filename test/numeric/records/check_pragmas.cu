// usage: check_pragmas BLOCK ORDER
#include "pragmas_grad.cu"
#include "harness.h"

using namespace numeric;

/// The adjoint of `pendulum` with room for so many slots.
static size_t missing_slots(int steps, size_t slots) {
  const int n = 5;
  array<double> x(n, 0.5), x_bar(n, 0.0), out(n, 0.0), out_bar(n, 1.0), stiffness_bar(1, 0.0);
  gpuad::stack stack = gpuad::stack::allocate(dim3(1), dim3(8), slots);
  pendulum_adjoint<<<1, 8>>>(n, steps, 0.001, 2.0, stiffness_bar, x, x_bar, out, out_bar, stack);
  gpuad::synchronize();
  size_t needed = stack.needed();
  stack.free();
  return needed;
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 43;
  for (int steps : {0, 1, 2, 3, 9, 10, 50})
    GPUAD_CHECK(pendulum, cover(n), plain(n), plain(steps), plain(0.1), value<double>(), in<double>(n), out<double>(n));
  for (int steps : {0, 1, 2, 3, 4, 7, 31})
    GPUAD_CHECK(few_states, cover(n), plain(n), plain(steps), in<double>(n), out<double>(n));
  for (int stride : {1, 3, 50})
    GPUAD_CHECK(down_in_segments, cover(n), plain(n), plain(5), plain(stride), in<double>(n), out<double>(n));
  for (long long last : {0LL, 1LL, 30LL})
    GPUAD_CHECK(up_to_and_not_equal, cover(n), plain(n), plain(last), in<double>(n), out<double>(n));
  GPUAD_CHECK(in_a_nest, cover(n), plain(n), plain(3), plain(11), in<double>(n), out<double>(n));
  for (int steps : {0, 4, 23})
    GPUAD_CHECK(array_in_segments, cover(n), plain(n), plain(steps), in<double>(n), out<double>(n));
  GPUAD_CHECK(recorded_root, cover(n), plain(n), plain(9), in<double>(n), out<double>(n));
  GPUAD_CHECK(computed_root, cover(n), plain(n), plain(9), in<double>(n), out<double>(n));

  // 10,000 steps are 100 segments of 100 steps: two slots for each segment, and one for each of its steps.
  expect("10,000 steps fit 300 slots", missing_slots(10000, 300) == 0);
  expect("and need them", missing_slots(10000, 299) == 300);
  return verdict();
}
