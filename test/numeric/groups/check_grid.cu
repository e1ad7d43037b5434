#include "grid_grad.cu"

#include "harness.h"
using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  blocks_wait() = true;
  for (int n : {23, 96}) {
    GPUAD_CHECK(neighbours, cover(n), plain(n), in<double>(n), through<double>(n), out<double>(n));
    GPUAD_CHECK(phases, cover(n), plain(n), in<double>(n), through<double>(n), through<double>(n), out<double>(n));
    GPUAD_CHECK(jacobi, cover(n), plain(n), plain(4), through<double>(n), through<double>(n));
    GPUAD_CHECK(normalized, cover(n), plain(n), in<double>(n), through<double>((n + block_size() - 1) / block_size()), out<double>(n));
    GPUAD_CHECK(in_function, cover(n), plain(n), in<double>(n), through<double>(n), out<double>(n));
  }
  return verdict();
}
