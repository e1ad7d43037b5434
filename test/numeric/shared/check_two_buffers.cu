// usage: check_two_buffers BLOCK ORDER
#include "two_buffers_grad.cu"
#define GPUAD_DUAL_SOURCE "two_buffers.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  for (int n : {1, 8, 23})
    GPUAD_CHECK(next_tile, (gpuad::launch{dim3(2), dim3(8)}), plain(n), in<double>(n), in<double>(n), out<double>(16));
  const gpuad::launch two{dim3(2), dim3(16)};
  GPUAD_CHECK(scan, two, in<double>(32), out<double>(32));
  GPUAD_CHECK(arms, two, in<double>(32), out<double>(32));
  for (int steps : {1, 4})
    GPUAD_CHECK(swapped, two, plain(steps), in<double>(32), out<double>(32));
  GPUAD_CHECK(row_by_row, two, in<double>(128), out<double>(32));
  GPUAD_CHECK(own_in_the_end, two, in<double>(64), out<double>(32));
  for (int n : {20, 50})
    GPUAD_CHECK(next_tile_of_warp, (gpuad::launch{dim3(2), dim3(32)}), plain(n), in<double>(n), in<double>(n),
                out<double>(64));
  return verdict();
}
