// usage: check_found BLOCK ORDER
#include "found_grad.cu"

#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(damped_by_itself, cover(n), plain(n), plain(5), in<double>(n), in<double>(5), out<double>(n));
  GPUAD_CHECK(damped_by_each_other, cover(n), plain(n), plain(5), in<double>(n), in<double>(5), out<double>(n));
  GPUAD_CHECK(roots_in_an_initialiser, cover(n), plain(n), in<double>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(result_not_used, cover(n), plain(n), inactive_out<int>(n), in<double>(n), out<double>(n));
  const gpuad::launch few{dim3(2), dim3(3)};
  GPUAD_CHECK(stride_around_break, few, plain(n), plain(6), in<double>(n), out<double>(n));
  GPUAD_CHECK(break_in_branch_of_nest, few, plain(n), plain(3), in<double>(n), out<double>(n));
  return verdict();
}
