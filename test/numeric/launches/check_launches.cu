// usage: check_launches BLOCK ORDER
#include "launches_grad.cu"
#ifndef PRIMALS_THAT_FIT // dual numbers take more registers
#define GPUAD_DUAL_SOURCE "launches.cu"
#endif
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = block_size() + 3;
  const gpuad::launch two{dim3(2), dim3(block_size())};
  GPUAD_CHECK(many_values, two, plain(n), value<double>(), in<double>(20 * n), out<double>(20 * n));
  auto tangent = [](auto... p) { launch_many_of_tangent<double>(p...); };
  auto adjoint = [](auto... p) { launch_many_of_adjoint<double>(p...); };
  check("many_of<double>", many_of<double>, tangent, adjoint, nullptr, two, plain(n), in<double>(20 * n), out<double>(20 * n));
  return verdict();
}
