// usage: check_people BLOCK ORDER
#include "people_grad.cu"
#define GPUAD_DUAL_SOURCE "people.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(range_for, cover(n), out<float>(n), in<float>(n + 2), plain(n));
  GPUAD_CHECK(compile_time, cover(n), out<float>(n), in<float>(n), plain(n));
  GPUAD_CHECK(bindings, cover(n), out<float>(n), in<float>(n + 1), plain(n));
  GPUAD_CHECK(of_duals, cover(n), out<float>(n), in<float>(n), plain(n));
  GPUAD_CHECK(policies, cover(n), out<float>(n), in<float>(n + 1, {0.5, 0.625, false, {0, 1}}), plain(n));
  GPUAD_CHECK(rotations, cover(n), out<float3>(n), in<quaternion>(n), in<float3>(n), plain(n));
  GPUAD_CHECK(closures, cover(n), out<float>(n), in<float>(n + 1), plain(n));
  return verdict();
}
