// usage: check_again BLOCK ORDER
#include "again_again.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  gpuad::launch where{2, 64};
  auto unused = [] { return constant(std::vector<double>(128)); }; // the adjoint does not touch results
  GPUAD_CHECK_AGAIN(sum_adjoint, where, in<double>(128), through<double>(128), unused(), through<double>(2));
  GPUAD_CHECK_AGAIN(scan_adjoint, where, in<double>(128), through<double>(128), unused(), through<double>(128));
  GPUAD_CHECK_AGAIN(extremes_adjoint, where, in<double>(128), through<double>(128), unused(), through<double>(2));
  GPUAD_CHECK_AGAIN(lanes_adjoint, where, in<double>(128), through<double>(128), unused(), through<double>(8));
  GPUAD_CHECK_AGAIN(sum_tangent, where, in<double>(128), in<double>(128), out<double>(2), out<double>(2));
  return verdict();
}
