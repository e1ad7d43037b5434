// usage: check_loops BLOCK ORDER
#include "loops_grad.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 77;
  for (gpuad::launch where : {gpuad::launch{dim3(3), dim3(32)}, gpuad::launch{dim3(2), dim3(40)}}) {
    GPUAD_CHECK(sums_by_loop, where, plain(n), in<double>(n), through<double>(3));
    GPUAD_CHECK(sums_of_floats, where, plain(n), in<float>(n), through<float>(2));
    GPUAD_CHECK(in_shared_memory, where, plain(n), in<double>(n), out<double>(where.grid.x));
  }
  return verdict();
}
