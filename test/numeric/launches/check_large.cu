// usage: check_large BLOCK ORDER
#include "large_grad.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  // Dual numbers, which are twice as large, would not fit.
  for (int points : {4000, 70})
    check("large_tile", large_tile, launch_large_tile_tangent, launch_large_tile_adjoint, nullptr,
          gpuad::launch{dim3(1), dim3(block_size())}, plain(points), in<double>(points), out<double>(points));
  check("large_and_dynamic", large_and_dynamic, launch_large_and_dynamic_tangent, launch_large_and_dynamic_adjoint, nullptr,
        gpuad::launch{dim3(1), dim3(block_size()), 100 * sizeof(float)}, plain(100), in<float>(100), out<float>(100));
  return verdict();
}
