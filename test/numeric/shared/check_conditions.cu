// usage: check_conditions BLOCK ORDER
#include "conditions_grad.cu"

#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(vote_first, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(vote_second, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(vote_last, cover(n), plain(n), in<double>(n), out<double>(n));
  const gpuad::launch few{dim3(2), dim3(block_size())};
  GPUAD_CHECK(votes_in_a_nest, few, plain(n), plain(3), in<double>(n), out<double>(n));
  GPUAD_CHECK(asks_a_function, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
