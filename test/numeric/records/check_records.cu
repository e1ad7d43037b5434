// usage: check_records BLOCK ORDER
#include "pretend_capture.h"
#include "records_grad.cu"
#define GPUAD_DUAL_SOURCE "records.cu"
#include "harness.h"
#include "small_stack.h"
#include "stack_checks.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 43;
  GPUAD_CHECK(relax, cover(n), plain(n), plain(70), in<double>(n), in<double>(1), out<double>(n));
  GPUAD_CHECK(relax, cover(n), plain(n), plain(0), in<double>(n), in<double>(1), out<double>(n));
  GPUAD_CHECK(pair_steps, cover(n), plain(n), plain(5), in<float>(n), out<float>(n));
  GPUAD_CHECK(down_strided, cover(n), plain(n), plain(20), plain(3), in<double>(n), out<double>(n));
  for (int divisor : {3, 0, -1})
    GPUAD_CHECK(guarded_division, cover(n), plain(n), plain(20), plain(divisor), plain(divisor), in<double>(n),
                out<double>(n));
  GPUAD_CHECK(mixed_widths, cover(n), plain(n), plain(6), in<float>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(three_levels, cover(n), plain(n), plain(3), plain(4), plain(5), in<double>(n), out<double>(n));
  GPUAD_CHECK(triangular, cover(n), plain(n), plain(4), in<double>(n), out<double>(n));
  GPUAD_CHECK(until_small, cover(n), plain(n), plain(0.3), in<double>(n), out<double>(n));
  GPUAD_CHECK(newton, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(decay_inside_sum, cover(n), plain(n), plain(6), in<double>(6 * n), out<double>(n));
  GPUAD_CHECK(composite, cover(n), plain(n), plain(1000000), in<double>(16), in<double>(16), out<double>(n));
  GPUAD_CHECK(leave_both, cover(n), plain(n), plain(5), plain(60.0), in<double>(n), out<double>(n));
  GPUAD_CHECK(one_after_the_other, cover(n), plain(n), plain(3), in<double>(n), out<double>(n));
  GPUAD_CHECK(doubling, cover(n), plain(n), plain(20), in<double>(n), out<double>(n));
  std::vector<int> next(n);
  for (int i = 0; i < n; ++i)
    next[i] = i % 5 == 0 ? -1 : i - 1;
  GPUAD_CHECK(follow_list, cover(n), plain(n), constant(next), in<double>(n), out<double>(n));
  GPUAD_CHECK(state_machine, cover(n), plain(n), plain(7), in<float>(n), out<float>(n));
  GPUAD_CHECK(bound_changes, cover(n), plain(n), plain(3), in<double>(n, {0.5, 1.0}), out<double>(n));
  GPUAD_CHECK(loops_in_callees, cover(n), plain(n), plain(4), in<double>(n), out<double>(n));
  GPUAD_CHECK(by_value, cover(n), plain(n), plain(3), value<double>(), in<double>(n), out<double>(n));
  GPUAD_CHECK(other_counters, cover(n), plain(43u), plain(4ull), in<double>(n), out<double>(n));
  GPUAD_CHECK(partly_filled, cover(n), plain(n), plain(5), plain(4), in<double>(n), out<double>(n));
  // The need that the run counts is exact, and one slot less leaves everything as it was.
#define CHECK_SMALL(KERNEL, ...) small_stack::check(#KERNEL, KERNEL##_adjoint, cover(n), __VA_ARGS__)
  CHECK_SMALL(until_small, plain(n), plain(0.3), in<double>(n), out<double>(n));
  CHECK_SMALL(decay_inside_sum, plain(n), plain(6), in<double>(6 * n), out<double>(n));
  CHECK_SMALL(leave_both, plain(n), plain(5), plain(60.0), in<double>(n), out<double>(n));
  CHECK_SMALL(follow_list, plain(n), constant(next), in<double>(n), out<double>(n));
  stack_checks::all();
  return verdict();
}
